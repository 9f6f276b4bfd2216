"""Several sets at once, for qualities whose single sets can be listed from the best down.

The best T sets are found for T = 1, 2, ... in turn. A family that is better than a known one
needs sets of some value: at least the known value less that of the best T - 1 sets. Those
are listed, and the best T of them are picked. If that takes too long, a walk looks for a
better family, and prices for the use of features leave fewer sets. The distances of sets to
the best one then guide the picking. If that proves nothing, and few sets can be in a better
family, the best of these are picked with more effort.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from altfs._numbers import IntArray
from altfs.solvers.best_sum._histogram_table import MOST_HISTOGRAMS, exists, frontier, frontier_size
from altfs.solvers.pair_costs._columns import Prices, tune_by_columns
from altfs.solvers.pair_costs._first_family import best_set, first_family
from altfs.solvers.pair_costs._listing import LOWEST, Listing
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.listed._near_tuples import Listed, Payment, near_tuple, payment
from altfs.solvers.pair_costs.listed._tuples import Tuple, best_tuple

# The largest number of sets listed at the first try. Of more sets the better ones are kept.
_FEW_LISTED = 4_000
MOST_LISTED = 40_000
# The same with prices.
MOST_PRICED = 400_000
# Prices compare all histograms of a family. More of them take too much memory.
_MOST_PRICED_HISTOGRAMS = 10 * MOST_HISTOGRAMS
_ROUNDS = 100
# Multiples of the node limit: for all rounds of prices together, for the list by prices, for
# partial families, which cost a tenth each, and for them without prices in the end.
_PRICE_NODES, _LIST_NODES, _TUPLE_NODES, _LAST_NODES = 20, 10, 20, 100
# The part of the limit of partial families in which equal ones are compared.
_TIES = 10
# Sums are tried without prices with this part of the limit only.
_HASTE = 2


@dataclass(frozen=True)
class Incumbent:
    """The best family known, if `sets` is not None.

    It is proven if `value` equals `bound`, an upper bound of the aggregation. `infeasible`
    means that no family exists, and `first` that no equally good family comes before it.
    """

    sets: list[tuple[int, ...]] | None
    value: int
    bound: int
    infeasible: bool
    nodes: int
    first: bool = False


def best_family_of(
    source: PairSource, n_sets: int, max_overlap: int, minimum: bool, node_limit: int
) -> Incumbent:
    """Find the best `n_sets` sets of a source, any two with at most `max_overlap` in common.

    `max_overlap` is below the size of a set.
    """
    # Sets one after the other, and a bound of the first.
    greedy: list[tuple[tuple[int, ...], int]] = []
    nodes = top = 0
    while len(greedy) < n_sets:
        chosen, value, bound, more = best_set(source, [frozenset(s) for s, _ in greedy], node_limit)
        nodes += more
        top = top if greedy else bound
        if chosen is None:
            if not greedy and bound < -(1 << 60):
                return Incumbent(None, 0, 0, True, nodes)
            break
        greedy.append((tuple(chosen.tolist()), value))
    search = _Search(source, max_overlap, minimum, node_limit, nodes)
    # Bounds of the best objective of 0, 1, ... sets, exact where proven.
    dolls = [0, top]
    answer = Incumbent(None, 0, top, False, nodes)
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
        self, source: PairSource, max_overlap: int, minimum: bool, node_limit: int, nodes: int
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
    ) -> Incumbent:
        """Find the best family of so many sets, given bounds for fewer."""
        incumbent = [s for s, _ in start] if start else None
        lower, first = LOWEST, False
        if start:
            lower = min(v for _, v in start) if self.minimum else sum(v for _, v in start)
        limit = self.node_limit * _TUPLE_NODES if self.minimum else self.node_limit // _HASTE
        bound = top if self.minimum else min(dolls[-1] + top, dolls[-1] * n_sets // (n_sets - 1))
        for most in (_FEW_LISTED, MOST_LISTED, MOST_LISTED) if last else (_FEW_LISTED,):
            # Every set of a better family has at least this value.
            threshold = lower if self.minimum else max(lower - dolls[-1], LOWEST)
            listing = self.source.listing(threshold, most, self.node_limit)
            self.nodes += listing.nodes
            picked = self._pick(listing, n_sets, lower, dolls, limit)
            improved = picked.members is not None and picked.value > lower
            if picked.members is not None:
                incumbent, lower = _rows(listing, picked.members), picked.value
            whole = listing.reached <= threshold and picked.complete
            first = whole and picked.first
            # A better family is among the listed sets, or holds another set.
            inside = max(lower, picked.bound if not picked.complete else lower)
            outside = lower
            if listing.reached > threshold:
                outside = listing.reached - 1 + (0 if self.minimum else dolls[-1])
            bound = min(bound, max(inside, outside))
            if incumbent is None and whole:
                return Incumbent(None, 0, 0, True, self.nodes)
            if bound <= lower or whole:
                break
            if last and not self.minimum:
                incumbent = incumbent or self._any(n_sets)
                if incumbent is not None:
                    priced = self._with_prices(incumbent, bound, dolls)
                    return priced if priced.value >= priced.bound else self._at_last(priced, dolls)
                if listing.reached <= threshold:
                    nothing = Incumbent(None, lower, bound, False, self.nodes)
                    return self._at_last(nothing, dolls)
            if self.minimum and not improved and most == MOST_LISTED:
                break
        value = bound if incumbent is None else lower
        return Incumbent(incumbent, value, max(bound, value), False, self.nodes, first)

    def first(self, best: Incumbent, dolls: list[int]) -> Incumbent:
        """Find the first one of the best families, as far as the limit allows.

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
        """Return any family, of any value."""
        shape = (n_sets, self.source.k, self.max_overlap)
        plain = not (self.source.reduced.rows or len(self.source.sums.least))
        plain = plain and self.source.lowest == LOWEST
        if not plain or frontier_size(*shape) > MOST_HISTOGRAMS:
            return None
        table = frontier(*shape)
        for histogram in table[table[:, 0] <= self.source.n]:
            possible, member = exists(tuple(histogram.tolist()), *shape[1:])
            if possible and member is not None:
                return [tuple(np.flatnonzero(row).tolist()) for row in member]
        return None

    def _with_prices(
        self, incumbent: list[tuple[int, ...]], bound: int, dolls: list[int]
    ) -> Incumbent:
        """Find the best family, or a better one and a lower bound, by prices."""
        n_sets, source = len(incumbent), self.source
        shape = (n_sets, source.k, self.max_overlap)
        lower = int(source.values(np.array(incumbent)).sum())
        if frontier_size(*shape) > _MOST_PRICED_HISTOGRAMS:
            return Incumbent(incumbent, lower, max(bound, lower), False, self.nodes)
        family = source.walk(np.array(incumbent), self.max_overlap)
        values = source.values(family)
        if values.sum() > lower:
            lower, incumbent = int(values.sum()), [tuple(s) for s in family.tolist()]
        prices = tune_by_columns(
            source, shape, family, values, _PRICE_NODES * self.node_limit, _ROUNDS
        )
        self.nodes += prices.nodes
        bound = min(bound, prices.bound)
        others = prices.bound - prices.single
        paid = payment(prices.prices, shape)
        for _ in range(2):
            threshold = lower - others
            listing = source.listing(
                threshold, MOST_PRICED, _LIST_NODES * self.node_limit, prices.prices
            )
            self.nodes += listing.nodes
            whole = listing.reached <= threshold
            # If only the best sets are listed, nothing is proven.
            limit = _TUPLE_NODES * self.node_limit if whole else self.node_limit
            complete, first, value, members = self._near(listing, lower, dolls, prices, paid, limit)
            improved = value > lower
            if members is not None:
                incumbent, lower = _rows(listing, members), value
            inside = lower if complete else bound
            outside = lower if whole else listing.reached - 1 + others
            bound = min(bound, max(inside, outside))
            if whole or not improved:
                break
        return Incumbent(incumbent, lower, max(bound, lower), False, self.nodes, whole and first)

    def _at_last(self, best: Incumbent, dolls: list[int]) -> Incumbent:
        """Find the best family where prices prove none, if few sets can be in it."""
        threshold = max(best.value - dolls[-1], LOWEST)
        listing = self.source.listing(threshold, MOST_LISTED, self.node_limit)
        self.nodes += listing.nodes
        if listing.reached > threshold:
            return replace(best, nodes=self.nodes)
        picked = self._pick(listing, len(dolls), best.value, dolls, self.node_limit * _LAST_NODES)
        sets, value = best.sets, best.value
        if picked.members is not None:
            sets, value = _rows(listing, picked.members), picked.value
        if sets is None:
            return Incumbent(None, best.bound, best.bound, picked.complete, self.nodes)
        bound = value if picked.complete else max(min(best.bound, picked.bound), value)
        return Incumbent(sets, value, bound, False, self.nodes, picked.complete and picked.first)

    def _pick(
        self, listing: Listing, n_sets: int, lower: int, dolls: list[int], limit: int
    ) -> Tuple:
        """Find the best of the listed sets, if as good as a known family."""
        picked = best_tuple(
            listing.values, bits_of(listing.sets, self.source.n), (n_sets, self.max_overlap),
            self.minimum, limit, lower - 1, None if self.minimum else dolls,
        )  # fmt: skip
        self.nodes += picked.nodes
        return picked

    def _near(
        self,
        listing: Listing,
        lower: int,
        dolls: list[int],
        prices: Prices,
        paid: Payment,
        node_limit: int,
    ) -> tuple[bool, bool, int, IntArray | None]:
        """Find the best of sets listed by prices: whether proven, whether first, value, rows."""
        n_sets = len(dolls)
        slack = prices.single - listing.values + prices.prices[listing.sets].sum(axis=1)
        bits = bits_of(listing.sets, self.source.n)
        listed = Listed(listing.values, slack, listing.sets, bits)
        value, members = lower, None
        # The first among equals, or any of them if there are too many.
        for ties in (True, False):
            complete, value, rows, nodes = near_tuple(
                listed, (n_sets, self.max_overlap), n_sets * prices.single + paid.most, paid,
                np.array(dolls, dtype=np.int64), lower, ties,
                node_limit // _TIES if ties else node_limit,
            )  # fmt: skip
            self.nodes += nodes
            members = rows if rows[0] >= 0 else members
            lower = value
            if complete:
                break
        return complete, complete and ties, value, members


def _rows(listing: Listing, rows: IntArray) -> list[tuple[int, ...]]:
    return [tuple(chosen) for chosen in listing.sets[rows].tolist()]
