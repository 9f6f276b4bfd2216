"""The canonical set and family where pairs have costs: the lexicographically first.

The best value is known. If few sets can be in such a family, they are listed, and the first
family of them is picked. Otherwise the features of each set are decided in index order. A
question asks for one set of the value needed that holds a feature and all decided before.
So the number of ties makes no difference.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from altfs._numbers import IntArray
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum
from altfs.solvers.listed.bits import bits_of
from altfs.solvers.listed.listing import BEST, LOWEST, SOME, Goal, lexicographic_rows
from altfs.solvers.listed.tuples import first_tuple
from altfs.solvers.pair_costs._source import PairSource

# More ties than these are not listed to find the first of them.
_TIES = 1_000
# The cost of a question besides its nodes, because its tables are recomputed.
_QUESTION = 100


def best_set(
    source: PairSource, given: list[frozenset[int]], node_limit: int
) -> tuple[IntArray | None, int, int, int]:
    """Return the best set that also differs from `given`: set, value, upper bound, nodes."""
    if source.k == 0:
        value = source.value_of_nothing()
        return np.empty(0, dtype=np.int64), value, value, 1
    rows = source.rows(given)
    sets, values, reached, nodes = source.run(rows, Goal(LOWEST, BEST, 2, node_limit))
    if not len(values):
        return None, 0, LOWEST if reached == LOWEST else reached - 1 + source.offset, nodes
    value = int(values[-1])
    chosen = sets[-1]
    if reached - 1 <= value:
        # A second search finds the first set of this value.
        chosen, more = _first_set(source, chosen, value, given, node_limit)
        nodes += more
    bound = max(value, reached - 1)
    return chosen, value + source.offset, bound + source.offset, nodes


def _first_set(
    source: PairSource, chosen: IntArray, value: int, given: list[frozenset[int]], node_limit: int
) -> tuple[IntArray, int]:
    """Return the first set of the best value, and nodes; `chosen` is a set of this value."""
    goal = Goal(value, SOME, _TIES, node_limit)
    ties, _, reached, nodes = source.run(source.rows(given), goal)
    if len(ties):
        chosen = ties[lexicographic_rows(ties)[0]]
    if reached <= value:
        return chosen, nodes
    questions = Questions(source, node_limit)
    everything = list(range(source.n))
    found, _ = questions.improved(chosen.tolist(), [], everything, given, value + source.offset)
    return np.array(found, dtype=np.int64), nodes + questions.nodes


def first_family(
    source: PairSource,
    known: list[tuple[int, ...]],
    value: int,
    max_overlap: int,
    dolls: list[int] | None,
    most: int,
    node_limit: int,
) -> tuple[list[tuple[int, ...]], bool, int]:
    """Find the first of the best families, as far as the limit allows.

    Parameters
    ----------
    source : PairSource
    known : list of tuple of int
        One of them, whose sets are of more features than `max_overlap`.
    value : int
        The best value of the aggregation.
    max_overlap : int
    dolls : list of int or None
        Upper bounds of the best sum of 0, 1, ... sets. None for the minimum.
    most : int
        The number of sets that may be listed.
    node_limit : int
        For the list, and for the search after it.

    Returns
    -------
    family : list of tuple of int
    first : bool
        True if it is proven to be the first.
    nodes : int
    """
    n_sets = len(known)
    threshold = value if dolls is None else value - dolls[n_sets - 1]
    listing = source.listing(threshold, most, node_limit, wanted=SOME)
    if listing.reached > threshold:
        questions = Questions(source, node_limit)
        try:
            found = questions.first_family(n_sets, value, dolls)
        except OutOfWorkError:
            found = None
        family = known if found is None else [tuple(s) for s in found]
        return family, found is not None, listing.nodes + questions.nodes
    place = {tuple(s): i for i, s in enumerate(listing.sets.tolist())}
    rows = np.array([place[tuple(sorted(s))] for s in known])
    members, first, nodes = first_tuple(
        listing.values, bits_of(listing.sets, source.n), rows, max_overlap, dolls is None, dolls,
        node_limit,
    )  # fmt: skip
    return [tuple(listing.sets[i].tolist()) for i in members], first, listing.nodes + nodes


class Questions:
    """The questions to a source, until the work is used up.

    Parameters
    ----------
    source : PairSource
    node_limit : int
        For all questions together.
    """

    def __init__(self, source: PairSource, node_limit: int) -> None:
        self.source, self.node_limit = source, node_limit
        self.nodes = 0

    def some(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
    ) -> list[int] | None:
        """Find a set as `PairSource.ask` does; raise `OutOfWorkError` if that is not settled."""
        if len(fixed) + len(free) < self.source.k:
            return None
        self.nodes += _QUESTION
        if self.nodes >= self.node_limit:
            raise OutOfWorkError
        found, settled, nodes = self.source.ask(
            fixed, free, given, threshold, self.node_limit - self.nodes
        )
        self.nodes += nodes
        if found is None:
            if not settled:
                raise OutOfWorkError
            return None
        return [int(j) for j in found]

    def first(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
    ) -> list[int] | None:
        """Return the first such set, where `free` ascends and comes after `fixed`."""
        known = self.some(fixed, free, given, threshold)
        if known is None:
            return None
        found, first = self.improved(known, fixed, free, given, threshold)
        if not first:
            raise OutOfWorkError
        return found

    def improved(
        self,
        known: list[int],
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
    ) -> tuple[list[int], bool]:
        """Return the first such set, given a known one, and whether it is proven."""

        def candidates(prefix: list[int], below: int) -> list[int]:
            start = bisect_left(free, prefix[-1] + 1) if prefix else 0
            return free[start : bisect_left(free, below)]

        def ask(prefix: list[int]) -> list[int] | None:
            later = free[bisect_left(free, prefix[-1] + 1) :]
            found = self.some([*fixed, *prefix], later, given, threshold)
            return None if found is None else found[len(fixed) :]

        found, first = first_optimum(known[len(fixed) :], candidates, ask)
        return [*fixed, *found], first

    def each(
        self, given: list[frozenset[int]], threshold: int, after: list[int] | None = None
    ) -> Iterator[list[int]]:
        """Yield the sets of at least some value in lexicographic order, or those after one."""
        if after is None:
            found = self.first([], list(range(self.source.n)), given, threshold)
        else:
            found = self._next(after, given, threshold)
        while found is not None:
            yield found
            found = self._next(found, given, threshold)

    def _next(
        self, before: list[int], given: list[frozenset[int]], threshold: int
    ) -> list[int] | None:
        for p in range(self.source.k - 1, -1, -1):
            later = list(range(before[p] + 1, self.source.n))
            found = self.first(before[:p], later, given, threshold)
            if found is not None:
                return found
        return None

    def first_family(
        self, n_sets: int, value: int, dolls: list[int] | None
    ) -> list[list[int]] | None:
        """Return the first family of a value; None if there is none. Parameters as above."""
        return self._extend([], n_sets, value, dolls)

    def _extend(
        self, chosen: list[list[int]], left: int, need: int, dolls: list[int] | None
    ) -> list[list[int]] | None:
        if left == 0:
            return chosen
        threshold = need if dolls is None else need - dolls[left - 1]
        given = [frozenset(s) for s in chosen]
        # The sets of a family ascend, too.
        for found in self.each(given, threshold, chosen[-1] if chosen else None):
            rest = need
            if dolls is not None:
                rest -= int(self.source.values(np.array([found]))[0])
            family = self._extend([*chosen, found], left - 1, rest, dolls)
            if family is not None:
                return family
        return None
