"""The base of all measures of dependence, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.errors import DataError
from altfs.registry import Registry
from altfs.scores.base import Part


class Dependence(ABC):
    """The base class of measures of the features of a part, from 0 (independent) to 1.

    Attributes
    ----------
    for_classes : bool, default=False
        True if it refuses a numeric target.
    of_target : bool, default=False
        True if the target decides the values of pairs of features.

    Parameters
    ----------
    part : Part
    columns : sequence of int, default=()
        The features that can be the second one of a pair.
    """

    name: ClassVar[str]
    for_classes: ClassVar[bool] = False
    of_target: ClassVar[bool] = False

    @abstractmethod
    def __init__(self, part: Part, columns: Sequence[int] = ()) -> None: ...

    @abstractmethod
    def with_target(self) -> FloatArray:
        """Return the dependence of every feature and the target."""

    @abstractmethod
    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> FloatArray:
        """Return the dependence of pairs; `targets` are places in the columns."""

    @classmethod
    def check_target(cls, target_type: str) -> None:
        """Check that the measure is for a type of target, or raise a DataError."""
        if cls.for_classes and target_type == "regression":
            reason = f"{cls.name} is for classes, the target is a number"
            raise DataError("measure", reason, "use mutual_information")


class PairwiseDependence(Dependence):
    """The base class of measures of one pair after the other, the same from both sides."""

    def __init__(self, part: Part, columns: Sequence[int] = ()) -> None:
        self._columns = np.asarray(columns, dtype=np.int64)

    @abstractmethod
    def of_pair(self, i: int, j: int) -> float:
        """Return the dependence of two features, of which i is not after j."""

    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> FloatArray:
        chosen, places = np.asarray(features, dtype=np.int64), np.asarray(targets, dtype=np.int64)
        pairs = zip(chosen.tolist(), self._columns[places].tolist(), strict=True)
        return np.array([self.of_pair(min(i, j), max(i, j)) for i, j in pairs])


dependences: Registry[Dependence] = Registry("altfs.scores.dependences", "measure")
