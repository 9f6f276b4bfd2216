"""Values in the place of missing ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray


def substitutes(X: FloatArray, categorical: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the value of each column that takes the place of missing ones (NaN).

    It is the median of numbers, or the most frequent of categories (the smallest of several),
    or 0 without any value.

    >>> X = np.array([[1.0, 2.0], [np.nan, 2.0], [4.0, 1.0]])
    >>> substitutes(X, np.array([False, True]))
    array([2.5, 2. ])
    """
    result = np.zeros(X.shape[1])
    for j, column in enumerate(X.T):
        present = column[~np.isnan(column)]
        if present.size and categorical[j]:
            values, counts = np.unique(present, return_counts=True)
            result[j] = values[counts.argmax()]
        elif present.size:
            result[j] = np.median(present)
    return result


def filled(X: FloatArray, values: FloatArray) -> FloatArray:
    """Return a copy in which missing values are the value of their column."""
    return np.where(np.isnan(X), values, X)


def takes_missing(estimator: Any) -> bool:
    """Return True if a scikit-learn estimator takes NaN."""
    from sklearn.utils import get_tags

    return bool(get_tags(estimator).input_tags.allow_nan)
