"""The single sets of a problem with pair costs, their values in integers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.problem import Problem
from altfs.quality import Quality
from altfs.solvers.listed.listing import (
    ALL,
    SOME,
    Found,
    Goal,
    Listing,
    Rows,
    lexicographic_rows,
)
from altfs.solvers.pair_costs._walk import walk
from altfs.solvers.reduced import Reduced

# Walks until one finds the known family again, and steps of each for every two sets.
_WALKS = 8
_STEPS = 50_000


class PairSource(ABC):
    """Sets of free features of one problem, their values in integers.

    Attributes
    ----------
    kind : type of Quality
        The kind of quality that it can read.
    n, k : int
        Number of free features, and of those in a set.
    offset : int
        Part of every value that the kernel does not see.
    """

    kind: ClassVar[type[Quality]]
    offset = 0

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        self.problem, self.reduced = problem, reduced
        self.n, self.k = len(reduced.features), reduced.n_features

    @abstractmethod
    def truth(self, bound: int) -> float:
        """Return a bound in integers as a bound in truth, rounding included."""

    @abstractmethod
    def value_of_nothing(self) -> int:
        """Return the value of the included features alone."""

    @abstractmethod
    def run(self, limits: Rows, goal: Goal, prices: IntArray | None = None) -> Found:
        """List sets, their values less offset and prices."""

    @abstractmethod
    def run_within(self, fixed: IntArray, free: IntArray, limits: Rows, goal: Goal) -> Found:
        """List sets of all features in `fixed` and some of `free`, offset not included.

        The rows are those of `free`, and so are the positions in the sets found.
        `reached` is at most the threshold if no limit was met.
        """

    @abstractmethod
    def values(self, sets: IntArray) -> IntArray:
        """Return the values of sets, offset included, one a row."""

    @abstractmethod
    def in_floats(self) -> tuple[FloatArray, FloatArray, float, float, bool]:
        """Return gains, costs, base gain, base cost and root as in `walk`."""

    def ask(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
        node_limit: int,
    ) -> tuple[IntArray | None, bool, int]:
        """Find a set of at least some value, all of `fixed` and some of `free`.

        Returns
        -------
        chosen : ndarray of int64 or None
        settled : bool
            True if no limit was met.
        nodes : int
        """
        held, rest = np.array(fixed, dtype=np.int64), np.array(free, dtype=np.int64)
        rows, room = self.rows(given)
        room = room - rows[:, held].sum(axis=1)
        if (room < 0).any():
            return None, True, 1
        if len(held) == self.k:
            good = int(self.values(held[None, :])[0]) >= threshold
            return held if good else None, True, 1
        goal = Goal(threshold - self.offset, SOME, 1, node_limit)
        sets, _, reached, nodes = self.run_within(held, rest, Rows(rows[:, rest], room), goal)
        if len(sets):
            return np.sort(np.concatenate([held, rest[sets[0]]])), True, nodes
        return None, reached <= goal.threshold, nodes

    def listing(
        self,
        threshold: int,
        most: int,
        node_limit: int,
        prices: IntArray | None = None,
        wanted: int = ALL,
    ) -> Listing:
        """List sets of at least some value after prices, with their values without prices."""
        goal = Goal(threshold - self.offset, wanted, most, node_limit)
        sets, values, reached, nodes = self.run(self.rows([]), goal, prices)
        if prices is not None:
            values = values + prices[sets].sum(axis=1)
        order = lexicographic_rows(sets)
        return Listing(sets[order], values[order] + self.offset, reached + self.offset, nodes)

    def walk(self, family: IntArray, max_overlap: int) -> IntArray:
        """Return a better family than a known one, if walks find any."""
        best, value = family, int(self.values(family).sum())
        steps, rows = _STEPS * len(family) ** 2, self.rows([])
        for seed in range(1, _WALKS + 1):
            found = walk(family, *self.in_floats(), *rows, max_overlap, steps, seed)[0]
            worth = int(self.values(found).sum())
            if worth == value:
                break
            if worth > value:
                best, value = found, worth
        return best

    def rows(self, given: list[frozenset[int]]) -> Rows:
        """Return the limits of the problem, and those of sets to differ from."""
        limits = [*self.reduced.rows, *((g, self.reduced.max_overlap) for g in given)]
        rows: BoolArray = np.zeros((len(limits), self.n), dtype=np.bool_)
        for i, (members, _) in enumerate(limits):
            rows[i, list(members)] = True
        return Rows(rows, np.array([room for _, room in limits], dtype=np.int64))
