"""Tables and targets as users have them: arrays, and frames of pandas, polars and Arrow."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import issparse
from sklearn.utils.validation import column_or_1d, validate_data

from altfs.datasets.base import Task
from altfs.datasets.columns import (
    ROWS_OF_IDS,
    ColumnOptions,
    Columns,
    Kind,
    Missing,
    encode,
    encode_numbers,
    encode_sparse,
    text_names,
)
from altfs.datasets.table import Target, check_known, make_target
from altfs.errors import AltfsError, DataError, DataWarning
from altfs.library.inputs import as_indices

_KINDS: dict[Kind, str] = {"number": "numbers", "category": "categories", "date": "dates"}
# The largest number of columns in a sentence.
_MOST = 5


@dataclass(frozen=True)
class Table:
    """A table: a pandas frame whose labels are text, or an array-like without names.

    `numbered` is True if the labels were whole numbers that name the columns, and `named` if
    they were text.
    """

    data: Any
    numbered: bool = False
    named: bool = False

    @property
    def is_frame(self) -> bool:
        """True for a frame."""
        return isinstance(self.data, pd.DataFrame)


def read_table(X: Any) -> Table:
    """Return the table in a frame or array-like.

    Labels that are not text become text. The labels 0, 1, ... of a frame are not names.

    Raises
    ------
    DataError
        If it is not a table, or the names of its columns are not distinct.

    Examples
    --------
    >>> list(read_table(pd.DataFrame({106: [1, 2]})).data.columns)
    ['106']
    """
    kind = f"{type(X).__module__}.{type(X).__name__}"
    if kind.startswith("polars") and type(X).__name__ == "LazyFrame":
        raise DataError("X: a LazyFrame has no values yet, use X.collect().")
    if isinstance(X, Mapping) and not issparse(X):
        raise DataError("X: a dict is not a table, use pandas.DataFrame(X).")
    if isinstance(X, pd.Series) or (kind.startswith("polars") and type(X).__name__ == "Series"):
        raise DataError("X: a Series is one column, use a table such as X.to_frame().")
    if not isinstance(X, pd.DataFrame):
        if hasattr(X, "__arrow_c_stream__") and not isinstance(X, np.ndarray):
            import pyarrow as pa

            if isinstance(X, pa.RecordBatchReader):
                raise DataError("X: a RecordBatchReader is read only once, use X.read_all().")
            table = pa.table(X)
            names = text_names(table.column_names, "X: ")
            X = table.rename_columns(names).to_pandas()
            return Table(X.set_axis(names, axis="columns"), named=True)
        return Table(X)
    labels: list[Any] = list(X.columns)
    if labels == list(range(len(labels))):
        return Table(X)
    numbered = all(isinstance(label, int | np.integer) for label in labels)
    named = all(isinstance(label, str) for label in labels)
    return Table(X.set_axis(text_names(labels, "X: "), axis="columns"), numbered, named)


def numbers_in(values: Any, key: str) -> npt.NDArray[Any]:
    """Return an array of numbers; an AltfsError if it holds anything else."""
    found = np.asarray(values)
    if found.dtype.kind in "biuf":
        return found
    if found.dtype.kind == "c":
        raise AltfsError(f"{key}: complex numbers are not allowed, use their parts as columns.")
    try:
        return found.astype(np.float64)
    except (TypeError, ValueError):
        raise AltfsError(f"{key}: only numbers are allowed, encode text first.") from None


@dataclass(frozen=True)
class Rows:
    """A table and its target as numbers, and the table as it came; None for a sparse one."""

    names: tuple[str, ...]
    columns: Columns
    target: Target
    frame: pd.DataFrame | None
    options: ColumnOptions

    def kinds(self) -> str:
        """Say what the columns are, if they are not all numbers."""
        parts: list[str] = []
        if set(self.columns.kinds) == {"number"}:
            return ""
        for kind, plural in _KINDS.items():
            chosen = [n for n, k in zip(self.names, self.columns.kinds, strict=True) if k == kind]
            if chosen:
                named = (
                    ""
                    if kind == "number"
                    else f" ({', '.join(chosen[:_MOST])}"
                    + (", ...)" if len(chosen) > _MOST else ")")
                )
                parts.append(f"{len(chosen)} {kind if len(chosen) == 1 else plural}{named}")
        return ", ".join(parts)


def read_rows(
    estimator: Any,
    table: Table,
    y: Any,
    task: Task,
    categorical: Any,
    missing: Missing,
    unused: Any,
) -> Rows:
    """Return a table and a target as numbers; scikit-learn notes the names for the estimator.

    No set may hold the `unused` columns, so they may have anything. It is a DataError if
    another column or the target cannot be used.
    """
    data, y = table.data, _plain_target(y)
    if not table.is_frame:
        data = _plain_array(data)
    frame: pd.DataFrame | None = None
    if isinstance(data, pd.DataFrame):
        validate_data(estimator, data, y, skip_check_array=True)
        if len(data) < 2 or not data.shape[1]:
            raise DataError(
                f"X: {len(data)} rows and {data.shape[1]} columns are too few, 2 rows and 1 column "
                "are needed."
            )
        values = y if isinstance(y, pd.Series) else pd.Series(column_or_1d(y, warn=True))
        _check_target(values, data.shape)
        frame = data
    else:
        if y is not None:
            _check_target(y, data.shape if issparse(data) else np.asarray(data).shape)
        # Sums depend on the memory layout, so it is always the same.
        data, y = validate_data(
            estimator,
            data,
            y,
            accept_sparse="csc",
            dtype=np.float64,
            order="C",
            ensure_min_samples=2,
            ensure_all_finite=False,
        )
        values = pd.Series(y)
        frame = None if issparse(data) else pd.DataFrame(data, copy=False)
    names = column_names(estimator)
    chosen = as_indices("categorical", categorical, names, by_label=table.numbered)
    left_out = as_indices("exclude", unused, names, by_label=table.numbered)
    options = ColumnOptions(
        categorical=tuple(names[j] for j in chosen),
        exclude=tuple(names[j] for j in left_out),
        missing=missing,
    )
    if frame is None:
        columns = encode_sparse(data, names, options.categorical, "X: ")
    elif frame is not data and not (options.categorical or options.exclude):
        # A frame with 100,000 names takes as long as the checks.
        columns = encode_numbers(data, names, missing, "X: ")
    else:
        frame = frame.set_axis(names, axis="columns")
        columns = encode(frame, options, "X: ")
    rows = Rows(tuple(names), columns, make_target(values, task, "target y"), frame, options)
    _warn_of_ids(rows)
    return rows


def column_names(estimator: Any) -> list[str]:
    """Return the names of the columns that scikit-learn noted, or x0, x1, ..."""
    if hasattr(estimator, "feature_names_in_"):
        return list(map(str, estimator.feature_names_in_))
    return [f"x{j}" for j in range(estimator.n_features_in_)]


def as_it_is(table: Table) -> Any:
    """Return what scikit-learn turns into an array without a change of values."""
    data = table.data if table.is_frame else _plain_array(table.data)
    if isinstance(data, pd.DataFrame):
        # numpy has no common type for dates and numbers.
        times = [name for name, dtype in data.dtypes.items() if dtype.kind in "mM"]
        return data.astype(dict.fromkeys(times, object)) if times else data
    return data


def check_finite(table: Table) -> None:
    """Check that a table has neither missing nor infinite values, or raise a DataError."""
    data = table.data if table.is_frame else pd.DataFrame(_plain_array(table.data))
    if not table.is_frame:
        data = data.set_axis([f"x{j}" for j in range(data.shape[1])], axis="columns")
    encode(data.set_axis(list(map(str, data.columns)), axis="columns"), ColumnOptions(), "X: ")


def _plain_array(X: Any) -> Any:
    """Return an array-like of numbers as it is, and one of text or dates as a frame."""
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float64), np.nan)
    if issparse(X):
        return X
    try:
        array = np.asarray(X)
    except ValueError:
        raise DataError("X: its rows have different lengths, give a table.") from None
    if array.ndim == 2 and array.dtype.kind in "OUSMm":
        if array.dtype.kind == "S":
            array = array.astype(str)
        # An array of text would make text of the numbers in a list.
        return pd.DataFrame(array if isinstance(X, np.ndarray) else np.asarray(X, dtype=object))
    return X


def _plain_target(y: Any) -> Any:
    """Return a target as a pandas Series, if it is a column of a frame, else as it is."""
    if hasattr(y, "to_pandas"):
        y = y.to_pandas()
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    if isinstance(y, np.ma.MaskedArray):
        y = np.ma.filled(y.astype(np.float64), np.nan)
    if isinstance(y, pd.Series):
        return y.reset_index(drop=True)
    return y


def _check_target(y: Any, shape: tuple[int, ...]) -> None:
    """Check that a target of one column has a value for every row, or raise a DataError."""
    values = y if isinstance(y, pd.Series) else np.asarray(y)
    if values.ndim != 1 or not shape:
        # scikit-learn says what it has to be.
        return
    if len(values) != shape[0]:
        raise DataError(
            f"y: {len(values)} values for {shape[0]} rows of X are inconsistent, give one for each "
            "row."
        )
    check_known(pd.Series(values), "target y")


def _warn_of_ids(rows: Rows) -> None:
    """Warn of categories that have another value in every row."""
    X, texts = rows.columns.X, rows.columns.encodings
    for name in texts:
        if len(X) >= ROWS_OF_IDS and len(np.unique(X[:, rows.names.index(name)])) == len(X):
            warnings.warn(
                f"column '{name}' has another value in every row, as ids have, which looks like "
                "information to most selectors, leave it out.",
                DataWarning,
                stacklevel=4,
            )
