"""The single sets of a problem with pair costs, their values in integers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import Problem
from altfs.problem.conditions import Inequality
from altfs.quality import Linear, Pairwise, Ratio
from altfs.solvers.pair_costs._listing import (
    ALL,
    LOWEST,
    Listing,
    ListingGoal,
    Numbers,
    Rows,
    good_sets,
)
from altfs.solvers.pair_costs._walk import walk
from altfs.solvers.reduced import Reduced
from altfs.solvers.weighted_sums import satisfies, sums_of

# Walks until one finds the known family again, and steps of each for every two sets.
_WALKS = 8
_STEPS = 50_000


class PairSource(ABC):
    """Sets of free features of one problem, their values in integers.

    `more` are limits beside those of its constraints.
    `kind` is the class of qualities that it can read. `n` is the number of free features, `k`
    that of those in a set, and `numbers` are those of the free features.
    """

    kind: ClassVar[type[Linear] | type[Pairwise] | type[Ratio]]
    quality: Linear | Pairwise | Ratio
    #: Sets of a lower value are not allowed.
    lowest: int = LOWEST

    def __init__(self, problem: Problem, reduced: Reduced, more: Sequence[Inequality] = ()) -> None:
        self.problem, self.reduced, self.quality = problem, reduced, problem.quality_as(self.kind)
        self.n, self.k = len(reduced.features), reduced.n_features
        include = np.array(reduced.include, dtype=np.int64)
        self.numbers = self.all_numbers().within(include, reduced.features)
        # Largest numbers of features are rows.
        limits = [i for i in problem.constraints.inequalities() if not i.counts_at_most]
        self.sums = sums_of([*limits, *more], problem.quality.n_total).within(
            include, reduced.features
        )

    @abstractmethod
    def all_numbers(self) -> Numbers:
        """Return the numbers of all features of the problem."""

    @abstractmethod
    def truth(self, bound: int) -> float:
        """Return a bound in integers as a bound in truth, rounding included."""

    def in_floats(self, numbers: Numbers) -> Numbers:
        """Return the numbers in one unit, as floats."""
        gains, costs = numbers.gains.astype(np.float64), numbers.costs.astype(np.float64)
        base = (float(numbers.base_gain), float(numbers.base_cost))
        return Numbers(gains, costs, *base, numbers.n_features)

    def search(
        self, numbers: Numbers, prices: IntArray | None, limits: Rows, goal: ListingGoal
    ) -> Listing:
        """List sets of the features whose numbers are given, their values less prices."""
        threshold = goal.threshold if prices is not None else max(goal.threshold, self.lowest)
        listing = self.list_sets(numbers, prices, limits, goal._replace(threshold=threshold))
        if listing.reached == threshold:
            listing = listing._replace(reached=goal.threshold)
        return listing

    def list_sets(
        self, numbers: Numbers, prices: IntArray | None, limits: Rows, goal: ListingGoal
    ) -> Listing:
        """List sets by gain less cost; in bounds each feature of a pair has half of its cost."""
        if prices is not None:
            numbers = numbers._replace(gains=numbers.gains - prices)
        half = numbers.costs // 2
        # Both shares of a pair add up to its cost.
        shares = half + np.triu(numbers.costs - 2 * half)
        return Listing(*good_sets(numbers, shares, None, limits, goal))

    def run(self, limits: Rows, goal: ListingGoal, prices: IntArray | None = None) -> Listing:
        """List sets, their values less prices."""
        return self.search(self.numbers, prices, limits, goal)

    def values(self, sets: IntArray) -> IntArray:
        """Return the values of sets, one a row."""
        gains, costs, base_gain, base_cost, _ = self.numbers
        pairs = costs[sets[:, :, None], sets[:, None, :]].sum(axis=(1, 2))
        cost = base_cost + (pairs + costs.diagonal()[sets].sum(axis=1)) // 2
        return np.asarray(base_gain + gains[sets].sum(axis=1) - cost, dtype=np.int64)

    def listing(
        self,
        threshold: int,
        most: int,
        node_limit: int,
        prices: IntArray | None = None,
        mode: int = ALL,
    ) -> Listing:
        """List sets of at least some value after prices, with their values without prices.

        The rows are in lexicographic order.
        """
        listing = self.run(self.rows([]), ListingGoal(threshold, mode, most, node_limit), prices)
        sets, values = listing.sets, listing.values
        if prices is not None:
            values = values + prices[sets].sum(axis=1)
            sets, values = sets[values >= self.lowest], values[values >= self.lowest]
        order = np.lexsort(sets.T[::-1])
        return listing._replace(sets=sets[order], values=values[order])

    def walk(self, family: IntArray, max_overlap: int) -> IntArray:
        """Return a better family than a known one, if walks find any."""
        best, value = family, int(self.values(family).sum())
        steps, rows, root = _STEPS * len(family) ** 2, self.rows([]), self.kind is Ratio
        numbers = self.in_floats(self.numbers)
        for seed in range(1, _WALKS + 1):
            candidate = walk(family, numbers, root, rows, max_overlap, steps, seed)[0]
            values = self.values(candidate)
            worth = int(values.sum())
            if worth == value:
                break
            fits = all(satisfies(self.sums, chosen) for chosen in candidate)
            if worth > value and values.min() >= self.lowest and fits:
                best, value = candidate, worth
        return best

    def rows(self, given: list[frozenset[int]]) -> Rows:
        """Return the limits of the problem, and those of sets to differ from."""
        return Rows(*self.reduced.limits(given), self.sums)
