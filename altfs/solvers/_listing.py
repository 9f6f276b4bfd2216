"""Feature sets from some value on, in the one order that all searches keep."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]

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
