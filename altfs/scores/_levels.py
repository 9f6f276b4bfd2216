"""A column as the places of its values in ascending order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from altfs._numbers import IntArray

# A sparse table is made dense by so many columns at a time.
_COLUMNS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Levels:
    """A column as the places of its values in ascending order.

    Attributes
    ----------
    codes : ndarray of int of shape (n_rows,)
        The number of each row's value, from 0 for the smallest one.
    counts : ndarray of int of shape (n_levels,)
        The number of rows of each value.
    discrete : bool
        True for categories, and for numbers of few values: at most the root of the number of rows.
    """

    codes: IntArray
    counts: IntArray
    discrete: bool

    @classmethod
    def of(cls, column: npt.NDArray[np.generic], categorical: bool) -> Levels:
        """Return the levels of a column.

        >>> Levels.of(np.array([0.5, 7, 0.5]), False).codes.tolist()
        [0, 1, 0]
        """
        _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
        few = len(counts) ** 2 <= len(codes)
        return cls(codes.astype(np.int64), counts.astype(np.int64), categorical or few)

    @cached_property
    def first(self) -> IntArray:
        """The number of rows with smaller values, for each value and for none."""
        return np.concatenate([[0], np.cumsum(self.counts)]).astype(np.int64)

    @cached_property
    def places(self) -> IntArray:
        """The mean rank of the rows of each value, doubled."""
        return self.first[:-1] + self.first[1:] - 1

    @cached_property
    def order(self) -> IntArray:
        """The rows in ascending order."""
        return np.argsort(self.codes, kind="stable").astype(np.int64)

    @cached_property
    def pattern(self) -> bytes:
        """The numbers of equal rows, for comparisons."""
        return bytes([self.discrete]) + self.counts.tobytes()

    @property
    def distinct(self) -> bool:
        """True if all rows have different values."""
        return len(self.counts) == len(self.codes)

    def arranged(self, codes: IntArray) -> Levels:
        """Return the same values in other rows."""
        return Levels(codes, self.counts, self.discrete)

    @classmethod
    def sorted(cls, counts: IntArray, discrete: bool) -> Levels:
        """Return values of some numbers of rows, in ascending order."""
        return cls(np.repeat(np.arange(len(counts)), counts), counts, discrete)

    @classmethod
    def of_codes(cls, codes: IntArray) -> Levels:
        """Return categories that are whole numbers from 0, of which some may have no row.

        >>> Levels.of_codes(np.array([4, 0, 4])).codes.tolist()
        [1, 0, 1]
        """
        counts = np.bincount(codes)
        return cls((np.cumsum(counts > 0) - 1)[codes], counts[counts > 0], True)

    def grouped(self, number: int) -> Levels:
        """Return groups of neighbouring values with about equally many rows, as categories.

        Equal values share a group. The descending order has the same groups.

        >>> Levels.of(np.array([1.0, 2, 3, 3, 9, 10]), False).grouped(2).codes.tolist()
        [0, 0, 1, 1, 1, 1]
        """
        groups = (self.places + 1) * number // (2 * len(self.codes))
        return Levels.of_codes(groups[self.codes])

    def thinned(self, n_rows: int) -> Levels:
        """Return at most so many rows, at equal steps of the ascending order, in this order."""
        n = len(self.codes)
        if n <= n_rows:
            return Levels.sorted(self.counts, self.discrete)
        # The same distances at both ends: the reverse order gives the same rows.
        steps = (2 * np.arange(n_rows) + 1) * n // (2 * n_rows)
        levels = np.searchsorted(self.first, steps, side="right") - 1
        counts = np.bincount(levels, minlength=len(self.counts))
        return Levels.sorted(counts[counts > 0], self.discrete)


def columns_of(X: Any) -> Iterator[npt.NDArray[np.generic]]:
    """Yield the columns of a table, which may be sparse."""
    for a in range(0, X.shape[1], _COLUMNS_AT_ONCE):
        block = X[:, a : a + _COLUMNS_AT_ONCE]
        yield from (block.toarray() if issparse(block) else block).T


def content_key(values: npt.NDArray[Any]) -> bytes:
    """Return a key for sorting columns, equal for those that rise or fall in the same way.

    >>> content_key(np.array([1.0, 7.0, 3.0])) == content_key(np.array([0, -2, -1]))
    True
    """
    try:
        codes = np.unique(values, return_inverse=True)[1]
    except TypeError:
        # Texts among numbers or gaps.
        codes = np.unique(np.asarray(values).astype(str), return_inverse=True)[1]
    either = (codes, codes.max(initial=0) - codes)
    return min(sha256(one.astype(np.int64).tobytes()).digest() for one in either)
