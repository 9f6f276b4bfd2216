"""Exact solver for ratio qualities (CFS)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isqrt

import numpy as np

from altfs._pair_quality import RATIO_BITS
from altfs.problem import Problem
from altfs.quality import Ratio
from altfs.solvers._exact_ratios import MORE_BITS
from altfs.solvers._listing import SOME
from altfs.solvers._ratios import good_ratios
from altfs.solvers._reduced import Reduced
from altfs.solvers._source import BoolArray, IntArray, PairSolver, PairSource
from altfs.solvers._walk import walk
from altfs.solvers.base import solvers


def exact_value(quality: Ratio, chosen: Sequence[int]) -> int:
    """The ratio of a set as an integer, rounded down; exact arithmetic throughout.

    Examples
    --------
    >>> exact_value(Ratio([1.0, 1.0], np.zeros((2, 2))), [0]) == 2**38
    True
    """
    gains, costs, one = quality.integers
    gain = sum(int(gains[j]) for j in chosen)
    cost = len(chosen) * one + sum(int(costs[i, j]) for i, j in combinations(chosen, 2))
    return isqrt((gain * gain * one << 2 * MORE_BITS) // cost)


@solvers.register("ratio")
class RatioSearch(PairSolver):
    """As for pairwise qualities; single sets by branch and bound on secants of the root."""

    quality = Ratio

    @staticmethod
    def source_of(problem: Problem, reduced: Reduced) -> PairSource:
        return _Source(problem, reduced)


class _Source(PairSource):
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
        problem = self.problem
        sets = problem.n_sets if problem.aggregation == "sum" else 1
        # Values are rounded down, gains and costs to the nearest.
        slack = 1 + 2.0**MORE_BITS * problem.n_features**2
        return (bound + sets * slack) * self.quality.unit / 2.0**MORE_BITS

    def value_of_nothing(self) -> int:
        return exact_value(self.quality, self.reduced.include)

    def values(self, sets: IntArray) -> IntArray:
        exact = [exact_value(self.quality, self.reduced.restore(s)) for s in sets]
        return np.array(exact, dtype=np.int64)

    def walked(self, family: IntArray, max_overlap: int, steps: int, seed: int) -> IntArray:
        rows, room = self._rows([])
        found: IntArray = walk(
            family, self.gains.astype(np.float64) * 2.0**MORE_BITS,
            self.costs.astype(np.float64) / 2.0**RATIO_BITS, self.base_gain * 2.0**MORE_BITS,
            self.base_cost / 2.0**RATIO_BITS, True, rows, room, max_overlap, steps, seed,
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
        if prices is None:
            prices = np.zeros(self.n, dtype=np.int64)
        found: tuple[IntArray, IntArray, int, int] = good_ratios(
            self.gains, self.costs, self.base_gain, _in_two(self.base_cost), prices, rows, room,
            self.k, threshold, wanted, most, node_limit,
        )  # fmt: skip
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
        costs = self.costs[np.ix_(free, free)]
        np.fill_diagonal(costs, costs.diagonal() + self.costs[np.ix_(free, fixed)].sum(axis=1))
        among = self.costs[np.ix_(fixed, fixed)]
        cost = self.base_cost + (_total(among) + _total(among.diagonal())) // 2
        sets, _, reached, nodes = good_ratios(
            self.gains[free], costs, self.base_gain + int(self.gains[fixed].sum()), _in_two(cost),
            np.zeros(len(free), dtype=np.int64), rows, room, self.k - len(fixed), threshold,
            SOME, 1, node_limit,
        )  # fmt: skip
        return sets, reached <= threshold, nodes


def _total(costs: IntArray) -> int:
    """Their sum, which can have more than 63 bits."""
    high = costs >> RATIO_BITS
    return (int(high.sum()) << RATIO_BITS) + int((costs - (high << RATIO_BITS)).sum())


def _in_two(cost: int) -> IntArray:
    """A large cost as two numbers: the rest, and how many times it is 1."""
    more, rest = divmod(cost, 1 << RATIO_BITS)
    return np.array([rest, more], dtype=np.int64)
