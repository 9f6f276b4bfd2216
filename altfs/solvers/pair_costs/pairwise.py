"""Exact solver for qualities with a cost for every pair of features (mRMR).

The cost of a pair is split between its two features. The quality of the bound depends on
the split, which `split_costs` tunes.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import IntArray
from altfs.problem import Problem
from altfs.quality import Pairwise
from altfs.solvers.base import solvers
from altfs.solvers.pair_costs._listing import Found, Goal, Numbers, Rows, good_sets
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import Reduced

_ROUNDS = 100


class PairwiseSource(PairSource):
    """Sets whose value is the sum of gains less the costs of all pairs."""

    kind = Pairwise
    quality: Pairwise

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        super().__init__(problem, reduced)
        gains, costs = self.numbers.gains, self.numbers.costs
        # A cost of a pair with an included feature is a cost of the other feature.
        gains -= costs.diagonal()
        np.fill_diagonal(costs, 0)
        self.shares = self._split(gains)
        # The split for the last prices is needed again.
        self.last = (gains, self.shares)

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

    def search(
        self, numbers: Numbers, free: IntArray, prices: IntArray | None, limits: Rows, goal: Goal
    ) -> Found:
        shares = self.shares[np.ix_(free, free)]
        if prices is not None:
            # With other gains another split is better.
            gains = numbers.gains - prices
            numbers = numbers._replace(gains=gains)
            if not np.array_equal(self.last[0], gains):
                self.last = (gains, self._split(gains))
            shares = self.last[1]
        return Found(*good_sets(numbers, shares, None, limits, goal))

    def _split(self, gains: IntArray) -> IntArray:
        # There is nothing to split if every feature is decided.
        rounds = _ROUNDS if self.n else 0
        return split_costs(gains, self.numbers.costs, max(self.k, 1), rounds)


@solvers.register("pairwise")
class PairwiseSearch(PairSolver):
    """Exact search for sets of a pairwise quality."""

    qualities = (Pairwise,)
    source_type = PairwiseSource


@compiled()
def split_costs(gains: IntArray, costs: IntArray, n_features: int, rounds: int) -> IntArray:
    """Split the cost of each pair so that the bound of the whole problem is small.

    Entry (j, other) of the answer is the share of j. Both shares add up to the cost of the pair.
    """
    n = gains.size
    k = n_features
    shares = costs / 2.0
    best = shares.copy()
    best_bound = np.inf
    nearest = np.zeros((n, max(k - 1, 1)), dtype=np.int64)
    scores = np.zeros(n)
    step = 0.0
    for iteration in range(rounds):
        for j in range(n):
            filled = 0
            for other in range(n):
                if other == j:
                    continue
                if filled < k - 1:
                    p = filled
                    filled += 1
                elif k > 1 and shares[j, other] < shares[j, nearest[j, k - 2]]:
                    p = k - 2
                else:
                    continue
                while p > 0 and shares[j, nearest[j, p - 1]] > shares[j, other]:
                    nearest[j, p] = nearest[j, p - 1]
                    p -= 1
                nearest[j, p] = other
            scores[j] = gains[j]
            for p in range(k - 1):
                scores[j] -= shares[j, nearest[j, p]]
        order = np.argsort(-scores)[:k]
        bound = scores[order].sum()
        if iteration == 0:
            step = max(costs.max() * 0.25, 1.0)
        if bound < best_bound:
            best_bound = bound
            copy_into(best, shares)
        for j in order:
            for p in range(k - 1):
                other = nearest[j, p]
                shares[j, other] += step
                shares[other, j] -= step
        step *= 0.97
    result = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        for other in range(j):
            result[j, other] = np.int64(np.round(best[j, other]))
            result[other, j] = costs[j, other] - result[j, other]
    return result
