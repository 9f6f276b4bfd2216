"""Distance correlation, which is 0 for independent columns only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, check_rows
from altfs.scores._information import codes
from altfs.scores._levels import columns_of
from altfs.scores.base import Part
from altfs.scores.dependences.base import PairwiseDependence, dependences


@dependences.register("distance_correlation")
class DistanceCorrelation(PairwiseDependence):
    """The root of the bias-corrected squared distance correlation; 0 if that is negative.

    It sees every kind of dependence of two columns, and has no chance level to correct: the
    squared correlation of independent columns is 0 on average. Two categories differ by 1. A
    constant has 0. At least 4 rows are needed. A pair of numbers costs ``N log N``; a category of C
    levels counts as C columns.

    Source: Székely, Rizzo and Bakirov, *Measuring and Testing Dependence by Correlation of
    Distances*, Annals of Statistics 35, 2007; Székely and Rizzo, *The Distance Correlation t-test
    of Independence in High Dimension*, Journal of Multivariate Analysis 117, 2013, for the
    correction; Huo and Székely, *Fast Computing for Distance Covariance*, Technometrics 58, 2016.
    """

    def __init__(self, part: Part, columns: Sequence[int] = ()) -> None:
        check_rows(len(part.y), 4, "distance correlation")
        super().__init__(part, columns)
        pairs = zip(columns_of(part.X), part.categorical, strict=True)
        self._features = [_spread(x, bool(is_category)) for x, is_category in pairs]
        self._y = _spread(part.y, part.target_type != "regression")
        self._variances = [_covariance(x, x) for x in self._features]

    def with_target(self) -> FloatArray:
        variance = _covariance(self._y, self._y)
        pairs = zip(self._features, self._variances, strict=True)
        return np.array([_correlation(x, self._y, of_x, variance) for x, of_x in pairs])

    def of_pair(self, i: int, j: int) -> float:
        x, y = self._features[i], self._features[j]
        return _correlation(x, y, self._variances[i], self._variances[j])


def _spread(x: npt.NDArray[np.generic], is_category: bool) -> FloatArray:
    """Return columns of numbers, a row each, whose summed distances are those of a column.

    Categories that differ have the distance 1: half of the distance of each of two levels.
    """
    if is_category:
        levels = codes(x)
        return np.eye(int(levels.max()) + 1)[levels].T / 2
    numbers = x.astype(np.float64)
    centred = numbers - numbers[0]
    return np.asarray(centred / (np.abs(centred).max() or 1.0))[None]


def _covariance(x: FloatArray, y: FloatArray) -> float:
    from altfs.scores.dependences._distances import covariance

    return float(sum(covariance(a, b) for a in x for b in y))


def _correlation(x: FloatArray, y: FloatArray, of_x: float, of_y: float) -> float:
    # A column's distance variance is 0 for a constant, but for rounding.
    if min(of_x, of_y) < 1e-12:
        return 0.0
    squared = _covariance(x, y) / np.sqrt(of_x * of_y)
    return float(np.sqrt(min(1.0, max(0.0, squared))))
