"""The canonical set and family if pairs have costs: the lexicographically first.

The best value is known. If few sets can be in such a family, they are listed, and the first
family of them is picked. Otherwise the features of each set are decided in index order. A
question asks for one set of the value needed that holds a feature and all decided before.
So the effort does not depend on the number of ties.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from altfs._numbers import IntArray
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum
from altfs.solvers.pair_costs._listing import BEST, LOWEST, SOME, ListingGoal
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.listed._tuples import first_tuple

# The sets from which a set has to differ, and its least value.
Need = tuple[list[frozenset[int]], int]

# More ties than these are not listed to find the first of them.
_TIES = 1_000
# The cost of a question besides its nodes, because its tables are recomputed.
_QUESTION = 100


def best_set(
    source: PairSource, given: list[frozenset[int]], node_limit: int
) -> tuple[IntArray | None, int, int, int]:
    """Return the best set that also differs from `given`: set, value, upper bound, nodes."""
    if source.k == 0:
        value = int(source.values(np.empty((1, 0), dtype=np.int64))[0])
        return np.empty(0, dtype=np.int64), value, value, 1
    rows = source.rows(given)
    sets, values, reached, nodes = source.run(rows, ListingGoal(LOWEST, BEST, _TIES, node_limit))
    if not len(values):
        return None, 0, LOWEST if reached == LOWEST else reached - 1, nodes
    value = int(values[-1])
    chosen = np.array(min(sets.tolist()))
    if reached == value + 1:
        # Not all sets of this value are listed. A second search finds the first one.
        chosen, more = _first_set(source, chosen, value, given, node_limit)
        nodes += more
    return chosen, value, max(value, reached - 1), nodes


def _first_set(
    source: PairSource, chosen: IntArray, value: int, given: list[frozenset[int]], node_limit: int
) -> tuple[IntArray, int]:
    """Return the first set of the best value, and nodes; `chosen` is a set of this value."""
    goal = ListingGoal(value, SOME, _TIES, node_limit)
    ties, _, reached, nodes = source.run(source.rows(given), goal)
    if len(ties):
        chosen = np.array(min(ties.tolist()))
    if reached <= value:
        return chosen, nodes
    questions = Questions(source, node_limit)
    everything = list(range(source.n))
    optimum, _ = questions.improved(chosen.tolist(), [], everything, (given, value))
    return np.array(optimum, dtype=np.int64), nodes + questions.nodes


def first_family(
    source: PairSource,
    incumbent: list[tuple[int, ...]],
    value: int,
    max_overlap: int,
    dolls: list[int] | None,
    most: int,
    node_limit: int,
) -> tuple[list[tuple[int, ...]], bool, int]:
    """Find the first of the best families, as far as the limit allows.

    `incumbent` is one of them, whose sets are of more features than `max_overlap`. `value` is the
    best value. `dolls` are upper bounds of the best sum of 0, 1, ... sets, None for the
    minimum. At most `most` sets are listed. The limit holds for the list, and again for the
    search after it. Returns the family, True if it is proven to be the first, and nodes.
    """
    n_sets = len(incumbent)
    threshold = value if dolls is None else value - dolls[n_sets - 1]
    listing = source.listing(threshold, most, node_limit, mode=SOME)
    if listing.reached > threshold:
        questions = Questions(source, node_limit)
        try:
            family_rows = questions.first_family([], n_sets, value, dolls)
        except OutOfWorkError:
            family_rows = None
        family = incumbent if family_rows is None else [tuple(s) for s in family_rows]
        return family, family_rows is not None, listing.nodes + questions.nodes
    place = {tuple(s): i for i, s in enumerate(listing.sets.tolist())}
    rows = np.array([place[tuple(sorted(s))] for s in incumbent])
    members, first, nodes = first_tuple(
        listing.values, bits_of(listing.sets, source.n), rows, max_overlap, dolls is None, dolls,
        node_limit,
    )  # fmt: skip
    return [tuple(listing.sets[i].tolist()) for i in members], first, listing.nodes + nodes


class Questions:
    """The questions to a source, until the work for all of them is used up."""

    def __init__(self, source: PairSource, node_limit: int) -> None:
        self.source, self.node_limit = source, node_limit
        self.nodes = 0

    def _some(self, fixed: list[int], free: list[int], need: Need) -> list[int] | None:
        """Return a set of all of `fixed` and some of `free`; None if none meets the need."""
        source, (given, threshold) = self.source, need
        if len(fixed) + len(free) < source.k:
            return None
        self.nodes += _QUESTION
        if self.nodes >= self.node_limit:
            raise OutOfWorkError
        held, rest = np.array(fixed, dtype=np.int64), np.array(free, dtype=np.int64)
        limits = source.rows(given).within(held, rest)
        if (limits.room < 0).any() or len(held) == source.k:
            self.nodes += 1
            fits = limits.room.min(initial=0) >= 0 and limits.sums.admits_nothing
            least = max(threshold, source.lowest)
            return fixed if fits and source.values(held[None, :])[0] >= least else None
        numbers = source.numbers.within(held, rest)
        goal = ListingGoal(threshold, SOME, 1, self.node_limit - self.nodes)
        listing = source.search(numbers, None, limits, goal)
        self.nodes += listing.nodes
        if len(listing.sets):
            return sorted([*fixed, *rest[listing.sets[0]].tolist()])
        if listing.reached > threshold:
            raise OutOfWorkError
        return None

    def first(self, fixed: list[int], free: list[int], need: Need) -> list[int] | None:
        """Return the first such set, where `free` ascends and comes after `fixed`."""
        witness = self._some(fixed, free, need)
        if witness is None:
            return None
        optimum, first = self.improved(witness, fixed, free, need)
        if not first:
            raise OutOfWorkError
        return optimum

    def improved(
        self, witness: list[int], fixed: list[int], free: list[int], need: Need
    ) -> tuple[list[int], bool]:
        """Return the first such set, given a witness, and whether it is proven."""

        def candidates(prefix: list[int], below: int) -> list[int]:
            start = bisect_left(free, prefix[-1] + 1) if prefix else 0
            return free[start : bisect_left(free, below)]

        def ask(prefix: list[int]) -> list[int] | None:
            later = free[bisect_left(free, prefix[-1] + 1) :]
            answer = self._some([*fixed, *prefix], later, need)
            return None if answer is None else answer[len(fixed) :]

        optimum, first = first_optimum(witness[len(fixed) :], candidates, ask)
        return [*fixed, *optimum], first

    def each(self, need: Need, after: list[int] | None = None) -> Iterator[list[int]]:
        """Yield the sets that meet a need in lexicographic order, or those after one."""
        if after is None:
            chosen = self.first([], list(range(self.source.n)), need)
        else:
            chosen = self._next(after, need)
        while chosen is not None:
            yield chosen
            chosen = self._next(chosen, need)

    def _next(self, before: list[int], need: Need) -> list[int] | None:
        for p in range(self.source.k - 1, -1, -1):
            later = list(range(before[p] + 1, self.source.n))
            chosen = self.first(before[:p], later, need)
            if chosen is not None:
                return chosen
        return None

    def first_family(
        self, chosen: list[list[int]], left: int, value: int, dolls: list[int] | None
    ) -> list[list[int]] | None:
        """Return the first family of the chosen sets and `left` more; None if there is none.

        These reach `value`. The other arguments are those of the function.
        """
        if left == 0:
            return chosen
        threshold = value if dolls is None else value - dolls[left - 1]
        given = [frozenset(s) for s in chosen]
        # The sets of a family ascend, too.
        for candidate in self.each((given, threshold), chosen[-1] if chosen else None):
            rest = value
            if dolls is not None:
                rest -= int(self.source.values(np.array([candidate]))[0])
            family = self.first_family([*chosen, candidate], left - 1, rest, dolls)
            if family is not None:
                return family
        return None
