"""Costs of shared features where the mean overlap or dissimilarity of sets is limited."""

from __future__ import annotations

from fractions import Fraction
from math import comb, floor, gcd, lcm
from typing import NamedTuple

from altfs.problem.problem import Problem


class MeanCosts(NamedTuple):
    """Costs of shared features, in the smallest whole numbers in proportion to the mean.

    Entry c of a list is for c shared features; the first one is 0, and none falls.
    """

    #: Of two new sets; zeros if there is one new set.
    among: list[int]
    #: Of a new set and each given one.
    given: list[list[int]]
    #: The largest sum over all pairs.
    room: int


def mean_costs(problem: Problem) -> MeanCosts:
    """Return the costs of shared features in a problem whose mean is limited.

    Examples
    --------
    >>> from altfs.problem import Overlap
    >>> from altfs.quality import Linear
    >>> problem = Problem(Linear([1, 2, 3]), 2, Overlap(0.5), 2, given=((0,),), average=True)
    >>> mean_costs(problem)
    MeanCosts(among=[0, 3, 6], given=[[0, 4]], room=9)
    """
    k, n_sets = problem.n_features, problem.n_sets
    numbers = [comb(n_sets, 2), *(n_sets for _ in problem.given)]
    excesses = [problem.overlap.excesses(k, size) for size in (k, *map(len, problem.given))]
    above = [
        [(excess - each[0]) * (n > 0) for excess in each]
        for n, each in zip(numbers, excesses, strict=True)
    ]
    unit = Fraction(lcm(*(one.denominator for each in above for one in each)))
    unit /= gcd(*(int(one * unit) for each in above for one in each)) or 1
    among, *given = [[int(one * unit) for one in each] for each in above]
    starts = sum(n * each[0] for n, each in zip(numbers, excesses, strict=True))
    return MeanCosts(among, given, floor(-starts * unit))
