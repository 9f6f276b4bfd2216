"""The interface of methods for streams of features: columns, sets that change, methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]
#: Columns and the target of another part, which a set is judged on.
Other = tuple[npt.NDArray[np.float64], npt.NDArray[Any]]

#: Numbers that are equal but for rounding, to multiples of this, are ties.
UNIT = 2.0**-40


class Column(NamedTuple):
    """A column that a method keeps."""

    #: Its place in the data.
    number: int
    #: Its dependence on the target; larger is better.
    dependence: float
    #: What the method needs of it: standardised values, or codes.
    values: Any


#: Columns that arrive, or are let go, together. Most methods have one column in each.
Group = tuple[Column, ...]


class Decision(NamedTuple):
    """The decision of a set on a group."""

    #: Those that join the set.
    kept: list[Column]
    #: Those that are let go, in this order: refused columns and former members.
    gone: list[Group]


class State(ABC):
    """One feature set of a method, while features arrive.

    Attributes
    ----------
    columns : list of Column
        The set, in order of admission.
    tests : int
        The number of comparisons so far.
    """

    def __init__(self) -> None:
        self.columns: list[Column] = []
        self.tests = 0

    @abstractmethod
    def offer(self, group: Group) -> Decision:
        """Judge a group of columns, once."""

    def finish(self) -> Decision:
        """Decide on all columns that wait."""
        return Decision([], [])

    @property
    def waiting(self) -> list[Column]:
        """The columns on which the set has not decided yet."""
        return []

    def leave(self, column: Column) -> None:
        """Remove a member, so that the set is not too large."""
        self.columns.pop(self.place(column))

    def place(self, column: Column) -> int:
        """Return the place of a member in the order of admission."""
        return next(i for i, one in enumerate(self.columns) if one.number == column.number)


class Method(ABC):
    """A method for one stream: it reads columns, and makes the sets that judge them.

    Attributes
    ----------
    tests : int
        The number of comparisons of a single feature with the target.
    expected : set of str
        The names of columns that have to come.
    """

    tests = 0
    expected: Set[str] = frozenset()

    @abstractmethod
    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        """Read some columns of a matrix, and yield those that depend on the target.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            It is not written to.
        columns : range
            The columns to read.
        numbers : ndarray of int of shape (len(columns),)
            Their places in the data.
        names : sequence of str
            Their names; empty if the method expects none.

        Yields
        ------
        tuple of int and Group
            The number of columns of the range that were read before the group was whole.
        """

    @property
    def waiting(self) -> list[Column]:
        """The columns that wait for others of their group."""
        return []

    def rest(self) -> list[Group]:
        """Return the columns that wait, in their groups, and wait no more."""
        return []

    @abstractmethod
    def state(self) -> State:
        """Return an empty set."""

    def quality(self, columns: list[Column]) -> float:
        """Return the quality of a set of columns that were read."""
        return float(sum(c.dependence for c in sorted(columns, key=lambda c: c.number)))

    @abstractmethod
    def objective(self, X: npt.NDArray[np.float64], other: Other | None = None) -> float:
        """Return the quality of a set.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Its columns on the training part.
        other : tuple of ndarray, optional
            Its columns and the target on the part where it is judged.
        """


def rounded(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round numbers to multiples of ``2**-40``, so that ties do not depend on rounding errors.

    >>> rounded(np.array([0.1 + 0.2])) == rounded(np.array([0.3]))
    array([ True])
    """
    found: npt.NDArray[np.float64] = np.rint(numbers / UNIT) * UNIT
    return found


def floats(X: Values, columns: range | npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Copy columns of a matrix as the rows of an array of floats."""
    chosen = X[:, columns.start : columns.stop] if isinstance(columns, range) else X[:, columns]
    return np.array(chosen.T, dtype=np.float64, order="C")
