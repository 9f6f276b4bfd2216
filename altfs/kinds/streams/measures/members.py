"""The members of a set, and how they depend on each other and on new columns."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import StreamColumn, StreamSet


class MeasuredMembers(ABC):
    """The members of a set and their dependences, while the set changes.

    Attributes
    ----------
    columns : list of StreamColumn
        In order of admission. The place of a member is that in this list.
    relevance : ndarray of shape (n_members,)
        The dependence of each member on the target.
    tests : int
        The number of tests given other members.
    """

    def __init__(self) -> None:
        self.columns: list[StreamColumn] = []
        self.relevance: FloatArray = np.empty(0)
        self.tests = 0

    def append(self, column: StreamColumn) -> None:
        """Add a last member."""
        self.columns.append(column)
        self.relevance = np.append(self.relevance, column.dependence)

    def remove(self, place: int) -> None:
        """Remove a member."""
        self.columns.pop(place)
        self.relevance = np.delete(self.relevance, place)

    @abstractmethod
    def between(self, column: StreamColumn) -> FloatArray:
        """Return the dependence of a column on each member; 0 if independent."""

    def close(self, column: StreamColumn, touching: bool) -> npt.NDArray[np.bool_]:
        """Tell which members depend on a column as much as one of the two on the target."""
        between = self.between(column)
        least = np.minimum(self.relevance, column.dependence)
        close: npt.NDArray[np.bool_] = between >= least if touching else between > least
        return close

    def judge(
        self, column: StreamColumn, equal_loses: bool, touching: bool
    ) -> tuple[list[int], int, bool]:
        """Compare a column with members in pairs, up to the first that makes it redundant.

        Of two columns, the one that depends less on the target is redundant if it depends more
        on the other column: also as much, if `touching`. With `equal_loses`, a member makes a
        column of equal dependence on the target redundant, too.

        Return the places of members that the column makes redundant, the number of members that
        were looked at, and whether the last one of these makes the column redundant.
        """
        lost: list[int] = []
        for i in np.flatnonzero(self.close(column, touching)).tolist():
            old, new = self.columns[i].dependence, column.dependence
            if old > new or (old == new and equal_loses):
                return lost, i + 1, True
            if old < new:
                lost.append(i)
        return lost, len(self.columns), False

    @abstractmethod
    def separated(self, place: int, most: int, required: int = -1) -> bool:
        """Tell whether 1 to `most` others make a member independent of the target.

        `most` is at most 3. `required` is the place of a member that has to be among the others.
        """


class MeasuredSet(StreamSet):
    """A set whose columns are the members of a measure.

    Parameters
    ----------
    members : MeasuredMembers
        Those of an empty set.
    """

    def __init__(self, members: MeasuredMembers) -> None:
        super().__init__()
        self.members, self.columns = members, members.columns

    def remove(self, place: int) -> None:
        self.members.remove(place)
