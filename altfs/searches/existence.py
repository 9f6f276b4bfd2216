"""Existence of feature sets, whatever their quality."""

from __future__ import annotations

from dataclasses import replace

from altfs.problem import Aggregation, Problem
from altfs.problem.results import Status
from altfs.solvers import Limits, solve


def families_exist(problem: Problem, n_sets: int, limits: Limits) -> bool | None:
    """Return True if `n_sets` sets of one size exist, of any quality; None if it is not known.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> families_exist(Problem(Linear([1.0] * 5), 2, overlap=0), 3, Limits())
    False
    """
    if problem.evaluated_floor is not None:
        # Only evaluation tells which sets of a black box reach a floor.
        return sets_exist(problem, n_sets, limits, False) if problem.quality.exact else None
    return sets_exist(problem.without_values(), n_sets, limits, blind=False)


def sets_exist(problem: Problem, n_sets: int, limits: Limits, blind: bool) -> bool | None:
    """Return True if `n_sets` sets of a problem without values exist; None if it is not known.

    With `blind` nothing is known of the floor that the sets have to reach.
    """
    floor = problem.constraints.quality_floor is not None
    aggregation: Aggregation = "min" if floor else "sum"
    status = solve(replace(problem, n_sets=n_sets, aggregation=aggregation), limits).status
    if status is Status.UNKNOWN:
        return None
    if status is Status.INFEASIBLE:
        return False
    return None if blind else True
