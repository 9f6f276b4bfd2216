"""Feature sets from some value on, in the one order that all searches keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

#: What is wanted of a search for sets of at least some value: all of them (where
#: there are too many the better half is kept), the best one, or the first ones met.
ALL, BEST, SOME = 0, 1, 2
#: What is `reached` where nothing is known to be complete.
NOT_REACHED = 1 << 61


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


def lexicographic_rows(sets: IntArray) -> IntArray:
    """Order of feature sets that are rows of ascending indices."""
    return np.lexsort(sets.T[::-1]) if sets.shape[1] else np.arange(len(sets))


def bits_of(sets: IntArray, n: int) -> Bits:
    """Feature sets as bits: feature j is bit j % 64 of word j // 64.

    Examples
    --------
    >>> bits_of(np.array([[0, 2]]), 3).tolist()
    [[5]]
    """
    bits = np.zeros((len(sets), (n + 63) // 64), dtype=np.uint64)
    rows = np.arange(len(sets))
    for column in sets.T:
        bits[rows, column >> 6] |= np.uint64(1) << (column & 63).astype(np.uint64)
    return bits
