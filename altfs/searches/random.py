"""Random search: valid feature sets, whatever their quality. A floor to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from altfs._numbers import is_whole
from altfs.errors import AltfsError
from altfs.problem import (
    NO_CONSTRAINTS,
    Constraints,
    Dissimilarity,
    FeatureIndices,
    Problem,
    SearchResult,
    Status,
    Tau,
)
from altfs.quality import Quality
from altfs.searches._drawing import DeadEndError, Drawing, OutOfDrawsError
from altfs.searches.base import SeededSearch, listed_result, searches
from altfs.searches.feasibility import families_exist
from altfs.searches.request import Request, checked_limits
from altfs.solvers import Limits

# Draws that a unit of work stands for.
_DRAWS = 500
# Part of the work limit that each question for a proof may take.
_PROOF_SHARE = 0.1
# How often a family that comes to a dead end is begun anew.
_STARTS = 20


@searches.register("random")
class Random(SeededSearch):
    """Families of feature sets, uniformly where that is possible.

    1. Families are drawn set by set, each set uniformly and regardless of the
       others, and taken if they satisfy the overlap limit. Then every sequence of
       sets is equally likely; `solvers` says ``uniform``. Half of the draws may go
       into this.
    2. Else each set is drawn uniformly among those that fit the ones before it,
       up to 20 times until a family is complete. Families whose sets leave more
       room for further ones are then less likely than they should be; `solvers`
       says ``sequentially_uniform``. It says ``uniform`` where the two are the
       same: of one set; of two, or of disjoint ones (apart from features that
       all have to include), where nothing else is demanded.

    If no family is complete, the longest one stands (the first of equals). A set
    that is missing is ``infeasible`` if it is proven that so many sets do not
    exist, whichever come first; else ``unknown``. Found ones are ``feasible``.

    A unit of `Limits.work` is 500 draws.
    """

    aggregations = ("none",)
    statuses = frozenset(set(Status) - {Status.OPTIMAL})

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = perf_counter()
        n_sets = problem.n_sets
        drawing = Drawing(problem, self.seed, max(1, int(_DRAWS * limits.work)))
        how = "uniform"
        found = None if _same(drawing, n_sets) else _whole_family(drawing, n_sets)
        if found is None:
            found = _set_by_set(drawing, n_sets)
            if not _same(drawing, n_sets):
                how = "sequentially_uniform"
        missing = _missing(problem, len(found), n_sets, limits)
        return listed_result(
            problem, tuple(found), Status.FEASIBLE, missing, solver=how, work=drawing.used,
            seconds=perf_counter() - start, bound=problem.quality.bound(problem.n_features),
        )  # fmt: skip


def _same(drawing: Drawing, n_sets: int) -> bool:
    """Return True if every set leaves as many sets to choose from as any other."""
    problem = drawing.problem
    if n_sets == 1:
        return True
    if drawing.rejects or problem.constraints.groups:
        return False
    disjoint = problem.max_overlap == len(problem.constraints.include)
    return (not problem.given and (disjoint or n_sets == 2)) or problem.max_overlap == 0


def _whole_family(drawing: Drawing, n_sets: int) -> list[FeatureIndices] | None:
    overlap = drawing.problem.max_overlap
    most = drawing.draws // 2
    family: list[FeatureIndices] = []
    try:
        while len(family) < n_sets:
            chosen = drawing.draw((), most)
            fits = all(len(set(chosen) & set(s)) <= overlap for s in family)
            family = [*family, chosen] if fits else []
    except (DeadEndError, OutOfDrawsError):
        return None
    return family


def _set_by_set(drawing: Drawing, n_sets: int) -> list[FeatureIndices]:
    best: list[FeatureIndices] = []
    for _ in range(_STARTS):
        family: list[FeatureIndices] = []
        out = False
        try:
            while len(family) < n_sets:
                family.append(drawing.draw(tuple(family), drawing.draws))
        except DeadEndError:
            pass
        except OutOfDrawsError:
            out = True
        if len(family) > len(best):
            best = family
        if out or not best or len(best) == n_sets:
            break
    return best


def _missing(problem: Problem, found: int, n_sets: int, limits: Limits) -> list[Status]:
    """Return the statuses of the sets that were not found."""
    asked = Limits(limits.work * _PROOF_SHARE)
    status = [Status.UNKNOWN] * (n_sets - found)
    if not status or families_exist(problem, n_sets, asked) is not False:
        # As many as were wanted may exist, hence fewer may, too.
        return status
    for wanted in range(found + 1, n_sets + 1):
        # All that was wanted does not exist; with how many sets does that begin?
        if wanted == n_sets or families_exist(problem, wanted, asked) is False:
            missing = n_sets - wanted + 1
            status[-missing:] = [Status.INFEASIBLE] * missing
            break
    return status


def search_randomly(
    quality: Quality,
    *,
    n_features: int,
    n_alternatives: int,
    tau: Tau | None = None,
    max_overlap: int | None = None,
    dissimilarity: Dissimilarity = "dice",
    given: Sequence[Sequence[int]] = (),
    constraints: Constraints = NO_CONSTRAINTS,
    limits: Limits | None = None,
    random_state: int = 0,
) -> SearchResult:
    """Draw valid feature sets at random: what a search has to be better than.

    Parameters
    ----------
    quality : Quality
        What the sets are worth; its conflicts are honoured, its values are not
        looked at unless there is a quality floor.
    n_features, n_alternatives, tau, max_overlap, dissimilarity, given, constraints, limits
        As in :func:`altfs.search_sequentially`; a unit of work is 500 draws.
    random_state : int, default=0
        From 0; the same number gives the same sets.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries, in the order in which they were drawn;
        `solvers` says how they are distributed (see :class:`Random`).

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Examples
    --------
    >>> from altfs import quality, search_randomly
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> result = search_randomly(q, n_features=2, n_alternatives=1, tau=1, random_state=1)
    >>> result.sets, result.solvers
    ([(0, 2), (1, 3)], ['uniform', 'uniform'])
    """
    asked = Request(
        n_features=n_features, n_alternatives=n_alternatives, tau=tau, max_overlap=max_overlap,
        dissimilarity=dissimilarity, given=given, constraints=constraints,
    )  # fmt: skip
    problem, allowed = asked.problem(quality), checked_limits(limits)
    if not is_whole(random_state) or random_state < 0:
        raise AltfsError(
            f"random_state: {random_state!r} is not allowed, use a whole number from 0."
        )
    return Random(int(random_state)).search(problem, allowed)
