"""Exact solver for qualities with a cost for every pair of features (mRMR)."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.problem import Problem
from altfs.quality import Pairwise
from altfs.solvers.base import solvers
from altfs.solvers.listed.listing import Found, Goal, Rows
from altfs.solvers.pair_costs._pairs import good_subsets, split_costs
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import Reduced

_ROUNDS = 100


class PairwiseSource(PairSource):
    """Sets whose value is the sum of gains less the costs of all pairs."""

    kind = Pairwise

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        super().__init__(problem, reduced)
        quality = problem.quality
        assert isinstance(quality, Pairwise)
        self.quality = quality
        gains, costs = quality.integers(problem.n_features)
        include, free = np.array(reduced.include, dtype=np.int64), reduced.features
        self.offset = int(gains[include].sum() - costs[np.ix_(include, include)].sum() // 2)
        self.gains = gains[free] - costs[np.ix_(free, include)].sum(axis=1)
        self.costs = np.ascontiguousarray(costs[np.ix_(free, free)])
        # There is nothing to split if every feature is decided.
        rounds = _ROUNDS if self.n else 0
        self.shares = split_costs(self.gains, self.costs, max(self.k, 1), rounds)
        # The split for the last prices is needed again.
        self.split = (self.gains, self.shares)

    def truth(self, bound: int) -> float:
        problem, quality = self.problem, self.quality
        return (bound / quality.divisor(problem.n_features) + problem.n_counted) * quality.unit

    def value_of_nothing(self) -> int:
        return self.offset

    def values(self, sets: IntArray) -> IntArray:
        pairs = self.costs[sets[:, :, None], sets[:, None, :]].sum(axis=(1, 2)) // 2
        worth: IntArray = self.gains[sets].sum(axis=1) - pairs + self.offset
        return worth

    def in_floats(self) -> tuple[FloatArray, FloatArray, float, float, bool]:
        return self.gains.astype(np.float64), self.costs.astype(np.float64), 0.0, 0.0, False

    def run(self, limits: Rows, goal: Goal, prices: IntArray | None = None) -> Found:
        gains, shares = self.gains, self.shares
        if prices is not None:
            # The split of the costs is worth nothing with other gains.
            gains = gains - prices
            if not np.array_equal(self.split[0], gains):
                self.split = (gains, split_costs(gains, self.costs, self.k, _ROUNDS))
            shares = self.split[1]
        return Found(*good_subsets(gains, self.costs, shares, *limits, self.k, *goal))

    def run_within(self, fixed: IntArray, free: IntArray, limits: Rows, goal: Goal) -> Found:
        gains = self.gains[free] - self.costs[np.ix_(free, fixed)].sum(axis=1)
        base = int(self.gains[fixed].sum()) - int(self.costs[np.ix_(fixed, fixed)].sum()) // 2
        part, k = np.ix_(free, free), self.k - len(fixed)
        goal = goal._replace(threshold=goal.threshold - base)
        found = Found(*good_subsets(gains, self.costs[part], self.shares[part], *limits, k, *goal))
        return found._replace(values=found.values + base, reached=found.reached + base)


@solvers.register("pairwise")
class PairwiseSearch(PairSolver):
    """Exact search for sets of a pairwise quality."""

    source_type = PairwiseSource
