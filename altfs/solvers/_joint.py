"""Several sets at once, for qualities whose single sets can be listed from the best down.

The best T sets are found for T = 1, 2, ... in turn. A set of a T-solution that
is better than a known one is at least as good as what that one has more than
the best T - 1 sets: those are listed, and the best T of them are picked. Where
there are too many, prices for the use of features leave fewer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from altfs.solvers._cliques import bits_of
from altfs.solvers._prices import Prices, tune_prices
from altfs.solvers._tuples import Tuple, best_tuple

IntArray = npt.NDArray[np.int64]

# Sets that are listed at most at the first try; where there are more, the better ones.
_FEW_LISTED = 4_000
MOST_LISTED = 40_000
_EFFORTS = 3
_ROUNDS = 60
_LOWEST = -(1 << 61)


@dataclass(frozen=True)
class Listing:
    """Feature sets from some value on.

    Attributes
    ----------
    sets : ndarray of int64 of shape (n_found, n_features)
        Ascending indices, rows in lexicographic order.
    values : ndarray of int64 of shape (n_found,)
    reached : int
        All sets of at least this value are listed.
    nodes : int
    """

    sets: IntArray
    values: IntArray
    reached: int
    nodes: int


class Source(Protocol):
    """Single sets of one quality under the constraints of one problem."""

    n: int

    def best(
        self, given: list[frozenset[int]], node_limit: int
    ) -> tuple[IntArray | None, int, int, int]:
        """The best set that differs from `given` too: set, value, upper bound, nodes."""

    def listing(
        self, threshold: int, most: int, node_limit: int, prices: IntArray | None = None
    ) -> Listing:
        """All sets of at least some value after prices, or the best ones; values without."""

    def best_after(
        self, given: list[frozenset[int]], prices: IntArray, node_limit: int
    ) -> tuple[IntArray | None, int, int]:
        """The best set after prices that differs from `given`: set, value without, nodes."""

    def priced(self, prices: IntArray, node_limit: int) -> tuple[IntArray | None, int, int, int]:
        """The best set after prices: set, value, upper bound, nodes."""


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
    """

    sets: list[tuple[int, ...]] | None
    value: int
    bound: int
    infeasible: bool
    nodes: int


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
    return answer


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
        lower = _LOWEST
        if start:
            lower = min(v for _, v in start) if self.minimum else sum(v for _, v in start)
        bound = top if self.minimum else min(dolls[-1] + top, dolls[-1] * n_sets // (n_sets - 1))
        for effort in range(_EFFORTS if last else 1):
            # Every set of a better family is worth this at least.
            threshold = lower if self.minimum else max(lower - dolls[-1], _LOWEST)
            listing = self.source.listing(
                threshold, _FEW_LISTED if effort == 0 else MOST_LISTED, self.node_limit
            )
            listed_by: Prices | None = None
            if effort > 0 and not self.minimum and known is not None:
                prices = tune_prices(
                    self.source.priced, self.source.n,
                    (n_sets, listing.sets.shape[1], self.max_overlap), lower,
                    self.node_limit, _ROUNDS,
                )  # fmt: skip
                self.nodes += prices.nodes
                bound = min(bound, prices.bound)
                for share in (2, 1):
                    family = self._spread(prices.prices * share // 2, n_sets)
                    if family is not None and sum(v for _, v in family) > lower:
                        lower = sum(v for _, v in family)
                        known = [s for s, _ in family]
                others = prices.paid + (n_sets - 1) * prices.single
                priced = self.source.listing(
                    lower - others, MOST_LISTED, self.node_limit, prices.prices
                )
                self.nodes += priced.nodes
                if bound <= lower or priced.reached <= lower - others:
                    listing, listed_by = replace(priced, reached=threshold), prices
                else:
                    # Not all of them, but good ones: the better family may be among them.
                    tried = self._pick(priced, n_sets, lower, dolls, prices)
                    if tried.members is not None:
                        lower = tried.value
                        known = [tuple(priced.sets[i].tolist()) for i in tried.members]
                    priced = self.source.listing(
                        lower - others, MOST_LISTED, self.node_limit, prices.prices
                    )
                    self.nodes += priced.nodes
                    if bound <= lower or priced.reached <= lower - others:
                        listing, listed_by = replace(priced, reached=threshold), prices
            self.nodes += listing.nodes
            found = self._pick(listing, n_sets, lower, dolls, listed_by)
            improved = found.members is not None and found.value > lower
            if found.members is not None:
                known = [tuple(listing.sets[i].tolist()) for i in found.members]
                lower = found.value
            # A better family is among the listed sets, or holds one that is not.
            inside = max(lower, found.bound if not found.complete else lower)
            outside = lower
            if listing.reached > threshold:
                outside = listing.reached - 1 + (0 if self.minimum else dolls[-1])
            bound = min(bound, max(inside, outside))
            if bound <= lower or (listing.reached <= threshold and found.complete):
                break
            if self.minimum and not improved and effort > 0:
                break
        if known is None and listing.reached <= threshold and found.complete:
            return Family(None, 0, 0, True, self.nodes)
        value = bound if known is None else lower
        return Family(known, value, max(bound, value), False, self.nodes)

    def _spread(self, prices: IntArray, n_sets: int) -> list[tuple[tuple[int, ...], int]] | None:
        """A family found set by set under prices, which then are taken away again."""
        family: list[tuple[tuple[int, ...], int]] = []
        limit = self.node_limit // 10
        for _ in range(n_sets):
            given = [frozenset(s) for s, _ in family]
            chosen, value, nodes = self.source.best_after(given, prices, limit)
            self.nodes += nodes
            if chosen is None:
                return None
            family.append((tuple(chosen.tolist()), value))
        free = np.zeros_like(prices)
        changed, i = 0, 0
        while changed < n_sets:
            others = [frozenset(s) for h, (s, _) in enumerate(family) if h != i]
            chosen, value, nodes = self.source.best_after(others, free, limit)
            self.nodes += nodes
            changed += 1
            if chosen is not None and value > family[i][1]:
                family[i] = (tuple(chosen.tolist()), value)
                changed = 0
            i = (i + 1) % n_sets
        return family

    def _pick(
        self,
        listing: Listing,
        n_sets: int,
        lower: int,
        dolls: list[int],
        prices: Prices | None,
    ) -> Tuple:
        """The best of the listed sets, if as good as a known family."""
        slack, ceiling = None, 1 << 60
        if prices is not None:
            slack = prices.single - listing.values + prices.prices[listing.sets].sum(axis=1)
            ceiling = prices.paid + n_sets * prices.single
        found = best_tuple(
            listing.values, bits_of(listing.sets, self.source.n), n_sets, self.max_overlap,
            self.minimum, self.node_limit, lower - 1, None if self.minimum else dolls,
            slack, ceiling,
        )  # fmt: skip
        self.nodes += found.nodes
        return found


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


def lexicographic_rows(sets: IntArray) -> IntArray:
    """Order of feature sets that are rows of ascending indices."""
    return np.lexsort(sets.T[::-1]) if sets.shape[1] else np.arange(len(sets))
