"""Sequential search among sets of several sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isnan
from time import perf_counter

from altfs.constraints import Constraints
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Quality
from altfs.results import NAN, SearchResult, Status
from altfs.sized_problem import Overlap, with_given
from altfs.solvers import Limits, Solution, solve
from altfs.solvers._all_best import exact_value


def search_sizes(
    quality: Quality,
    *,
    n_alternatives: int,
    overlap: Overlap,
    limits: Limits,
    given: tuple[FeatureIndices, ...],
    constraints: Mapping[int, Constraints],
) -> SearchResult:
    """Find sets one after the other, each the best of any of some sizes.

    Parameters
    ----------
    quality : Quality
    n_alternatives : int
    overlap : callable
        Takes the sizes of two sets; judged for every pair of sets by itself.
    limits : Limits
        For every size of every set.
    given : tuple of tuple of int
        Of any size.
    constraints : mapping of int to Constraints
        For every size that a set may have; `include` and `exclude` are the same for all.

    Returns
    -------
    SearchResult
        `n_features` is the largest size. Of sets that are equally good, in the
        scaled numbers of the solvers, the smallest one is taken, then the first one.
        A set is ``optimal`` if it is proven for every size that none is better.
    """
    result = SearchResult([], [], [], [], max(constraints), n_alternatives, "none")
    while len(result.sets) <= n_alternatives:
        start = perf_counter()
        if result.status and result.status[-1] is Status.INFEASIBLE:
            best = Solution(Status.INFEASIBLE, (), NAN, 0)
        else:
            before = (*given, *(s for s in result.sets if s))
            best = best_of_sizes(quality, overlap, limits, before, constraints)
        found = best.sets[0] if best.sets else ()
        result.sets.append(found)
        result.objectives.append(quality.evaluate(found) if found else NAN)
        result.status.append(best.status)
        result.bound.append(best.bound)
        result.work.append(best.work)
        result.solvers.append(best.solver)
        result.seconds.append(perf_counter() - start)
    return result


def best_of_sizes(
    quality: Quality,
    overlap: Overlap,
    limits: Limits,
    before: Sequence[FeatureIndices],
    constraints: Mapping[int, Constraints],
) -> Solution:
    """The best set of any of some sizes, see :func:`search_sizes`."""
    solutions = [
        solve(sized_problem(quality, k, overlap, before, wanted), limits)
        for k, wanted in sorted(constraints.items())
    ]
    work = sum(one.work for one in solutions)
    bound = max((one.bound for one in solutions if not isnan(one.bound)), default=NAN)
    found = [one for one in solutions if one.sets]
    if not found:
        none = all(one.status is Status.INFEASIBLE for one in solutions)
        return Solution(Status.INFEASIBLE if none else Status.UNKNOWN, (), bound, work)
    # The first of the largest values is that of the smallest size.
    wanted = next(iter(constraints.values()))
    best = max(found, key=lambda one: _value(quality, one.sets[0], wanted))
    objective = quality.evaluate(best.sets[0])
    proven = best.status is Status.OPTIMAL and all(
        one.status in (Status.OPTIMAL, Status.INFEASIBLE) or one.bound < objective
        for one in solutions
    )
    status = Status.OPTIMAL if proven else Status.FEASIBLE
    return replace(best, status=status, bound=bound, work=work)


def sized_problem(
    quality: Quality,
    n_features: int,
    overlap: Overlap,
    before: Sequence[FeatureIndices],
    constraints: Constraints,
) -> Problem:
    """The problem of one set of a size; sets to differ from are groups of at most so many."""
    wanted = with_given(constraints, before, n_features, overlap)
    return Problem(quality, n_features, n_features, constraints=wanted)


def _value(quality: Quality, chosen: FeatureIndices, constraints: Constraints) -> Fraction:
    return exact_value(Problem(quality, len(chosen), len(chosen), constraints=constraints), chosen)
