"""A quality floor that is a share of the best set's, as a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf, nextafter

from altfs.constraints import Constraints
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear, Quality
from altfs.results import Status
from altfs.solvers import Limits, solve


def with_floor(
    quality: Quality,
    n_features: int,
    constraints: Constraints,
    limits: Limits,
    max_overlap: int | None = None,
    given: tuple[FeatureIndices, ...] = (),
) -> Constraints:
    """Constraints with `quality_floor` in place of `relative_floor`.

    Parameters
    ----------
    quality : Quality
    n_features : int
    constraints : Constraints
        Come back as they are without a relative floor.
    limits : Limits
        For the search of the best set.
    max_overlap : int, optional
        With the `given` sets; needed where there are some.
    given : tuple of tuple of int, default=()

    Raises
    ------
    AltfsError
        If the quality is not linear, or the best set is not found within the limits.

    Examples
    --------
    >>> with_floor(Linear([3.0, 1.0]), 1, Constraints(relative_floor=0.5), Limits()).quality_floor
    1.5
    """
    share = constraints.relative_floor
    if share is None:
        return constraints
    constraints.check(quality.n_total)
    others = replace(constraints, relative_floor=None)
    if not isinstance(quality, Linear):
        raise AltfsError(
            "relative_floor: the best set of a "
            f"{type(quality).__name__} quality is not known beforehand, use a number as "
            "quality_floor."
        )
    overlap = n_features if max_overlap is None else max_overlap
    problem = Problem(quality, n_features, overlap, given=given, constraints=others)
    found = solve(problem, limits)
    if found.status is Status.INFEASIBLE:
        # Without any set there is no floor, and none is needed.
        return others
    if found.status is not Status.OPTIMAL:
        raise AltfsError(
            f"relative_floor: the best set of {n_features} features was not found within the work "
            "limit, raise it or use a number as quality_floor."
        )
    return replace(others, quality_floor=_share(quality, found.sets[0], share))


def _share(quality: Linear, best: Sequence[int], share: float) -> float:
    """A share of the best set's quality, rounded down."""
    whole = Fraction(quality.evaluate(best))
    least = whole - (1 - Fraction(repr(float(share)))) * abs(whole)
    floor = float(least)
    return nextafter(floor, -inf) if Fraction(floor) > least else floor
