"""Quality floors: shares of the best set's quality, and those that a solver does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Quality
from altfs.solvers.base import Limits, Solution, solve

# Smaller differences are rounding, as a share of the floor.
_ROUNDING = 1e-9


def above_floor(problem: Problem, solve_free: Callable[[Problem], Solution]) -> Solution:
    """Return the answer to a problem with a floor, by answers to problems without one.

    The best set without a floor answers alone, and so does the family whose worst set is best. If
    the family of the largest sum has a set below the floor, that family takes its place: it is
    valid, and the bound is that of the largest sum.

    Parameters
    ----------
    problem : Problem
        Of a quality that is no sum of values of features.
    solve_free : callable
        A function of a problem without a floor that returns its solution.
    """
    floor = problem.evaluated_floor
    assert floor is not None
    constraints = problem.constraints.model_copy(update={"quality_floor": None})
    free = replace(problem, constraints=constraints)
    solution = solve_free(free)
    if _reaches(problem, solution) or solution.status is Status.INFEASIBLE:
        return solution
    bound, work = solution.bound, solution.work
    if problem.n_counted > 1:
        try:
            solution = solve_free(replace(free, aggregation="min"))
        except UnsupportedProblemError:
            return Solution(Status.UNKNOWN, (), bound, work, solution.solver)
        work += solution.work
        if _reaches(problem, solution):
            return replace(solution, status=Status.FEASIBLE, bound=bound, work=work)
    # The bound of a single set, or of the worst one of a family.
    if solution.bound < floor - _ROUNDING * max(1.0, abs(floor)):
        return Solution(Status.INFEASIBLE, (), NAN, work, solution.solver)
    return Solution(Status.UNKNOWN, (), bound, work, solution.solver)


def _reaches(problem: Problem, solution: Solution) -> bool:
    floor = problem.constraints.quality_floor
    assert floor is not None
    return bool(solution.sets) and all(problem.quality.reaches(s, floor) for s in solution.sets)


def with_floor(problem: Problem, limits: Limits) -> Problem:
    """Return a problem with `quality_floor` in place of `relative_floor`.

    Parameters
    ----------
    problem : Problem
        Returned as it is without a relative floor. With several sizes, the floor is a
        share of the best set of any size.
    limits : Limits
        For the search of the best set of each size.

    Raises
    ------
    AltfsError
        If the quality is a black box, or the best set is not found within the limits.

    Examples
    --------
    >>> from altfs.problem import Constraints
    >>> from altfs.quality import Linear
    >>> half = Constraints(relative_floor=0.5)
    >>> problem = Problem(Linear([3.0, 1.0]), 1, overlap=0, constraints=half)
    >>> with_floor(problem, Limits()).constraints.quality_floor
    1.5
    """
    share = problem.constraints.relative_floor
    if share is None:
        return problem
    quality = problem.quality
    if not quality.exact:
        reason = f"the best set of a {type(quality).__name__} quality is not known beforehand"
        raise AltfsError("relative_floor", reason, "use a number as quality_floor")
    others = problem.constraints.model_copy(update={"relative_floor": None})
    floors = []
    for size in problem.sizes:
        single = replace(problem.of_size(size, 1), aggregation="sum", constraints=others)
        solution = solve(single, limits)
        if solution.status is Status.INFEASIBLE:
            continue
        if solution.status is not Status.OPTIMAL:
            reason = f"the best set of {size} features was not found within `work`"
            raise AltfsError("relative_floor", reason, "raise it or use a number as quality_floor")
        floors.append(share_of(quality, solution.sets[0], share))
    constraints = others.model_copy(update={"quality_floor": max(floors, default=None)})
    return replace(problem, constraints=constraints)


def share_of(quality: Quality, best: Sequence[int], share: float) -> float:
    """Return a share of the best set's quality, rounded down.

    It is below the quality by ``1 - share`` times its absolute value.
    """
    whole = Fraction(quality.evaluate(best))
    least = whole - (1 - Fraction(repr(float(share)))) * abs(whole)
    floor = float(least)
    return nextafter(floor, -inf) if Fraction(floor) > least else floor
