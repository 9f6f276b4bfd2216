"""Exact solver for ratio qualities (CFS)."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.problem import Problem
from altfs.quality import Ratio
from altfs.quality.pairs import MORE_BITS, RATIO_BITS
from altfs.solvers.base import solvers
from altfs.solvers.listed.listing import Found, Goal, Rows
from altfs.solvers.pair_costs._ratios import good_ratios
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import Reduced


class RatioSource(PairSource):
    """Sets whose value is the sum of gains over the root of a sum of costs."""

    kind = Ratio

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        super().__init__(problem, reduced)
        quality = problem.quality
        assert isinstance(quality, Ratio)
        self.quality = quality
        gains, costs, one = quality.integers
        include, free = np.array(reduced.include, dtype=np.int64), reduced.features
        self.gains = gains[free]
        self.costs = costs[np.ix_(free, free)]
        np.fill_diagonal(self.costs, one + costs[np.ix_(free, include)].sum(axis=1))
        self.base_gain = int(gains[include].sum())
        self.base_cost = len(include) * one + _total(costs[np.ix_(include, include)]) // 2

    def truth(self, bound: int) -> float:
        # Values are rounded down, gains and costs to the nearest.
        slack = 1 + 2.0**MORE_BITS * self.problem.n_features**2
        return (bound + self.problem.n_counted * slack) * self.quality.unit / 2.0**MORE_BITS

    def value_of_nothing(self) -> int:
        return int(self.quality.exact_values([self.reduced.include])[0])

    def values(self, sets: IntArray) -> IntArray:
        exact = self.quality.exact_values([self.reduced.restore(s) for s in sets])
        return np.array([int(value) for value in exact], dtype=np.int64)

    def in_floats(self) -> tuple[FloatArray, FloatArray, float, float, bool]:
        gains = self.gains.astype(np.float64) * 2.0**MORE_BITS
        costs = self.costs / 2.0**RATIO_BITS
        base_gain, base_cost = self.base_gain * 2.0**MORE_BITS, self.base_cost / 2.0**RATIO_BITS
        return gains, costs, base_gain, base_cost, True

    def run(self, limits: Rows, goal: Goal, prices: IntArray | None = None) -> Found:
        if prices is None:
            prices = np.zeros(self.n, dtype=np.int64)
        base_cost = _in_two(self.base_cost)
        return Found(*good_ratios(
            self.gains, self.costs, self.base_gain, base_cost, prices, *limits, self.k, *goal
        ))  # fmt: skip

    def run_within(self, fixed: IntArray, free: IntArray, limits: Rows, goal: Goal) -> Found:
        costs = self.costs[np.ix_(free, free)]
        np.fill_diagonal(costs, costs.diagonal() + self.costs[np.ix_(free, fixed)].sum(axis=1))
        among = self.costs[np.ix_(fixed, fixed)]
        cost = self.base_cost + (_total(among) + _total(among.diagonal())) // 2
        prices = np.zeros(len(free), dtype=np.int64)
        return Found(*good_ratios(
            self.gains[free], costs, self.base_gain + int(self.gains[fixed].sum()), _in_two(cost),
            prices, *limits, self.k - len(fixed), *goal,
        ))  # fmt: skip


@solvers.register("ratio")
class RatioSearch(PairSolver):
    """Exact search for sets of a ratio quality, by secants of the root."""

    source_type = RatioSource


def _total(costs: IntArray) -> int:
    """Return the sum, which can have more than 63 bits."""
    high = costs >> RATIO_BITS
    return (int(high.sum()) << RATIO_BITS) + int((costs - (high << RATIO_BITS)).sum())


def _in_two(cost: int) -> IntArray:
    """Split a large cost into two numbers: the rest, and how many times it is 1."""
    more, rest = divmod(cost, 1 << RATIO_BITS)
    return np.array([rest, more], dtype=np.int64)
