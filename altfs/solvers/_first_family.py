"""The canonical one of the best families where pairs have costs: the lexicographically first.

What the best value is, is known. Where the sets that such a family can hold are
not too many they are listed, and the first family of them is picked. Else it is
asked set by set and feature by feature in index order whether there is a set of
what is needed with all that was decided and this feature: however many sets
tie, a question is over with one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import numpy.typing as npt

from altfs.solvers._listing import Listing, bits_of
from altfs.solvers._tuples import first_tuple

IntArray = npt.NDArray[np.int64]

# What a question costs besides its nodes: its tables are made anew.
_QUESTION = 100


class Asked(Protocol):
    """Single sets of one quality under the constraints of one problem."""

    n: int
    k: int

    def ask(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
        node_limit: int,
    ) -> tuple[IntArray | None, bool, int]:
        """Some set of at least some value, all of `fixed` and some of `free`.

        Returns it, whether it is settled that there is none otherwise, and nodes.
        """

    def some(self, threshold: int, most: int, node_limit: int) -> Listing:
        """Sets of at least some value: all of them, or as many as wanted."""

    def values(self, sets: IntArray) -> IntArray:
        """What sets are worth, one a row."""


def first_family(
    source: Asked,
    known: list[tuple[int, ...]],
    value: int,
    max_overlap: int,
    dolls: list[int] | None,
    most: int,
    node_limit: int,
) -> tuple[list[tuple[int, ...]], bool, int]:
    """The first of the best families, as far as the limit lets find it.

    Parameters
    ----------
    source : Asked
    known : list of tuple of int
        One of them, whose sets are of more features than `max_overlap`.
    value : int
        The best one of the aggregation.
    max_overlap : int
    dolls : list of int or None
        Upper bounds of the best sum of 0, 1, ... sets; None if the minimum counts.
    most : int
        How many sets may be listed.
    node_limit : int
        For the list, and for what follows.

    Returns
    -------
    family : list of tuple of int
    first : bool
        Whether it is proven to be the first.
    nodes : int
    """
    n_sets = len(known)
    threshold = value if dolls is None else value - dolls[n_sets - 1]
    listing = source.some(threshold, most, node_limit)
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
    first, members, nodes = first_tuple(
        listing.values, bits_of(listing.sets, source.n), rows, max_overlap, dolls is None, dolls,
        node_limit,
    )  # fmt: skip
    return [tuple(listing.sets[i].tolist()) for i in members], first, listing.nodes + nodes


class OutOfWorkError(Exception):
    """The limit of nodes is reached."""


class Questions:
    """Asks a source until the work is used up.

    Parameters
    ----------
    source : Asked
    node_limit : int
        For all questions together.
    """

    def __init__(self, source: Asked, node_limit: int) -> None:
        self.source, self.node_limit = source, node_limit
        self.nodes = 0

    def some(
        self,
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
    ) -> list[int] | None:
        """Some set as in `Asked.ask`; raises `OutOfWorkError` if that could not be settled."""
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
        """The first such set; `free` ascends, and comes after `fixed`."""
        known = self.some(fixed, free, given, threshold)
        return None if known is None else self.improved(known, fixed, free, given, threshold)

    def improved(
        self,
        known: list[int],
        fixed: list[int],
        free: list[int],
        given: list[frozenset[int]],
        threshold: int,
    ) -> list[int]:
        """The same where one is known, which in `known` becomes better on the way."""
        decided = list(fixed)
        for p, j in enumerate(free):
            if len(decided) == self.source.k:
                break
            if j not in known:
                better = self.some([*decided, j], free[p + 1 :], given, threshold)
                if better is None:
                    continue
                known[:] = better
            decided.append(j)
        return known

    def each(
        self, given: list[frozenset[int]], threshold: int, after: list[int] | None = None
    ) -> Iterator[list[int]]:
        """Every set of at least some value in lexicographic order, or those after one."""
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
        """The first family of a value; None if there is none. Parameters as above."""
        return self._extend([], n_sets, value, dolls)

    def _extend(
        self, chosen: list[list[int]], left: int, need: int, dolls: list[int] | None
    ) -> list[list[int]] | None:
        if left == 0:
            return chosen
        threshold = need if dolls is None else need - dolls[left - 1]
        given = [frozenset(s) for s in chosen]
        # In a family sets ascend, too.
        for found in self.each(given, threshold, chosen[-1] if chosen else None):
            rest = need
            if dolls is not None:
                rest -= int(self.source.values(np.array([found]))[0])
            family = self._extend([*chosen, found], left - 1, rest, dolls)
            if family is not None:
                return family
        return None
