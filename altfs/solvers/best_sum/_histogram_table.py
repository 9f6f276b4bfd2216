"""Histograms: the numbers of features that are in one, two, ... sets of a family.

A family of T sets of k features has a *histogram* ``(y_1, ..., y_T)``: y_m features lie in
m sets or more. Histograms that use up all overlaps are the *frontier*, with a sum of
(m - 1) y_m of T (T - 1) / 2 * c. Any other histogram comes from one of these by making it
less equal. This never raises the value, which is a sum of concave functions of the
entries. Histograms do not depend on the data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, IntArray
from altfs.solvers.best_sum._families import FAMILY, LIMIT, first_family

Histogram = tuple[int, ...]

#: Larger frontiers (T = 12 and k = 10, say) are left to other solvers.
MOST_HISTOGRAMS = 300_000
# Cells of the table that counts them. A larger one takes gigabytes.
_MOST_CELLS = 10_000_000
# Decisions after which it stays open whether a histogram exists. Six sets of ten features
# take a few thousand of them in most cases, and at most 110,000.
_NODES = 5_000_000

_NO_POOL = np.empty(0, dtype=np.int64)


@lru_cache(maxsize=1024)
def frontier_size(n_sets: int, n_features: int, max_overlap: int) -> int:
    """Return the number of histograms that use up all overlaps.

    It is 2**62 if counting them would take too long.

    Examples
    --------
    >>> frontier_size(6, 10, 5)
    341
    """
    slots, pairs = n_sets * n_features, comb(n_sets, 2) * max_overlap
    if (slots + 1) * (pairs + 1) > _MOST_CELLS:
        return 1 << 62
    ways = np.zeros((slots + 1, pairs + 1))
    ways[0, 0] = 1
    for m in range(1, n_sets + 1):
        p = comb(m, 2)
        if p > pairs:
            break
        for s in range(m, slots + 1):
            ways[s, p:] += ways[s - m, : pairs + 1 - p]
    return int(min(ways[slots, pairs], 2.0**62))


@lru_cache(maxsize=1024)
def frontier(n_sets: int, n_features: int, max_overlap: int) -> IntArray:
    """Return all histograms that use up all overlaps, one a row."""
    size = frontier_size(n_sets, n_features, max_overlap)
    table: IntArray = _frontier(n_sets, n_features, comb(n_sets, 2) * max_overlap, size)
    return table


@compiled()
def _frontier(n_sets: int, n_features: int, pairs: int, size: int) -> IntArray:
    histograms = np.zeros((size, n_sets), dtype=np.int64)
    count = 0
    y = np.zeros(n_sets + 1, dtype=np.int64)
    slots_left = np.zeros(n_sets + 1, dtype=np.int64)
    pairs_left = np.zeros(n_sets + 1, dtype=np.int64)
    slots_left[0], pairs_left[0] = n_sets * n_features, pairs
    m = 0
    y[0] = n_sets * n_features
    while m >= 0:
        # Entry m + 1 of the histogram (index m) goes down from y[m].
        if y[m] >= 0 and y[m] * (n_sets - m) >= slots_left[m]:
            if m * y[m] > pairs_left[m]:
                y[m] -= 1
                continue
            slots_left[m + 1] = slots_left[m] - y[m]
            pairs_left[m + 1] = pairs_left[m] - m * y[m]
            if m == n_sets - 1:
                if slots_left[m + 1] == 0 and pairs_left[m + 1] == 0:
                    copy_into(histograms[count], y[:n_sets])
                    count += 1
                y[m] -= 1
            else:
                y[m + 1] = min(y[m], slots_left[m + 1])
                m += 1
        else:
            m -= 1
            if m >= 0:
                y[m] -= 1
    return histograms[:count]


def less_equal(histogram: Histogram) -> Iterator[Histogram]:
    """Yield the histograms one step less equal: one feature goes from m + 1 sets to m.

    Examples
    --------
    >>> list(less_equal((4, 2, 1)))
    [(5, 1, 1), (4, 3, 0)]
    """
    for m in range(len(histogram) - 1):
        y = list(histogram)
        y[m] += 1
        y[m + 1] -= 1
        rising = m > 0 and y[m] > y[m - 1]
        falling = m + 2 < len(y) and y[m + 1] < y[m + 2]
        if y[m + 1] >= 0 and not rising and not falling:
            yield tuple(y)


@lru_cache(maxsize=1 << 16)
def exists(
    histogram: Histogram, n_features: int, max_overlap: int
) -> tuple[bool | None, BoolArray | None]:
    """Return whether a family has this histogram, and such a family.

    The first answer is None if that took too long. The family is an array of bool of shape
    (n_sets, y_1), with features by descending number of sets; None if none is known.
    """
    uses = multiplicities(histogram)
    none = np.full(len(uses), -1, dtype=np.int64)
    outcome, member, _ = first_family(
        len(histogram), n_features, max_overlap, uses, none, _NO_POOL, _NODES
    )
    if outcome == LIMIT:
        return None, None
    return (True, member) if outcome == FAMILY else (False, None)


def multiplicities(histogram: Histogram) -> IntArray:
    """Return the number of sets that hold each feature, descending.

    Examples
    --------
    >>> multiplicities((4, 2, 1)).tolist()
    [3, 2, 1, 1]
    """
    if histogram[0] == 0:
        return np.empty(0, dtype=np.int64)
    counts = (np.arange(histogram[0])[:, None] < np.array(histogram)).sum(axis=1)
    return np.asarray(counts, dtype=np.int64)
