"""Exact solver for ratio qualities (CFS)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import ceil, isqrt

import numpy as np

from altfs.problem import Problem
from altfs.quality import Ratio
from altfs.solvers._ratios import good_ratios
from altfs.solvers._reduced import Reduced
from altfs.solvers._source import LOWEST, BoolArray, IntArray, PairSolver, PairSource
from altfs.solvers._walk import walk
from altfs.solvers.base import solvers

# Ratios are compared as integers of this many more bits than the gains have.
_MORE_BITS = 8
# Sets that rounding cannot tell apart and exact arithmetic has to.
_NEAR_TIES = 1_000


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
    return isqrt((gain * gain * one << 2 * _MORE_BITS) // cost)


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
        self.gains = gains[free].astype(np.float64) * 2.0**_MORE_BITS
        shared = costs / one
        self.costs = np.ascontiguousarray(shared[np.ix_(free, free)])
        np.fill_diagonal(self.costs, 1 + shared[np.ix_(free, include)].sum(axis=1))
        self.base = (
            float(gains[include].sum()) * 2.0**_MORE_BITS,
            len(include) + float(shared[np.ix_(include, include)].sum()) / 2,
        )

    def truth(self, bound: int) -> float:
        problem = self.problem
        sets = problem.n_sets if problem.aggregation == "sum" else 1
        # Values are rounded down, gains and costs to the nearest.
        slack = 1 + 2.0**_MORE_BITS * problem.n_features**2
        return (bound + sets * slack) * self.quality.unit / 2.0**_MORE_BITS

    def value_of_nothing(self) -> int:
        return exact_value(self.quality, self.reduced.include)

    def values(self, sets: IntArray) -> IntArray:
        exact = [exact_value(self.quality, self.reduced.restore(s)) for s in sets]
        return np.array(exact, dtype=np.int64)

    def walked(self, family: IntArray, max_overlap: int, steps: int, seed: int) -> IntArray:
        rows, room = self._rows([])
        found: IntArray = walk(
            family, self.gains, self.costs, *self.base, True, rows, room, max_overlap, steps, seed
        )[0]
        return found

    def run(
        self,
        rows: BoolArray,
        room: IntArray,
        threshold: int,
        improve: bool,
        most: int,
        node_limit: int,
        prices: IntArray | None = None,
    ) -> tuple[IntArray, IntArray, int, int]:
        cost = np.zeros(self.n) if prices is None else prices.astype(np.float64)
        # A little lower than asked for: what is listed is judged exactly below.
        wanted = threshold - 2 - 1e-9 * abs(threshold)
        most = max(most, _NEAR_TIES) if improve else most
        sets, _, reached, nodes = good_ratios(
            self.gains, self.costs, *self.base, cost, rows, room, self.k, wanted, improve, most,
            node_limit,
        )  # fmt: skip
        values = self.values(sets)
        if prices is not None:
            values -= prices[sets].sum(axis=1)
        kept = values >= threshold
        sets, values = sets[kept], values[kept]
        complete = reached <= wanted
        if improve and len(values):
            # The kernel's threshold follows the best value up to rounding.
            best = int(values.max())
            complete = reached <= best
            order = np.argsort(values, kind="stable")[-1:]
            sets, values = sets[order], values[order]
            return sets, values, best + 1 if complete else ceil(reached) + 3, nodes
        if complete or (improve and reached < LOWEST / 2):
            return sets, values, threshold, nodes
        lowest = ceil(reached + 1e-9 * abs(reached)) + 3
        kept = values >= lowest
        return sets[kept], values[kept], lowest, nodes
