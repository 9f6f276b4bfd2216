"""Targets as users have them: arrays, columns of frames, and lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.utils.validation import column_or_1d

from altfs.datasets.table import check_complete
from altfs.errors import DataError


def as_series(y: Any) -> pd.Series[Any]:
    """Return a plain target as a Series, with a warning if it has a column of its own."""
    return y if isinstance(y, pd.Series) else pd.Series(column_or_1d(y, warn=True))


def read_target(y: Any) -> pd.Series[Any]:
    """Return a target as a Series; a DataError if it has not one value for each row."""
    return as_series(plain_target(y))


def plain_target(y: Any) -> Any:
    """Return a target as a pandas Series, if it is a column of a frame, else as an array-like.

    It is a DataError if it has not one value for each row.
    """
    if hasattr(y, "to_pandas"):
        y = y.to_pandas()
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    if isinstance(y, np.ma.MaskedArray):
        y = np.ma.filled(y.astype(np.float64), np.nan)
    if isinstance(y, pd.Series):
        return y.reset_index(drop=True)
    if hasattr(y, "collect"):
        raise DataError("y: a LazyFrame has no values yet, use y.collect().")
    if issparse(y):
        raise DataError("y: a sparse target is not taken, use y.toarray().ravel().")
    try:
        found = np.asarray(y)
    except ValueError:
        raise DataError("y: its rows have different lengths, give one value for each.") from None
    if found.dtype.kind == "c":
        raise DataError("y: complex numbers are not allowed, use real ones.")
    if found.ndim == 0:
        raise DataError(
            f"y: a {type(y).__name__} is not a target, give one value for each row, such as a "
            "column of a table."
        )
    if found.ndim > 2 or (found.ndim == 2 and found.shape[1] != 1):
        raise DataError(f"y: shape {found.shape} is not allowed, give one value for each row.")
    return y


def check_target(y: pd.Series[Any], n_rows: int) -> None:
    """Check that a target has a value for every row, or raise a DataError."""
    if len(y) != n_rows:
        raise DataError(
            f"y: {len(y)} values for {n_rows} rows of X are inconsistent, give one for each row."
        )
    check_complete(y, "target y")
