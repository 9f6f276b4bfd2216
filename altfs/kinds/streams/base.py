"""Columns that arrive, the sets that judge them, and what these decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray

Values = npt.NDArray[Any]

#: Numbers that are equal but for rounding, to multiples of this, are ties.
UNIT = 2.0**-40


class StreamColumn(NamedTuple):
    """A column that depends on the target."""

    #: Its place in the data.
    number: int
    #: Its dependence on the target; larger is better.
    dependence: float
    #: What the selector needs of it: standardised values, or codes.
    values: Any


#: Columns that arrive, or are let go, together. Most selectors have one column in each.
ColumnGroup = tuple[StreamColumn, ...]


class Decision(NamedTuple):
    """The decision of a set on a group."""

    #: Those that join the set.
    kept: list[StreamColumn]
    #: Those that are let go, in this order: refused columns and former members.
    gone: list[ColumnGroup]


class StreamSet(ABC):
    """One feature set of a selector, while features arrive.

    Attributes
    ----------
    columns : list of StreamColumn
        The set, in order of admission.
    tests : int
        The number of comparisons so far.
    """

    def __init__(self) -> None:
        self.columns: list[StreamColumn] = []
        self.tests = 0

    @abstractmethod
    def offer(self, group: ColumnGroup) -> Decision:
        """Judge a group of columns, once."""

    def finish(self) -> Decision:
        """Decide on all columns that wait."""
        return Decision([], [])

    @property
    def waiting(self) -> list[StreamColumn]:
        """The columns on which the set has not decided yet."""
        return []

    def remove(self, place: int) -> None:
        """Remove the member in a place of `columns`, so that the set is not too large."""
        self.columns.pop(place)


def rounded(numbers: npt.ArrayLike) -> FloatArray:
    """Round numbers to multiples of ``2**-40``, so that ties do not depend on rounding errors.

    >>> rounded([0.1 + 0.2]) == rounded([0.3])
    array([ True])
    """
    return np.asarray(np.rint(np.asarray(numbers, dtype=np.float64) / UNIT) * UNIT)


def floats(X: Values, columns: range | npt.NDArray[np.int64]) -> FloatArray:
    """Copy columns of a matrix as the rows of an array of floats."""
    part = X[:, columns.start : columns.stop] if isinstance(columns, range) else X[:, columns]
    return np.array(part.T, dtype=np.float64, order="C")
