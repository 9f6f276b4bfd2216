"""Mutual information of columns, some of which are categories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray
from altfs.scores._levels import columns_of
from altfs.scores._pair_estimator import PairEstimator
from altfs.scores.base import Part


def codes(column: npt.NDArray[np.generic]) -> IntArray:
    """Return the categories of a column as 0, 1, ... in sorted order."""
    result: IntArray = np.unique(column, return_inverse=True)[1].astype(np.int64)
    return result


def categories_with_target(
    X: FloatArray, y: npt.NDArray[np.generic], classes: bool, seed: int
) -> FloatArray:
    """Return the information of columns of categories about a target, as scikit-learn does.

    `classes` tells if the target has classes, not numbers.
    """
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    if not X.shape[1]:
        return np.zeros(0)
    estimate = mutual_info_classif if classes else mutual_info_regression
    values = [
        estimate(codes(x)[:, None], y, discrete_features=True, random_state=seed)[0]
        for x in columns_of(X)
    ]
    return np.array(values, dtype=np.float64)


class PairInformation:
    """Mutual information of features with some columns of a part as targets.

    Pairs of numbers have the values of `PairEstimator`. Pairs with categories have those of
    scikit-learn's functions for one target, with all columns of a kind.
    """

    def __init__(self, part: Part, columns: Sequence[int]) -> None:
        self._part, self._columns = part, np.asarray(columns, dtype=np.int64)
        self._is_number = numbers = ~part.categorical
        chosen = self._columns[numbers[self._columns]]
        if chosen.size:
            X = part.X if numbers.all() else part.X[:, numbers]
            self._estimate = PairEstimator(X, part.X[:, chosen], part.seed)
        self._place = np.cumsum(numbers) - 1
        self._target_place = np.cumsum(numbers[self._columns]) - 1

    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> FloatArray:
        """Estimate I(feature, target) in nats; `targets` are places in the columns."""
        chosen, places = np.asarray(features, dtype=np.int64), np.asarray(targets, dtype=np.int64)
        columns, result = self._columns[places], np.empty(len(chosen))
        both = self._is_number[chosen] & self._is_number[columns]
        if both.any():
            of_target = self._target_place[places[both]]
            result[both] = self._estimate(self._place[chosen[both]], of_target)
        for column in np.unique(columns[~both]):
            pairs = np.flatnonzero(~both & (columns == column))
            result[pairs] = self._values_with(int(column))[chosen[pairs]]
        return result

    def _values_with(self, column: int) -> FloatArray:
        """Return the information about one column, for pairs in which one is a category."""
        from sklearn.feature_selection import mutual_info_classif

        X, seed, numbers = self._part.X, self._part.seed, self._is_number
        is_category = not numbers[column]
        target = codes(X[:, column]) if is_category else X[:, column]
        values = np.full(X.shape[1], np.nan)
        values[~numbers] = categories_with_target(X[:, ~numbers], target, is_category, seed)
        if is_category and numbers.any():
            values[numbers] = mutual_info_classif(X[:, numbers], target, random_state=seed)
        return values
