"""The interface of a measure of dependence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from altfs.kinds.streams.base import Column, Other, Values


class Verdict(NamedTuple):
    """The result of comparing a column with the members of a set."""

    #: The places of members that it makes redundant.
    lost: list[int]
    #: The number of members that were looked at.
    compared: int
    #: True if the last one of these makes the column redundant.
    redundant: bool


class Shelf(ABC):
    """The columns of a set in order of admission, to be compared with new ones."""

    @abstractmethod
    def add(self, column: Column) -> None:
        """Add a last column."""

    @abstractmethod
    def remove(self, place: int) -> None:
        """Remove the column in a place."""

    @abstractmethod
    def between(self, column: Column) -> npt.NDArray[np.float64]:
        """Return the dependence of a column on each column of the shelf; 0 if independent."""

    def judge(
        self,
        column: Column,
        relevance: npt.NDArray[np.float64],
        equal_loses: bool,
        touching: bool,
    ) -> Verdict:
        """Compare a column with all others in pairs, up to the first that makes it redundant.

        Of two columns, the one that depends less on the target is redundant if it depends more
        on the other column.

        Parameters
        ----------
        column : Column
        relevance : ndarray of shape (n_members,)
            The dependence of each member on the target.
        equal_loses : bool
            True if a member of equal dependence on the target can make the column redundant.
        touching : bool
            True if a dependence between the two that equals one on the target is enough.
        """
        lost: list[int] = []
        for i in np.flatnonzero(self.close(column, relevance, touching)).tolist():
            if relevance[i] > column.dependence or (
                relevance[i] == column.dependence and equal_loses
            ):
                return Verdict(lost, i + 1, True)
            if relevance[i] < column.dependence:
                lost.append(i)
        return Verdict(lost, len(relevance), False)

    def close(
        self, column: Column, relevance: npt.NDArray[np.float64], touching: bool
    ) -> npt.NDArray[np.bool_]:
        """Tell which members depend on a column as much as one of the two on the target."""
        between = self.between(column)
        least = np.minimum(relevance, column.dependence)
        found: npt.NDArray[np.bool_] = between >= least if touching else between > least
        return found


class Relation(ABC):
    """The dependences within a set, given other members, while the set changes.

    Members are named by their place in the order of admission.
    """

    tests = 0

    @abstractmethod
    def add(self, column: Column) -> None:
        """Add a last member."""

    @abstractmethod
    def remove(self, place: int) -> None:
        """Remove a member."""

    @abstractmethod
    def separated(self, place: int, most: int, required: int = -1) -> bool:
        """Tell whether a member is independent of the target given others.

        Parameters
        ----------
        place : int
        most : int
            The largest number of others, from 1 to 3.
        required : int, optional
            A member that has to be among the others.
        """


class Measure(ABC):
    """The base class of measures of dependence on one target.

    Attributes
    ----------
    equal_loses : bool
        True if a new feature that depends on the target as much as an old one can be dropped
        for it, as in SAOLA's public code.
    """

    equal_loses: ClassVar[bool] = False

    @abstractmethod
    def dependences(self, X: Values, columns: range) -> npt.NDArray[np.float64]:
        """Return the dependence of each of some columns on the target; 0 if independent."""

    @abstractmethod
    def kept(self, X: Values, columns: npt.NDArray[np.int64]) -> list[Any]:
        """Return what is kept of each of some columns."""

    def relevant(self, X: Values, columns: range) -> Iterable[tuple[int, float, Any]]:
        """Return the place, the dependence and what is kept of those that depend on the target."""
        found = self.dependences(X, columns)
        chosen = np.flatnonzero(found)
        kept = self.kept(X, chosen + columns.start)
        return zip(chosen.tolist(), found[chosen].tolist(), kept, strict=True)

    @abstractmethod
    def strengths(
        self, X: npt.NDArray[np.float64], other: Other | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the dependence of each column on the target, however small, on any part."""
