"""Exact solver for ratio qualities (CFS)."""

from __future__ import annotations

import numpy as np

from altfs._numbers import IntArray
from altfs.quality import Ratio
from altfs.quality.pairs import MORE_BITS, RATIO_BITS
from altfs.solvers.base import solvers
from altfs.solvers.pair_costs._listing import Listing, ListingGoal, Numbers, Rows, good_sets
from altfs.solvers.pair_costs._ratios import Exact
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource


class RatioSource(PairSource):
    """Sets whose value is the sum of gains over the root of a sum of costs."""

    kind = Ratio
    quality: Ratio

    def all_numbers(self) -> Numbers:
        gains, costs, unit = self.quality.integers
        costs = costs.copy()
        np.fill_diagonal(costs, unit)
        return Numbers(gains, costs, 0, 0, self.problem.n_features)

    def truth(self, bound: int) -> float:
        # Values are rounded down, gains and costs to the nearest.
        slack = 1 + 2.0**MORE_BITS * self.problem.n_features**2
        return (bound + self.problem.n_counted * slack) * self.quality.unit / 2.0**MORE_BITS

    def in_floats(self, numbers: Numbers) -> Numbers:
        up, down = 2.0**MORE_BITS, 2.0**RATIO_BITS
        gains = numbers.gains.astype(np.float64) * up
        base = (numbers.base_gain * up, numbers.base_cost / down)
        return Numbers(gains, numbers.costs / down, *base, numbers.n_features)

    def values(self, sets: IntArray) -> IntArray:
        exact = self.quality.exact_values([self.reduced.restore(s) for s in sets])
        return np.array([int(value) for value in exact], dtype=np.int64)

    def list_sets(
        self, numbers: Numbers, prices: IntArray | None, limits: Rows, goal: ListingGoal
    ) -> Listing:
        floats = self.in_floats(numbers)
        if prices is None:
            prices = np.zeros_like(numbers.gains)
        more, rest = divmod(numbers.base_cost, 1 << RATIO_BITS)
        base_cost = np.array([rest, more], dtype=np.int64)
        exact = Exact(numbers.gains, numbers.costs, numbers.base_gain, base_cost, prices)
        return Listing(*good_sets(floats, floats.costs / 2, exact, limits, goal))


@solvers.register("ratio")
class RatioSearch(PairSolver):
    """Exact search for sets of a ratio quality, by secants of the root."""

    qualities = (Ratio,)
    source_type = RatioSource
