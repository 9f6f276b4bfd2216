"""Several sets at once, for qualities whose single sets can be listed from the best down.

The best T sets are found for T = 1, 2, ... in turn. A set of a T-solution that
is better than a known one is at least as good as what that one has more than
the best T - 1 sets: those are listed, and the best T of them are picked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from altfs.solvers._cliques import bits_of
from altfs.solvers._tuples import best_tuple

IntArray = npt.NDArray[np.int64]

#: Sets that are listed at most; where there are more, the better ones.
MOST_LISTED = 40_000


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

    def best(self, given: list[frozenset[int]], node_limit: int) -> tuple[IntArray | None, int, int, int]:
        """The best set that differs from `given` too: set, value, upper bound, nodes."""

    def listing(self, threshold: int, most: int, node_limit: int) -> Listing:
        """All sets of at least some value, or the best ones."""


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
    # Best objective of 0, 1, ... sets: exact where proven, else an upper bound.
    dolls = [0, top]
    known: list[tuple[int, ...]] | None = None
    value = 0
    for r in range(2, n_sets + 1):
        part = greedy[:r] if len(greedy) >= r else None
        objectives = [v for _, v in part] if part else []
        lower: int | None = None
        if part:
            lower = min(objectives) if minimum else sum(objectives)
        known = [s for s, _ in part] if part else None
        if minimum and r < n_sets:
            # The minimum of fewer sets bounds nothing that the top does not.
            dolls.append(top)
            continue
        while True:
            if lower is None:
                threshold = -(1 << 60)
            else:
                threshold = lower if minimum else lower - dolls[r - 1]
            listing = source.listing(threshold, MOST_LISTED, node_limit)
            nodes += listing.nodes
            floor = -(1 << 61) if lower is None else lower - 1
            found = best_tuple(
                listing.values, bits_of(listing.sets, source.n), r, max_overlap, minimum,
                node_limit, floor, None if minimum else dolls,
            )  # fmt: skip
            nodes += found.nodes
            if found.members is not None:
                known = [tuple(listing.sets[i].tolist()) for i in found.members]
                improved = lower is None or found.value > lower
                lower = found.value
            else:
                improved = False
            # A better family is within the list, or holds a set that is not listed.
            inside = found.bound if not found.complete else (found.value if found.members is not None else floor)
            outside = listing.reached - 1 if minimum else listing.reached - 1 + dolls[r - 1]
            if listing.reached <= threshold:
                outside = -(1 << 61) if lower is None else lower
            bound = max(inside, outside, -(1 << 61) if lower is None else lower)
            if listing.reached > threshold and improved and found.complete and lower is not None:
                better = lower if minimum else lower - dolls[r - 1]
                if better > threshold:
                    continue
            break
        if lower is None and listing.reached <= threshold and found.complete:
            return Family(None, 0, 0, True, nodes)
        if not minimum:
            # The r best sets hold r families of r - 1 sets, each set in r - 1 of them.
            bound = min(bound, dolls[r - 1] + top, dolls[r - 1] * r // (r - 1))
        else:
            bound = min(bound, top)
        dolls.append(bound)
        value = bound if lower is None else lower
    return Family(known, value, dolls[n_sets], False, nodes)


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
