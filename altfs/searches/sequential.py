"""Sequential search: one set after the other, each different from all before."""

from __future__ import annotations

from math import inf
from typing import Unpack

from altfs._clock import work_clock
from altfs._numbers import check_whole
from altfs.problem import NAN, FeatureSet, Problem, SearchResult, Status
from altfs.quality import BatchedBox, Quality
from altfs.searches.base import SolverSearch, searches
from altfs.searches.request import Arguments, checked_limits, request_of
from altfs.solvers import Limits, Solution, solve
from altfs.solvers.named import SolverChoice, named_solver

# With fewer sets that are not proven, a better one would often be missed.
_FEWEST_SETS = 5


@searches.register("sequential")
class Sequential(SolverSearch):
    """Each set is the best one given those before it (Definition 3 of the paper).

    Sets that are judged in batches and not proven are put in the order of their quality. Of these,
    five are searched for if fewer are requested, so that the first ones are the same.
    """

    claims = "steps"
    aggregations = ("none",)
    prices_shared = True
    several_sizes = True

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        entries: list[FeatureSet] = []
        step = problem
        sorts = isinstance(problem.quality, BatchedBox) and not problem.average
        while len(entries) < problem.n_sets or (sorts and _is_short(entries)):
            start = work_clock()
            if entries and entries[-1].status is Status.INFEASIBLE:
                # If there is no set, there is none that differs from more sets either.
                solution = Solution(Status.INFEASIBLE, (), NAN, 0)
            else:
                step = problem.after(tuple(entry.indices for entry in entries if entry))
                solution = solve(step, limits, self.solver)
            indices = solution.sets[0] if solution.sets else ()
            objective = step.quality.evaluate(indices) if indices else NAN
            entries.append(
                FeatureSet(
                    indices,
                    objective,
                    solution.status,
                    solution.bound,
                    solver=solution.solver,
                    work=solution.work,
                    seconds=work_clock() - start,
                    steps=solution.trace,
                )
            )
        if sorts:
            entries = _best_first(entries)[: problem.n_sets]
        return SearchResult(tuple(entries), problem.n_features, "none")


def _is_short(entries: list[FeatureSet]) -> bool:
    """Return True if there are fewer than five sets, and none is proven."""
    unproven = all(entry and entry.status is Status.FEASIBLE for entry in entries)
    return unproven and len(entries) < _FEWEST_SETS


def _best_first(entries: list[FeatureSet]) -> list[FeatureSet]:
    """Put better sets before worse ones; a later set may be better if none is proven.

    Each pair of sets has to differ, whichever is the first.
    """
    if any(entry and entry.status is not Status.FEASIBLE for entry in entries):
        return entries
    return sorted(entries, key=lambda entry: -entry.train_objective if entry else inf)


def search_sequentially(
    quality: Quality,
    *,
    limits: Limits | None = None,
    solver: SolverChoice = None,
    random_state: int = 0,
    **arguments: Unpack[Arguments],
) -> SearchResult:
    """Find feature sets one after the other.

    Parameters
    ----------
    quality : Quality
        The quality to maximise.
    limits : Limits, optional
        The work that may be done for each set.
    solver : str, mapping or Solver, optional
        A solver that is asked alone: a name, or ``{"type": ..., "options": {...}}``, or an
        object. By default the preferred solvers of the quality.
    random_state : int, default=0
        The seed of a named solver that draws, from 0.
    n_features : int, str or (int, int)
        Size of every set, from 1 to the number of features. A range such as ``"1-3"``,
        or the pair ``(1, 3)``, allows any size from the smallest to the largest one.
        `tau` then refers to the sizes of each pair of sets.
    n_alternatives : int
        Number of sets beyond the first, from 0 to 1,000,000.
    tau : float, str or Fraction, optional
        Smallest allowed dissimilarity of two sets, in [0, 1].
    max_overlap : int, optional
        Largest allowed number of common features, in place of `tau`.
    overlap : {"pairwise", "average"}, default="pairwise"
        Limit the overlap of each pair of sets, or the mean: here over the pairs of a set
        with all sets before, in simultaneous search over all pairs.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        The measure that `tau` refers to.
    given : sequence of sequence of int, default=()
        Existing sets of any size. Every new set has to differ from them, too.
    constraints : Constraints, optional
        Further conditions on every set.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries. Each set is the canonical best one
        given the sets before it; those of a :class:`BatchedBox` that are not proven are the best
        of five or more, in the order of their quality. After an infeasible one all are infeasible.

    Raises
    ------
    AltfsError
        If an argument is unknown, missing, or outside its range.

    Examples
    --------
    >>> from altfs import quality, search_sequentially
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> search_sequentially(q, n_features=2, n_alternatives=2, tau=1).sets
    [(0, 1), (2, 3), ()]
    """
    problem = request_of(arguments, further=("solver", "random_state")).problem(quality)
    allowed = checked_limits(limits)
    check_whole("random_state", random_state, 0)
    return Sequential(named_solver(solver, int(random_state))).search(problem, allowed)
