"""Random search: valid feature sets of any quality, as a baseline for the other searches."""

from __future__ import annotations

from typing import Unpack

from altfs._clock import work_clock
from altfs._numbers import check_whole
from altfs.problem import FeatureIndices, Problem, SearchResult, Status
from altfs.quality import Quality
from altfs.searches._drawing import DeadEndError, OutOfDrawsError, SetSampler
from altfs.searches.base import SeededSearch, listed_result, searches
from altfs.searches.existence import families_exist
from altfs.searches.request import Arguments, checked_limits, request_of
from altfs.solvers import Limits

# The number of draws in a unit of work.
_DRAWS = 500
# The share of the work limit that each proof may take.
_PROOF_SHARE = 0.1
# The largest number of families that are drawn because the previous ones reach a dead end.
_STARTS = 20


@searches.register("random")
class Random(SeededSearch):
    """Families of feature sets that are drawn, uniformly if that is possible.

    1. Each set of a family is drawn uniformly, without regard to the others. The family is
       taken if it satisfies the overlap limit. Then every sequence of sets is equally
       likely, and `solvers` says ``uniform``. At most half of the draws are used for this.
    2. Else each set is drawn uniformly among those that fit the previous sets. At most 20
       families are drawn, until one is complete. Families whose sets leave more room for
       further ones are then less likely than they should be. `solver` says
       ``sequentially_uniform``.

    The second way is ``uniform``, too, for one set. Without other constraints it is also for
    two sets, and for sets that share nothing but the included features.

    If no family is complete, the longest one is the result (the first of equals). A missing
    set is ``infeasible`` if it is proven that so many sets do not exist, else ``unknown``.
    Found ones are ``feasible``.

    A unit of `Limits.work` is 500 draws.
    """

    claims = "bound"
    aggregations = ("none",)
    statuses = frozenset(set(Status) - {Status.OPTIMAL})

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        n_sets = problem.n_sets
        sampler = SetSampler(problem, self.seed, max(1, int(_DRAWS * limits.work)))
        how = "uniform"
        family = None if _same(sampler, n_sets) else _whole_family(sampler, n_sets)
        if family is None:
            family = _set_by_set(sampler, n_sets)
            if not _same(sampler, n_sets):
                how = "sequentially_uniform"
        statuses = [Status.FEASIBLE] * len(family) + _missing(problem, len(family), n_sets, limits)
        return listed_result(
            problem, tuple(family), statuses, solver=how, work=sampler.used,
            seconds=work_clock() - start, bound=problem.quality.bound(problem.n_features),
        )  # fmt: skip


def _same(sampler: SetSampler, n_sets: int) -> bool:
    """Return True if the number of sets that fit a set is the same for all sets."""
    problem = sampler.problem
    if n_sets == 1:
        return True
    if sampler.rejects or problem.constraints.groups:
        return False
    disjoint = problem.max_overlap == len(problem.constraints.include)
    return (not problem.given and (disjoint or n_sets == 2)) or problem.max_overlap == 0


def _whole_family(sampler: SetSampler, n_sets: int) -> list[FeatureIndices] | None:
    overlap = sampler.problem.max_overlap
    most = sampler.draws // 2
    family: list[FeatureIndices] = []
    try:
        while len(family) < n_sets:
            chosen = sampler.draw((), most)
            fits = all(len(set(chosen) & set(s)) <= overlap for s in family)
            family = [*family, chosen] if fits else []
    except (DeadEndError, OutOfDrawsError):
        return None
    return family


def _set_by_set(sampler: SetSampler, n_sets: int) -> list[FeatureIndices]:
    best: list[FeatureIndices] = []
    for _ in range(_STARTS):
        family: list[FeatureIndices] = []
        out = False
        try:
            while len(family) < n_sets:
                family.append(sampler.draw(tuple(family), sampler.draws))
        except DeadEndError:
            pass
        except OutOfDrawsError:
            out = True
        if len(family) > len(best):
            best = family
        if out or not best or len(best) == n_sets:
            break
    return best


def _missing(problem: Problem, n_drawn: int, n_sets: int, limits: Limits) -> list[Status]:
    """Return the statuses of the sets that were not found."""
    proving = Limits(limits.work * _PROOF_SHARE)
    status = [Status.UNKNOWN] * (n_sets - n_drawn)
    if not status or families_exist(problem, n_sets, proving) is not False:
        # If n_sets sets may exist, fewer may exist, too.
        return status
    for number in range(n_drawn + 1, n_sets + 1):
        # n_sets sets do not exist. The smallest such number is looked for.
        if number == n_sets or families_exist(problem, number, proving) is False:
            missing = n_sets - number + 1
            status[-missing:] = [Status.INFEASIBLE] * missing
            break
    return status


def search_randomly(
    quality: Quality,
    *,
    random_state: int = 0,
    limits: Limits | None = None,
    **arguments: Unpack[Arguments],
) -> SearchResult:
    """Draw valid feature sets at random, as a baseline for the other searches.

    Parameters
    ----------
    quality : Quality
        The quality of the sets. Its conflicts are constraints. Its values decide nothing
        unless there is a quality floor.
    random_state : int, default=0
        A number from 0. The same number gives the same sets.
    limits : Limits, optional
        The work that may be done for the family. A unit is 500 draws.
    n_features, n_alternatives, tau, max_overlap, dissimilarity, given, constraints
        As in :func:`altfs.search_sequentially`; `n_features` has to be one number.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries, in the order in which they were drawn.
        `solver` of each says how they are distributed: ``uniform`` or ``sequentially_uniform``.

    Raises
    ------
    AltfsError
        As :func:`altfs.search_sequentially`, or if the random state is not a number from 0.

    Examples
    --------
    >>> from altfs import quality, search_randomly
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> result = search_randomly(q, n_features=2, n_alternatives=1, tau=1, random_state=1)
    >>> result.sets, [one.solver for one in result]
    ([(0, 2), (1, 3)], ['uniform', 'uniform'])
    """
    problem = request_of(arguments, further=("random_state",)).problem(quality)
    allowed = checked_limits(limits)
    check_whole("random_state", random_state, 0)
    return Random(int(random_state)).search(problem, allowed)
