"""Mutual information of pairs of columns, bit for bit as in scikit-learn.

`mutual_info_regression` with a fixed seed adds the same noise in every call. So each column is
prepared once as a feature and once as a target.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from altfs._numbers import IntArray, check_rows

Matrix = npt.NDArray[np.float64]

#: The number of nearest neighbours of every row in scikit-learn's estimators.
NEIGHBOURS = 3
_NOISE = 1e-10
# Noise of a standard deviation of 1 stays between -10 and 10.
_SEVERAL = 20
# The largest number of terms in memory at a time.
_ROWS_AT_ONCE = 1 << 17


def check_enough_rows(n_rows: int) -> None:
    """Check that there are enough rows for the estimator's number of neighbours."""
    check_rows(n_rows, NEIGHBOURS + 1, "mutual information")


class PairEstimator:
    """Estimates of `mutual_info_regression` for any pairs of columns.

    `X` has all features, as the noise of a column depends on their number. `targets` has the
    columns that can be the target. The seed is that of the noise. It is a DataError if there
    are fewer than 4 rows.
    """

    def __init__(self, X: npt.NDArray[Any], targets: npt.NDArray[Any], seed: int) -> None:
        from scipy.special import digamma

        check_enough_rows(len(X))
        features, prepared = _prepare(X, targets, seed)
        order = np.argsort(features, axis=1, kind="stable")
        self._features = np.take_along_axis(features, order, axis=1)
        # The inverse of the order is the ranks.
        self._rank = np.argsort(order, axis=1, kind="stable").astype(np.int32)
        order = np.argsort(prepared, axis=1, kind="stable")
        self._targets = np.take_along_axis(prepared, order, axis=1)
        self._order = order.astype(np.int32)
        self._levels = _levels(self._features), _levels(self._targets)
        self._digamma = digamma(np.arange(len(X) + 1, dtype=np.float64))
        self._largest = digamma(len(X)) + digamma(NEIGHBOURS)

    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> Matrix:
        """Estimate I(feature, target) in nats for pairs of columns of `X` and of `targets`."""
        from altfs.scores.mixed._neighbours import neighbour_terms, stripes

        chosen = np.asarray(features, dtype=np.int64), np.asarray(targets, dtype=np.int64)
        result = np.empty(len(chosen[0]))
        n_rows = len(self._order[0])
        shapes = stripes(n_rows, self._levels[0][chosen[0]], self._levels[1][chosen[1]])
        step = max(1, _ROWS_AT_ONCE // n_rows)
        for a in range(0, len(result), step):
            x_terms, y_terms = neighbour_terms(
                chosen[0][a : a + step],
                chosen[1][a : a + step],
                self._features,
                self._rank,
                self._targets,
                self._order,
                shapes[a : a + step],
                self._digamma,
            )
            # The order of summation of numpy's mean is a part of the value.
            raw = self._largest - np.mean(x_terms, axis=1) - np.mean(y_terms, axis=1)
            result[a : a + step] = np.maximum(raw, 0.0)
        return result


def _levels(columns: Matrix) -> IntArray:
    """Count the values of ascending columns, one a row, that differ by more than their noise."""
    noise = _NOISE * np.maximum(1, np.mean(np.abs(columns), axis=1, keepdims=True))
    gaps = np.diff(columns, axis=1) > _SEVERAL * noise
    return np.asarray(1 + np.count_nonzero(gaps, axis=1), dtype=np.int64)


def _prepare(X: npt.NDArray[Any], targets: npt.NDArray[Any], seed: int) -> tuple[Matrix, Matrix]:
    """Return scaled columns with scikit-learn's noise, one per row of the results.

    The expressions and their order are scikit-learn's. A sum along the other axis can differ
    in its last bit.
    """
    from sklearn.preprocessing import scale
    from sklearn.utils import check_X_y

    checked = [check_X_y(X[:, :1], column, y_numeric=True)[1] for column in targets.T]
    # Sums depend on the memory layout, so it must not change.
    features = check_X_y(X, targets[:, 0], y_numeric=True)[0].astype(np.float64, copy=True)
    everything = np.ones(features.shape[1], dtype=bool)
    features[:, everything] = scale(features[:, everything], with_mean=False, copy=False)
    means = np.maximum(1, np.mean(np.abs(features[:, everything]), axis=0))
    random = np.random.RandomState(seed)
    features[:, everything] += _NOISE * means * random.standard_normal(size=features.shape)
    noise = random.standard_normal(size=len(features))
    prepared = np.empty((len(checked), len(features)))
    for row, column in zip(prepared, checked, strict=True):
        y = scale(column, with_mean=False)
        y += _NOISE * np.maximum(1, np.mean(np.abs(y))) * noise
        row[:] = y
    return cast("Matrix", np.ascontiguousarray(features.T)), prepared
