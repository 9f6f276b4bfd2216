"""Quality floors that are a share of the best set's quality, resolved to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter

from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Quality
from altfs.solvers.base import Limits, solve


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
