"""Codes: a column as a few levels, which can be counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from altfs._numbers import IntArray

_MOST_VALUES = 20
_BINS = 10
_TARGET_BINS = 5


class Codes(NamedTuple):
    """A column as levels 0, 1, ..., each of which occurs."""

    #: Shape (n_rows,).
    values: IntArray
    levels: int
    #: In nats.
    entropy: float


def codes(values: npt.NDArray[Any]) -> Codes:
    """Return the codes of values that are levels already.

    >>> codes(np.array([3, 3, 7, 9])).values
    array([0, 0, 1, 2])
    """
    _, levels, counts = np.unique(values, return_inverse=True, return_counts=True)
    shares = counts / len(values)
    return Codes(levels.astype(np.int64), len(counts), float(-(shares * np.log(shares)).sum()))


def cuts(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return where the levels of a column end.

    At most 20 different whole numbers are a level each. Other columns have ten levels of
    about equal numbers of rows; a level has the values up to its end.

    >>> cuts(np.array([1.0, 5.0, 1.0])), len(cuts(np.arange(100.0)))
    (array([3.]), 9)
    """
    different = np.unique(values)
    if len(different) <= _MOST_VALUES and (different == np.rint(different)).all():
        return (different[1:] + different[:-1]) / 2
    return equal_frequency(values, _BINS)


def equal_frequency(values: npt.NDArray[np.float64], bins: int) -> npt.NDArray[np.float64]:
    """Return the ends of levels of about equal numbers of rows."""
    return np.unique(np.quantile(values, np.arange(1, bins) / bins))


def coded(
    values: npt.NDArray[np.float64], reference: npt.NDArray[np.float64] | None = None
) -> Codes:
    """Return the codes of a column, by default with its own cuts, or those of a reference."""
    return codes(np.searchsorted(cuts(values if reference is None else reference), values))


class TargetCodes:
    """The codes of a target: its classes, or five levels of a number."""

    def __init__(self, y: npt.NDArray[Any], target_type: str) -> None:
        self._cuts: npt.NDArray[np.float64] | None = None
        if target_type == "regression":
            self._cuts = equal_frequency(np.asarray(y, dtype=np.float64), _TARGET_BINS)
        self.codes = self.of(y)

    def of(self, y: npt.NDArray[Any]) -> Codes:
        """Return the codes of the target of any part."""
        return codes(y if self._cuts is None else np.searchsorted(self._cuts, y))
