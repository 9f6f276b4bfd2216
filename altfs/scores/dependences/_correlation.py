"""Absolute correlations of columns, some of which are categories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray
from altfs.scores._information import codes
from altfs.scores._levels import columns_of
from altfs.scores.base import Part
from altfs.scores.dependences.base import PairwiseDependence


class Correlations(PairwiseDependence):
    """The base class of absolute correlations of numbers.

    A number and a category have the correlation ratio: the root of the share of the number's
    variance that lies between the categories. Two categories have Cramér's V. A constant has 0.
    """

    def __init__(self, part: Part, columns: Sequence[int] = ()) -> None:
        super().__init__(part, columns)
        self._is_category = part.categorical
        self._values = [
            codes(x) if is_category else _standardised(self.placed(x.astype(np.float64)))
            for x, is_category in zip(columns_of(part.X), part.categorical, strict=True)
        ]
        self._has_classes = part.target_type != "regression"
        target = part.y if self._has_classes else part.y.astype(np.float64)
        self._y = codes(target) if self._has_classes else _standardised(self.placed(target))

    def placed(self, x: npt.NDArray[np.float64]) -> FloatArray:
        """Return a column of numbers as it is correlated; by default as it is."""
        return x

    def with_target(self) -> FloatArray:
        pairs = zip(self._values, self._is_category, strict=True)
        return np.array([_of(x, bool(c), self._y, self._has_classes) for x, c in pairs])

    def of_pair(self, i: int, j: int) -> float:
        is_category = self._is_category
        return _of(self._values[i], bool(is_category[i]), self._values[j], bool(is_category[j]))


def _standardised(x: FloatArray) -> FloatArray:
    """Return numbers with mean 0 and a sum of squares of 1; zeros for a constant."""
    # Differences from the first row make a constant exactly 0.
    centred = x - x[0]
    centred = centred - centred.mean()
    length = float(np.sqrt(centred @ centred))
    return np.asarray(centred / (length or 1.0))


def _of(
    x: FloatArray | IntArray, x_category: bool, y: FloatArray | IntArray, y_category: bool
) -> float:
    """Return the absolute correlation, the correlation ratio or Cramér's V of two columns."""
    if x_category and y_category:
        if not (x.any() and y.any()):
            return 0.0
        from scipy.stats.contingency import association, crosstab

        return float(association(crosstab(x, y).count, method="cramer"))
    if not (x_category or y_category):
        return min(1.0, abs(float(x @ y)))
    number, category = (y, x) if x_category else (x, y)
    sums, sizes = np.bincount(category, number), np.bincount(category)
    return float(np.sqrt(min(1.0, float((sums**2 / sizes).sum()))))
