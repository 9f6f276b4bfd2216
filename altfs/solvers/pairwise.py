"""Exact solver for qualities with a cost for every pair of features (mRMR)."""

from __future__ import annotations

import numpy as np

from altfs.problem import Problem
from altfs.quality import Pairwise
from altfs.solvers._listing import SOME
from altfs.solvers._pairs import good_subsets, split_costs
from altfs.solvers._reduced import Reduced
from altfs.solvers._source import BoolArray, IntArray, PairSolver, PairSource
from altfs.solvers._walk import walk
from altfs.solvers.base import solvers

_ROUNDS = 100


@solvers.register("pairwise")
class PairwiseSearch(PairSolver):
    """One set by branch and bound, several by listing good sets and picking the best T.

    Proves or ends at its limit, then with a bound.
    """

    quality = Pairwise

    @staticmethod
    def source_of(problem: Problem, reduced: Reduced) -> PairSource:
        return _Source(problem, reduced)


class _Source(PairSource):
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
        # Where every feature is decided there is nothing to split.
        rounds = _ROUNDS if self.n else 0
        self.shares = split_costs(self.gains, self.costs, max(self.k, 1), rounds)
        # The last prices' split is asked for again.
        self.split = (self.gains, self.shares)

    def truth(self, bound: int) -> float:
        problem, quality = self.problem, self.quality
        sets = problem.n_sets if problem.aggregation == "sum" else 1
        return (bound / quality.divisor(problem.n_features) + sets) * quality.unit

    def value_of_nothing(self) -> int:
        return self.offset

    def values(self, sets: IntArray) -> IntArray:
        pairs = self.costs[sets[:, :, None], sets[:, None, :]].sum(axis=(1, 2)) // 2
        worth: IntArray = self.gains[sets].sum(axis=1) - pairs + self.offset
        return worth

    def walked(self, family: IntArray, max_overlap: int, steps: int, seed: int) -> IntArray:
        rows, room = self._rows([])
        found: IntArray = walk(
            family, self.gains.astype(np.float64), self.costs.astype(np.float64), 0.0, 0.0, False,
            rows, room, max_overlap, steps, seed,
        )[0]  # fmt: skip
        return found

    def run(
        self,
        rows: BoolArray,
        room: IntArray,
        threshold: int,
        wanted: int,
        most: int,
        node_limit: int,
        prices: IntArray | None = None,
    ) -> tuple[IntArray, IntArray, int, int]:
        gains, shares = self.gains, self.shares
        if prices is not None:
            # The split of the costs is worth nothing with other gains.
            gains = gains - prices
            if not np.array_equal(self.split[0], gains):
                self.split = (gains, split_costs(gains, self.costs, self.k, _ROUNDS))
            shares = self.split[1]
        found: tuple[IntArray, IntArray, int, int] = good_subsets(
            gains, self.costs, shares, rows, room, self.k, threshold, wanted, most, node_limit
        )
        return found

    def run_within(
        self,
        fixed: IntArray,
        free: IntArray,
        rows: BoolArray,
        room: IntArray,
        threshold: int,
        node_limit: int,
    ) -> tuple[IntArray, bool, int]:
        gains = self.gains[free] - self.costs[np.ix_(free, fixed)].sum(axis=1)
        base = int(self.gains[fixed].sum()) - int(self.costs[np.ix_(fixed, fixed)].sum()) // 2
        part, wanted = np.ix_(free, free), threshold - base
        sets, _, reached, nodes = good_subsets(
            gains, self.costs[part], self.shares[part], rows, room, self.k - len(fixed), wanted,
            SOME, 1, node_limit,
        )  # fmt: skip
        return sets, reached <= wanted, nodes
