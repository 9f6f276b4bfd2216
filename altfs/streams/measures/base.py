"""The interface of a measure of dependence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from altfs.streams.base import Column, Other, Values


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

    @abstractmethod
    def strengths(
        self, X: npt.NDArray[np.float64], other: Other | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the dependence of each column on the target, however small, on any part."""
