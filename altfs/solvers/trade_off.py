"""The best families of sets for every limit of a sum of weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

import numpy as np

from altfs.problem import Family, Problem, WeightedSum
from altfs.problem.results import Status
from altfs.solvers.base import Limits, solve

# So many problems are solved at most.
_MOST_SOLVED = 100
# Weights are compared in millionths.
_UNIT = 1_000_000


@dataclass(frozen=True)
class TradeOff:
    """Families, the first of largest quality; the others have smaller weights.

    Attributes
    ----------
    families : tuple of (Family, str)
        Each with the name of the solver that found it. No other one is better and lighter.
    work : int
        The work of all solvers.
    proven : bool
        True if every family is best for its weight, and none is missing.
    """

    families: tuple[tuple[Family, str], ...]
    work: int
    proven: bool


def heaviest(family: Sequence[Sequence[int]], weights: Sequence[float]) -> Fraction:
    """Return the weight of the heaviest set of a family, exact for six decimals.

    >>> heaviest(((0, 1), (2,)), [0.25, 0.25, 0.1])
    Fraction(1, 2)
    """
    most = max(sum(round(weights[j] * _UNIT) for j in features) for features in family)
    return Fraction(most, _UNIT)


def trade_off(problem: Problem, weights: Sequence[float], limits: Limits) -> TradeOff:
    """Return the best family for every limit of the weight of its heaviest set.

    Parameters
    ----------
    problem : Problem
        With a quality that exact solvers know.
    weights : sequence of float
        Of each feature, at least 0, with six decimals at most.
    limits : Limits
        Of each call of a solver, of which there are at most 100. If these are not enough, the
        families are spread over the weights and not proven to be all.

    Raises
    ------
    UnsupportedProblemError
        If no solver has the problem.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> found = trade_off(Problem(Linear([3, 2, 1]), 1, 0), [0.5, 0.5, 0.1], Limits())
    >>> [family for family, _ in found.families], found.proven
    ([((0,),), ((2,),)], True)
    """
    work, solved, proven = 0, 0, True
    # The families that were found, by the limit that they are best for.
    points: list[tuple[tuple[Fraction, int, Family], str]] = []

    def best(most: int | None) -> int | None:
        """Return the weight of the best family within a limit; None without one."""
        nonlocal work, solved, proven
        limited = problem if most is None else within(problem, weights, Fraction(most, _UNIT))
        solution = solve(limited, limits)
        work, solved = work + solution.work, solved + 1
        proven = proven and solution.status in (Status.OPTIMAL, Status.INFEASIBLE)
        if not solution.sets:
            return None
        values = problem.quality.exact_values(solution.sets)
        value = sum(values, Fraction()) if problem.aggregation == "sum" else min(values)
        weight = int(heaviest(solution.sets, weights) * _UNIT)
        points.append(((-value, weight, solution.sets), solution.solver))
        return weight

    weight = best(None)
    # Limits whose best family is not known yet: from, to, and the value of the next larger one.
    open_limits = [] if not weight else [(0, weight - 1, points[0][0][0])]
    while open_limits:
        if solved >= _MOST_SOLVED:
            proven = False
            break
        low, high, above = open_limits.pop(int(np.argmax([b - a for a, b, _ in open_limits])))
        # The next lighter family comes first, as there may be few.
        middle = high if solved < _MOST_SOLVED // 2 else (low + high) // 2
        weight = best(middle)
        if weight is None:
            rest = [(middle + 1, high, above)]
        else:
            value = points[-1][0][0]
            rest = [(low, weight - 1, value), (middle + 1, high, above)]
            if value == above:
                # Families between the two are no better than this lighter one.
                rest.pop()
        open_limits += [(a, b, v) for a, b, v in rest if a <= b]
    points.sort(key=lambda point: point[0])
    families: list[tuple[Family, str]] = []
    least = inf
    for (_, weight_of, family), solver in points:
        if weight_of < least:
            least = weight_of
            families.append((family, solver))
    return TradeOff(tuple(families), work, proven)


def below(problem: Problem, weights: Sequence[float], weight: Fraction) -> Problem:
    """Return the problem in which every set is lighter than a weight above 0."""
    return within(problem, weights, weight - Fraction(1, _UNIT))


def within(problem: Problem, weights: Sequence[float], most: Fraction) -> Problem:
    """Return the problem in which no set is heavier than a weight."""
    # Whole numbers are added exactly.
    whole = {j: float(w) for j in range(len(weights)) if (w := round(weights[j] * _UNIT))}
    if not whole:
        return problem
    constraints = problem.constraints
    sums = (*constraints.sums, WeightedSum(whole, at_most=float(most * _UNIT)))
    return replace(problem, constraints=constraints.model_copy(update={"sums": sums}))
