"""Exact solver for qualities with a cost for every pair of features (mRMR).

In bounds each feature of a pair has half of its cost.
"""

from __future__ import annotations

import numpy as np

from altfs._numbers import IntArray
from altfs.quality import Pairwise
from altfs.solvers.base import solvers
from altfs.solvers.pair_costs._listing import Found, Goal, Numbers, Rows, good_sets
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource


class PairwiseSource(PairSource):
    """Sets whose value is the sum of gains less the costs of all pairs."""

    kind = Pairwise
    quality: Pairwise

    def all_numbers(self) -> Numbers:
        k = self.problem.n_features
        return Numbers(*self.quality.integers(k), 0, 0, k)

    def truth(self, bound: int) -> float:
        problem, quality = self.problem, self.quality
        return (bound / quality.divisor(problem.n_features) + problem.n_counted) * quality.unit

    def in_floats(self, numbers: Numbers) -> Numbers:
        gains, costs = numbers.gains.astype(np.float64), numbers.costs.astype(np.float64)
        base = (float(numbers.base_gain), float(numbers.base_cost))
        return Numbers(gains, costs, *base, numbers.n_features)

    def search(self, numbers: Numbers, prices: IntArray | None, limits: Rows, goal: Goal) -> Found:
        if prices is not None:
            numbers = numbers._replace(gains=numbers.gains - prices)
        half = numbers.costs // 2
        # Both shares of a pair add up to its cost.
        shares = half + np.triu(numbers.costs - 2 * half)
        return Found(*good_sets(numbers, shares, None, limits, goal))


@solvers.register("pairwise")
class PairwiseSearch(PairSolver):
    """Exact search for sets of a pairwise quality."""

    qualities = (Pairwise,)
    source_type = PairwiseSource
