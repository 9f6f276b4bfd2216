"""Several sets at once, for qualities whose single sets can be listed from the best down.

The best T sets are found for T = 1, 2, ... in turn. A set of a T-solution that
is better than a known one is at least as good as what that one has more than
the best T - 1 sets: those are listed, and the best T of them are picked. Where
that takes too long, a walk looks for a better family, prices for the use of
features leave fewer sets, and what they lack to the best guides the picking.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from altfs.solvers._columns import tune_by_columns
from altfs.solvers._first_family import Asked, first_family
from altfs.solvers._histogram_table import MOST_HISTOGRAMS, exists, frontier, frontier_size
from altfs.solvers._listing import Listing, bits_of
from altfs.solvers._near_tuples import Payment, near_tuple, payment
from altfs.solvers._prices import Prices
from altfs.solvers._tuples import Tuple, best_tuple

IntArray = npt.NDArray[np.int64]

# Sets that are listed at most at the first try; where there are more, the better ones.
_FEW_LISTED = 4_000
MOST_LISTED = 40_000
# The same by prices.
MOST_PRICED = 400_000
# Prices compare all histograms of a family; of more sets than these leave no memory.
_MOST_PRICED_HISTOGRAMS = 10 * MOST_HISTOGRAMS
_ROUNDS = 100
# How many times the limit of partial sets for all rounds of prices together, for the
# list by prices, and of partial families, which cost a tenth each.
_PRICE_NODES, _LIST_NODES, _TUPLE_NODES = 20, 10, 20
# Without prices families are only tried in haste: a part of the limit.
_HASTE = 10
_LOWEST = -(1 << 61)


class Source(Asked, Protocol):
    """Single sets of one quality under the constraints of one problem."""

    @property
    def limited(self) -> bool:
        """Whether there is more to observe than the overlap of the sets."""

    def best(
        self, given: list[frozenset[int]], node_limit: int
    ) -> tuple[IntArray | None, int, int, int]:
        """The best set that differs from `given` too: set, value, upper bound, nodes."""

    def listing(
        self, threshold: int, most: int, node_limit: int, prices: IntArray | None = None
    ) -> Listing:
        """All sets of at least some value after prices, or the best ones; values without."""

    def walk(self, family: IntArray, max_overlap: int) -> IntArray:
        """A family that is better than a known one, or nearly as good."""


@dataclass(frozen=True)
class Family:
    """The best family known.

    Attributes
    ----------
    sets : list of tuple of int or None
    value, bound : int
        Of the aggregation. Equal: proven.
    infeasible : bool
        Proven not to exist.
    nodes : int
    first : bool
        Proven to be the first of the best ones.
    """

    sets: list[tuple[int, ...]] | None
    value: int
    bound: int
    infeasible: bool
    nodes: int
    first: bool = False


def best_family_of(
    source: Source, n_sets: int, max_overlap: int, minimum: bool, node_limit: int
) -> Family:
    """The best `n_sets` sets of a source, any two with at most `max_overlap` in common.

    `max_overlap` is below the size of a set.
    """
    greedy, nodes, top = _one_by_one(source, n_sets, node_limit)
    if top is None:
        return Family(None, 0, 0, True, nodes)
    search = _Search(source, max_overlap, minimum, node_limit, nodes)
    # Bounds of the best objective of 0, 1, ... sets, exact where proven.
    dolls = [0, top]
    answer = Family(None, 0, top, False, nodes)
    for r in range(n_sets if minimum else 2, n_sets + 1):
        start = greedy[:r] if len(greedy) >= r else None
        answer = search.family(r, start, dolls, top, r == n_sets)
        if answer.infeasible:
            return answer
        dolls.append(answer.bound)
    if answer.sets is None or answer.value < answer.bound or answer.first:
        return answer
    return search.first(answer, dolls[:n_sets])


class _Search:
    def __init__(
        self, source: Source, max_overlap: int, minimum: bool, node_limit: int, nodes: int
    ) -> None:
        self.source, self.max_overlap, self.minimum = source, max_overlap, minimum
        self.node_limit, self.nodes = node_limit, nodes

    def family(
        self,
        n_sets: int,
        start: list[tuple[tuple[int, ...], int]] | None,
        dolls: list[int],
        top: int,
        last: bool,
    ) -> Family:
        """The best family of so many sets, given bounds for fewer."""
        known = [s for s, _ in start] if start else None
        lower, first = _LOWEST, False
        if start:
            lower = min(v for _, v in start) if self.minimum else sum(v for _, v in start)
        bound = top if self.minimum else min(dolls[-1] + top, dolls[-1] * n_sets // (n_sets - 1))
        for most in (_FEW_LISTED, MOST_LISTED, MOST_LISTED) if last else (_FEW_LISTED,):
            # Every set of a better family is worth this at least.
            threshold = lower if self.minimum else max(lower - dolls[-1], _LOWEST)
            listing = self.source.listing(threshold, most, self.node_limit)
            self.nodes += listing.nodes
            found = self._pick(listing, n_sets, lower, dolls)
            improved = found.members is not None and found.value > lower
            if found.members is not None:
                known = [tuple(listing.sets[i].tolist()) for i in found.members]
                lower = found.value
            whole = listing.reached <= threshold and found.complete
            first = whole and found.first
            # A better family is among the listed sets, or holds one that is not.
            inside = max(lower, found.bound if not found.complete else lower)
            outside = lower
            if listing.reached > threshold:
                outside = listing.reached - 1 + (0 if self.minimum else dolls[-1])
            bound = min(bound, max(inside, outside))
            if known is None and whole:
                return Family(None, 0, 0, True, self.nodes)
            if bound <= lower or whole:
                break
            if last and not self.minimum:
                known = known or self._any(n_sets)
                if known is not None:
                    return self._with_prices(known, bound, dolls)
            if self.minimum and not improved and most == MOST_LISTED:
                break
        value = bound if known is None else lower
        return Family(known, value, max(bound, value), False, self.nodes, first)

    def first(self, best: Family, dolls: list[int]) -> Family:
        """The first one of the best families, as far as the limit lets find it.

        `dolls` bound the best objective of 0, 1, ... sets.
        """
        assert best.sets is not None
        sets, first, nodes = first_family(
            self.source, best.sets, best.value, self.max_overlap,
            None if self.minimum else dolls, MOST_LISTED, self.node_limit,
        )  # fmt: skip
        self.nodes += nodes
        return replace(best, sets=sets, nodes=self.nodes, first=first)

    def _any(self, n_sets: int) -> list[tuple[int, ...]] | None:
        """Some family, whatever it is worth."""
        shape = (n_sets, self.source.k, self.max_overlap)
        if self.source.limited or frontier_size(*shape) > MOST_HISTOGRAMS:
            return None
        table = frontier(*shape)
        for histogram in table[table[:, 0] <= self.source.n]:
            found, member = exists(tuple(histogram.tolist()), *shape[1:])
            if found and member is not None:
                return [tuple(np.flatnonzero(row).tolist()) for row in member]
        return None

    def _with_prices(self, known: list[tuple[int, ...]], bound: int, dolls: list[int]) -> Family:
        """The best family, or a better one and a lower bound, by prices."""
        n_sets, source = len(known), self.source
        shape = (n_sets, source.k, self.max_overlap)
        if frontier_size(*shape) > _MOST_PRICED_HISTOGRAMS:
            worth = source.values(np.array(known)).sum()
            return Family(known, int(worth), max(bound, int(worth)), False, self.nodes)
        family = source.walk(np.array(known), self.max_overlap)
        values = source.values(family)
        lower = int(source.values(np.array(known)).sum())
        if values.sum() > lower:
            lower, known = int(values.sum()), [tuple(s) for s in family.tolist()]
        prices = tune_by_columns(
            source, shape, family, values, _PRICE_NODES * self.node_limit, _ROUNDS
        )
        self.nodes += prices.nodes
        bound = min(bound, prices.bound)
        others = prices.bound - prices.single
        paid = payment(prices.prices, shape)
        for _ in range(2):
            wanted = lower - others
            listing = source.listing(
                wanted, MOST_PRICED, _LIST_NODES * self.node_limit, prices.prices
            )
            self.nodes += listing.nodes
            whole = listing.reached <= wanted
            # Of the best ones only: a better family may be found, nothing is proven.
            limit = _TUPLE_NODES * self.node_limit if whole else self.node_limit
            complete, first, value, members = self._near(listing, lower, dolls, prices, paid, limit)
            improved = value > lower
            if members is not None:
                known = [tuple(listing.sets[i].tolist()) for i in members]
                lower = value
            inside = lower if complete else bound
            outside = lower if whole else listing.reached - 1 + others
            bound = min(bound, max(inside, outside))
            if whole or not improved:
                break
        return Family(known, lower, max(bound, lower), False, self.nodes, whole and first)

    def _pick(self, listing: Listing, n_sets: int, lower: int, dolls: list[int]) -> Tuple:
        """The best of the listed sets, if as good as a known family."""
        found = best_tuple(
            listing.values, bits_of(listing.sets, self.source.n), n_sets, self.max_overlap,
            self.minimum, self.node_limit if self.minimum else self.node_limit // _HASTE,
            lower - 1, None if self.minimum else dolls,
        )  # fmt: skip
        self.nodes += found.nodes
        return found

    def _near(
        self,
        listing: Listing,
        lower: int,
        dolls: list[int],
        prices: Prices,
        paid: Payment,
        node_limit: int,
    ) -> tuple[bool, bool, int, IntArray | None]:
        """The same of sets listed by prices: whether proven, whether first, value, rows."""
        n_sets = len(dolls)
        slack = prices.single - listing.values + prices.prices[listing.sets].sum(axis=1)
        bits = bits_of(listing.sets, self.source.n)
        value, members = lower, None
        # The first among equals; where there are too many of them, any.
        for ties in (True, False):
            complete, value, rows, tied, nodes = near_tuple(
                listing.values, slack, listing.sets, bits, n_sets, self.max_overlap,
                n_sets * prices.single + paid.most, paid.overlap, paid.lacks,
                np.array(dolls, dtype=np.int64), lower, ties, node_limit,
            )  # fmt: skip
            self.nodes += nodes
            members = rows if rows[0] >= 0 else members
            lower = value
            if complete or not tied:
                break
        return complete, complete and ties, value, members


def _one_by_one(
    source: Source, n_sets: int, node_limit: int
) -> tuple[list[tuple[tuple[int, ...], int]], int, int | None]:
    """Sets found one after the other, the nodes, and a bound of the best (None: none exists)."""
    found: list[tuple[tuple[int, ...], int]] = []
    nodes = 0
    top: int | None = None
    while len(found) < n_sets:
        chosen, value, bound, more = source.best([frozenset(s) for s, _ in found], node_limit)
        nodes += more
        if not found:
            if chosen is None and bound < -(1 << 60):
                return [], nodes, None
            top = bound
        if chosen is None:
            break
        found.append((tuple(chosen.tolist()), value))
    return found, nodes, top
