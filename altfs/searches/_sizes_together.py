"""Simultaneous search among sets of several sizes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from time import perf_counter

import numpy as np

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.results import NAN, SearchResult, Status
from altfs.searches._sizes import best_of_sizes, search_sizes
from altfs.sized_problem import RangeProblem
from altfs.solvers import Limits, Solution, solve
from altfs.solvers._size_pool import best_of_pool
from altfs.solvers._size_vectors import best_of_vectors, check_ways


def search_sizes_together(problem: RangeProblem, limits: Limits) -> SearchResult:
    """Find sets at once, each of any of some sizes.

    Parameters
    ----------
    problem : RangeProblem
    limits : Limits
        For every size alone, and as much for the families of several sizes.

    Returns
    -------
    SearchResult
        `n_features` is the largest size. The canonical best family
        (:mod:`altfs.sized_problem`), the smallest sets first. Of a wrapper: the best
        of what sequential search and simultaneous ones for sets of one size find.

    Raises
    ------
    AltfsError
        If the sizes can be shared out in too many ways, or no solver carries the
        quality and the constraints.
    """
    start = perf_counter()
    if problem.n_sets == 1:
        solution = best_of_sizes(
            problem.quality, problem.overlap, limits, problem.given,
            dict.fromkeys(problem.sizes, problem.constraints),
        )  # fmt: skip
    elif isinstance(problem.quality, Linear):
        check_ways(problem)
        solution = best_of_vectors(problem, limits, _in_turn(problem, limits))
    elif isinstance(problem.quality, Pairwise | Ratio):
        name = "pairwise" if isinstance(problem.quality, Pairwise) else "ratio"
        found = best_of_pool(problem, limits, lambda: _known(problem, limits))
        solution = replace(found, solver=name)
    elif isinstance(problem.quality, BlackBox):
        solution = _best_known(problem, limits, problem.quality)
    else:
        raise UnsupportedProblemError(
            "search: no solver can handle sets of several sizes at once of a "
            f"{type(problem.quality).__name__} quality, use one size or the search 'sequential'."
        )
    return _result(problem, solution, perf_counter() - start)


def _known(problem: RangeProblem, limits: Limits) -> list[tuple[FeatureIndices, ...]]:
    """Families of sets of one size, and the sets of sequential search, as many as there are."""
    known = [solve(problem.of_size(k, problem.n_sets), limits).sets for k in problem.sizes]
    known.append(_in_turn(problem, limits))
    if all(len(family) < problem.n_sets for family in known):
        # Where sizes can be shared out in too many ways nothing is known, then.
        with suppress(AltfsError):
            known.append(_any(problem, limits).sets)
    return known


def _in_turn(problem: RangeProblem, limits: Limits) -> tuple[FeatureIndices, ...]:
    """The sets of sequential search, as many as there are."""
    result = search_sizes(
        problem.quality, n_alternatives=problem.n_sets - 1, overlap=problem.overlap,
        limits=limits, given=problem.given,
        constraints=dict.fromkeys(problem.sizes, problem.constraints),
    )  # fmt: skip
    return tuple(s for s in result.sets if s)


def number_of_sets(problem: RangeProblem, limits: Limits) -> tuple[int, bool]:
    """How many sets there are together, of those asked for, and whether there are no more.

    Parameters
    ----------
    problem : RangeProblem
    limits : Limits
        For every number of sets that is tried.
    """
    for count in range(problem.n_sets):
        try:
            found = _any(replace(problem, n_sets=count + 1), limits)
        except AltfsError:
            return count, False
        if not found.sets:
            return count, found.status is Status.INFEASIBLE
    return problem.n_sets, False


def _any(problem: RangeProblem, limits: Limits) -> Solution:
    """Some family, whatever its quality."""
    quality = problem.quality
    if not isinstance(quality, Linear):
        quality = Linear(np.zeros(quality.n_total))
    return best_of_vectors(
        replace(problem, quality=quality, aggregation="sum"), limits, exists=True
    )


def _best_known(problem: RangeProblem, limits: Limits, quality: BlackBox) -> Solution:
    """The best of the families that are found without a proof."""

    def objective(family: tuple[FeatureIndices, ...]) -> float:
        values = [quality.evaluate(s) for s in family]
        return sum(values) if problem.aggregation == "sum" else min(values)

    times = problem.n_sets if problem.aggregation == "sum" else 1
    bound = times * quality.upper_bound
    families = [f for f in _known(problem, limits) if len(f) == problem.n_sets]
    if not families:
        if number_of_sets(problem, limits)[1]:
            return Solution(Status.INFEASIBLE, (), NAN, 0)
        return Solution(Status.UNKNOWN, (), bound, 0)
    best = max(families, key=objective)
    ordered = tuple(sorted(best, key=lambda s: (len(s), s)))
    return Solution(Status.FEASIBLE, ordered, bound, 0, "hill_climbing")


def _result(problem: RangeProblem, solution: Solution, seconds: float) -> SearchResult:
    n_sets, found = problem.n_sets, solution.sets
    values = [problem.quality.evaluate(s) for s in found] or [NAN] * n_sets
    bound = NAN if solution.status is Status.INFEASIBLE else solution.bound
    objective = sum(values) if problem.aggregation == "sum" else min(values)
    return SearchResult(
        sets=list(found) or [()] * n_sets,
        objectives=values,
        status=[solution.status] * n_sets,
        bound=[NAN] * n_sets,
        n_features=problem.sizes[-1],
        n_alternatives=n_sets - 1,
        aggregation=problem.aggregation,
        run_objective=objective if found else NAN,
        run_bound=bound,
        work=[solution.work] * n_sets,
        solvers=[solution.solver] * n_sets,
        seconds=[seconds] * n_sets,
    )
