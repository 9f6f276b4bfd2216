"""What the solvers of qualities with pair costs share: single sets, and what is made of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import suppress
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from altfs.problem import Problem
from altfs.quality import Quality
from altfs.results import NAN, Status
from altfs.solvers._first_family import OutOfWorkError, Questions
from altfs.solvers._joint import best_family_of
from altfs.solvers._listing import ALL, BEST, SOME, Listing, lexicographic_rows
from altfs.solvers._reduced import Reduced, reduce_problem
from altfs.solvers.base import Limits, Solution, Solver

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_NODES_PER_UNIT = 50_000
# Where more sets tie, they are no longer listed to find the first of them.
_TIES = 1_000
# Walks until one finds what is known, steps of each for every two sets.
_WALKS = 8
_STEPS = 50_000
LOWEST = -(1 << 61)


class PairSolver(Solver):
    """One set by branch and bound, several by listing good sets and picking the best T.

    What a solver of one kind of quality adds is where its single sets come from.
    """

    proves = True
    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "given"})
    #: The kind of quality that it solves.
    quality: ClassVar[type[Quality]]

    def handles(self, problem: Problem) -> bool:
        return isinstance(problem.quality, self.quality)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        source = self.source(problem)
        if source is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        return source.solve(max(int(_NODES_PER_UNIT * limits.work), 1))

    @classmethod
    def source(cls, problem: Problem) -> PairSource | None:
        """Where single sets of the problem come from; None if there is none for sure."""
        reduced = reduce_problem(problem)
        return None if reduced is None else cls.source_of(problem, reduced)

    @staticmethod
    @abstractmethod
    def source_of(problem: Problem, reduced: Reduced) -> PairSource:
        """The same, of what is left to decide."""


class PairSource(ABC):
    """Sets of free features of one problem, their values in integers.

    Attributes
    ----------
    n, k : int
        Number of free features, and of those in a set.
    offset : int
        Part of every value that the solver's kernel does not see.
    """

    offset = 0

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        self.problem, self.reduced = problem, reduced
        self.n, self.k = len(reduced.features), reduced.n_features

    @abstractmethod
    def truth(self, bound: int) -> float:
        """A bound in integers as a bound in truth, rounding included."""

    @abstractmethod
    def value_of_nothing(self) -> int:
        """Value of the included features alone."""

    @abstractmethod
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
        """Sets, their values less offset and prices, what was reached, and nodes.

        All as in `good_subsets`; `wanted` is one of `ALL`, `BEST` and `SOME`.
        """

    @abstractmethod
    def run_within(
        self,
        fixed: IntArray,
        free: IntArray,
        rows: BoolArray,
        room: IntArray,
        threshold: int,
        node_limit: int,
    ) -> tuple[IntArray, bool, int]:
        """Some set of all features in `fixed` and some of `free`, offset not included.

        Rows are those of `free`. Sets (one or none) are positions in it; then whether no
        limit was met, and nodes.
        """

    @abstractmethod
    def values(self, sets: IntArray) -> IntArray:
        """What sets are worth, offset included, one a row."""

    @abstractmethod
    def walked(self, family: IntArray, max_overlap: int, steps: int, seed: int) -> IntArray:
        """What `walk` comes across."""

    @property
    def limited(self) -> bool:
        """Whether there is more to observe than the overlap of the sets."""
        return bool(self.reduced.rows)

    def solve(self, node_limit: int) -> Solution:
        """Solve the source's problem."""
        problem, reduced = self.problem, self.reduced
        minimum = problem.aggregation == "min"
        found: list[tuple[int, ...]] | None = None
        if problem.n_sets == 1 or reduced.max_overlap >= reduced.n_features:
            chosen, value, bound, nodes = self.best([], node_limit)
            if chosen is None and bound == LOWEST:
                return Solution(Status.INFEASIBLE, (), NAN, nodes)
            if chosen is not None:
                found = [tuple(chosen.tolist())] * problem.n_sets
            if not minimum:
                value, bound = value * problem.n_sets, bound * problem.n_sets
        else:
            family = best_family_of(self, problem.n_sets, reduced.max_overlap, minimum, node_limit)
            if family.infeasible:
                return Solution(Status.INFEASIBLE, (), NAN, family.nodes)
            found, value, bound, nodes = family.sets, family.value, family.bound, family.nodes
        if found is None:
            return Solution(Status.UNKNOWN, (), self.truth(bound), nodes)
        sets = tuple(sorted(reduced.restore(s) for s in found))
        if value < bound:
            return Solution(Status.FEASIBLE, sets, self.truth(bound), nodes)
        return Solution(Status.OPTIMAL, sets, problem.objective(sets), nodes)

    def best(
        self, given: list[frozenset[int]], node_limit: int
    ) -> tuple[IntArray | None, int, int, int]:
        rows, room = self._rows(given)
        if self.k == 0:
            value = self.value_of_nothing()
            return np.empty(0, dtype=np.int64), value, value, 1
        sets, values, reached, nodes = self.run(rows, room, LOWEST, BEST, 2, node_limit)
        if not len(values):
            return None, 0, LOWEST if reached == LOWEST else reached - 1 + self.offset, nodes
        value = int(values[-1])
        chosen = sets[-1]
        if reached - 1 <= value:
            # Once more for the first of those that are as good.
            chosen, more = self._first(chosen, value, given, node_limit)
            nodes += more
        bound = max(value, reached - 1)
        return chosen, value + self.offset, bound + self.offset, nodes

    def _first(
        self, chosen: IntArray, value: int, given: list[frozenset[int]], node_limit: int
    ) -> tuple[IntArray, int]:
        """The first set of the best value, and nodes; `chosen` is one of it."""
        ties, _, reached, nodes = self.run(*self._rows(given), value, SOME, _TIES, node_limit)
        if len(ties):
            chosen = ties[lexicographic_rows(ties)[0]]
        if reached <= value:
            return chosen, nodes
        questions = Questions(self, node_limit)
        known = [int(j) for j in chosen]
        with suppress(OutOfWorkError):
            questions.improved(known, [], list(range(self.n)), given, value + self.offset)
        return np.array(known, dtype=np.int64), nodes + questions.nodes

    def ask(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
        node_limit: int,
    ) -> tuple[IntArray | None, bool, int]:
        held, rest = np.array(fixed, dtype=np.int64), np.array(free, dtype=np.int64)
        rows, room = self._rows(given)
        room = room - rows[:, held].sum(axis=1)
        if (room < 0).any():
            return None, True, 1
        if len(held) == self.k:
            good = int(self.values(held[None, :])[0]) >= threshold
            return held if good else None, True, 1
        wanted = threshold - self.offset
        sets, settled, nodes = self.run_within(held, rest, rows[:, rest], room, wanted, node_limit)
        if len(sets):
            return np.sort(np.concatenate([held, rest[sets[0]]])), True, nodes
        return None, settled, nodes

    def some(self, threshold: int, most: int, node_limit: int) -> Listing:
        """Sets of at least some value: all of them, or as many as wanted."""
        return self._listing(threshold, SOME, most, node_limit, None)

    def listing(
        self, threshold: int, most: int, node_limit: int, prices: IntArray | None = None
    ) -> Listing:
        return self._listing(threshold, ALL, most, node_limit, prices)

    def _listing(
        self, threshold: int, wanted: int, most: int, node_limit: int, prices: IntArray | None
    ) -> Listing:
        rows, room = self._rows([])
        sets, values, reached, nodes = self.run(
            rows, room, threshold - self.offset, wanted, most, node_limit, prices
        )
        if prices is not None:
            values = values + prices[sets].sum(axis=1)
        order = lexicographic_rows(sets)
        return Listing(sets[order], values[order] + self.offset, reached + self.offset, nodes)

    def walk(self, family: IntArray, max_overlap: int) -> IntArray:
        """A better family than a known one, if walks come across any."""
        best, value = family, int(self.values(family).sum())
        for seed in range(1, _WALKS + 1):
            found = self.walked(family, max_overlap, _STEPS * len(family) ** 2, seed)
            worth = int(self.values(found).sum())
            if worth == value:
                break
            if worth > value:
                best, value = found, worth
        return best

    def _rows(self, given: list[frozenset[int]]) -> tuple[npt.NDArray[np.bool_], IntArray]:
        limits = [*self.reduced.rows, *((g, self.reduced.max_overlap) for g in given)]
        rows = np.zeros((len(limits), self.n), dtype=np.bool_)
        for i, (members, _) in enumerate(limits):
            rows[i, list(members)] = True
        return rows, np.array([room for _, room in limits], dtype=np.int64)
