"""Tables and targets as users have them: arrays, lists, frames of pandas, polars and Arrow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.sparse import issparse
from sklearn.utils.validation import column_or_1d, validate_data

from altfs._numbers import BoolArray
from altfs.datasets.base import Task
from altfs.datasets.columns import (
    ColumnOptions,
    Columns,
    Kind,
    Missing,
    encode,
    encode_numbers,
    encode_sparse,
    text_names,
)
from altfs.datasets.table import Target, check_complete, make_target
from altfs.errors import AltfsError, DataError, placed
from altfs.problem.constraints import as_indices

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


def read_table(X: Any, what: str = "X") -> Table:
    """Return the table in a frame or array-like; messages begin with `what`.

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
    _check_container(X, what)
    if not isinstance(X, pd.DataFrame):
        if not hasattr(X, "__arrow_c_stream__") or isinstance(X, np.ndarray):
            return Table(X)
        table = _as_arrow(X, what)
        with placed(what):
            names = text_names(table.column_names)
        X = table.rename_columns(names).to_pandas()
        return Table(X.set_axis(names, axis="columns"), named=True)
    labels: list[Any] = list(X.columns)
    if labels == list(range(len(labels))):
        return Table(X)
    numbered = all(isinstance(label, int | np.integer) for label in labels)
    named = all(isinstance(label, str) for label in labels)
    with placed(what):
        names = text_names(labels)
    return Table(X.set_axis(names, axis="columns"), numbered, named)


def _check_container(X: Any, what: str) -> None:
    """Check that a value may be a table, or raise a DataError that says how to make one."""
    kind, name = f"{type(X).__module__}.{type(X).__name__}", type(X).__name__
    if kind.startswith("polars") and name == "LazyFrame":
        raise DataError(what, "a LazyFrame has no values yet", f"use {what}.collect()")
    if name == "RecordBatchReader":
        raise DataError(what, "a RecordBatchReader is read only once", f"use {what}.read_all()")
    if isinstance(X, Mapping) and not issparse(X):
        raise DataError(what, "a dict is not a table", f"use pandas.DataFrame({what})")
    if isinstance(X, pd.Series) or (kind.startswith("polars") and name == "Series"):
        raise DataError(what, "a Series is one column", f"use a table such as {what}.to_frame()")
    if isinstance(X, np.matrix):
        raise DataError(what, "a numpy.matrix is not taken", f"use numpy.asarray({what})")
    if isinstance(X, np.ndarray) and X.dtype.names:
        raise DataError(what, "an array of records is not taken", f"use pandas.DataFrame({what})")
    readable = any(map(partial(hasattr, X), ("__len__", "__array__", "__arrow_c_stream__")))
    if isinstance(X, str | bytes) or not (readable or issparse(X)):
        raise DataError(what, f"a {name} is not a table", "give a frame or an array")


def _as_arrow(X: Any, what: str) -> Any:
    """Return an Arrow table of a frame; a DataError if a column has a type unknown to Arrow."""
    import pyarrow as pa

    try:
        return pa.table(X)
    except pa.ArrowException as error:
        for name in getattr(X, "columns", ()):
            try:
                pa.table(X.select(name))
            except pa.ArrowException:
                raise DataError(
                    what,
                    f"column '{name}' is of the type {X.schema[name]}, which Arrow does not know",
                    "cast it to another one",
                ) from None
        raise DataError(what, f"Arrow does not read it ({error})", "use a pandas frame") from None


def numbers_in(values: Any, key: str) -> npt.NDArray[Any]:
    """Return an array of numbers; an AltfsError if it holds anything else."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind == "c":
        raise AltfsError(key, "complex numbers are not allowed", "use their parts as columns")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        where = ""
        if isinstance(values, pd.DataFrame):
            wrong = (name for name in values if not _is_numeric(values[name]))
            where = f"column '{next(wrong)}' is not of numbers, "
        raise AltfsError(key, f"{where}only numbers are allowed", "encode text first") from None


def _is_numeric(column: pd.Series[Any]) -> bool:
    try:
        column.to_numpy().astype(np.float64)
    except (TypeError, ValueError):
        return False
    return True


@dataclass(frozen=True)
class EncodedTable:
    """A table and its target as numbers, and the table as it came; None for a sparse one."""

    names: tuple[str, ...]
    columns: Columns
    target: Target
    frame: pd.DataFrame | None
    options: ColumnOptions

    @property
    def gaps(self) -> BoolArray | None:
        """Return where values are missing; None if none may be, or the table is sparse."""
        if self.frame is None or self.options.missing == "refuse":
            return None
        return self.frame.isna().to_numpy()

    def kinds(self) -> str:
        """Say what the columns are, if they are not all numbers."""
        parts = []
        for kind, plural in _KINDS.items():
            names = [n for n, k in zip(self.names, self.columns.kinds, strict=True) if k == kind]
            if names:
                more = ", ..." if len(names) > _MOST else ""
                listed = "" if kind == "number" else f" ({', '.join(names[:_MOST])}{more})"
                parts.append(f"{len(names)} {kind if len(names) == 1 else plural}{listed}")
        return "" if set(self.columns.kinds) == {"number"} else ", ".join(parts)


def read_rows(
    estimator: Any,
    table: Table,
    y: Any,
    task: Task,
    categorical: Any,
    missing: Missing,
    unused: Any,
) -> EncodedTable:
    """Return a table and a target as numbers; scikit-learn notes the names for the estimator.

    No set may hold the `unused` columns, so they may have anything. It is a DataError if
    another column or the target cannot be used.
    """
    data = table.data
    if not table.is_frame:
        data = plain_array(data)
        _check_matrix(data)
    if y is not None:
        y = _plain_target(y)
    frame: pd.DataFrame | None = None
    if isinstance(data, pd.DataFrame):
        validate_data(estimator, data, y, skip_check_array=True)
        if len(data) < 2 or not data.shape[1]:
            raise DataError(
                "X",
                f"{len(data)} rows and {data.shape[1]} columns are too few, 2 rows and 1 column "
                "are needed",
            )
        values = _as_series(y)
        _check_target(values, len(data))
        frame = data
    else:
        if y is not None:
            _check_target(_as_series(y), (data if issparse(data) else np.asarray(data)).shape[0])
        # Sums depend on the memory layout, so it is always the same.
        layout: dict[str, Any] = {"accept_sparse": "csc", "dtype": np.float64, "order": "C"}
        allowed = {"ensure_min_samples": 2, "ensure_all_finite": False}
        data, y = validate_data(estimator, data, y, **layout, **allowed)
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
    with placed("X"):
        if frame is None:
            columns = encode_sparse(data, names, options.categorical)
        elif frame is not data and not (options.categorical or options.exclude):
            # A frame with 100,000 names takes as long as the checks.
            columns = encode_numbers(data, names, missing)
        else:
            frame = frame.set_axis(names, axis="columns")
            columns = encode(frame, options)
    target = make_target(values, task, "target y")
    return EncodedTable(tuple(names), columns, target, frame, options)


def column_names(estimator: Any) -> list[str]:
    """Return the names of the columns that scikit-learn noted, or x0, x1, ..."""
    if hasattr(estimator, "feature_names_in_"):
        return list(map(str, estimator.feature_names_in_))
    return [f"x{j}" for j in range(estimator.n_features_in_)]


def as_it_is(table: Table) -> Any:
    """Return what scikit-learn turns into an array without a change of values."""
    data = table.data if table.is_frame else plain_array(table.data)
    if isinstance(data, pd.DataFrame):
        # numpy has no common type for dates and numbers.
        times = [name for name, dtype in data.dtypes.items() if dtype.kind in "mM"]
        return data.astype(dict.fromkeys(times, object)) if times else data
    return data


def check_finite(table: Table) -> None:
    """Check that a table has neither missing nor infinite values, or raise a DataError."""
    data = table.data if table.is_frame else pd.DataFrame(plain_array(table.data))
    if not table.is_frame:
        data = data.set_axis([f"x{j}" for j in range(data.shape[1])], axis="columns")
    with placed("X"):
        encode(data.set_axis(list(map(str, data.columns)), axis="columns"), ColumnOptions())


def plain_array(X: Any, what: str = "X") -> Any:
    """Return an array-like of numbers as it is, and one of text or dates as a frame."""
    if isinstance(X, np.ma.MaskedArray):
        return np.ma.filled(X.astype(np.float64), np.nan)
    if issparse(X):
        return X
    try:
        array = np.asarray(X)
    except ValueError:
        raise DataError(what, "its rows have different lengths", "give a table") from None
    if array.ndim == 2 and array.dtype.kind in "OUSMm":
        if array.dtype.kind == "S":
            array = array.astype(str)
        # An array of text would make text of the numbers in a list.
        return pd.DataFrame(array if isinstance(X, np.ndarray) else np.asarray(X, dtype=object))
    return X


def _check_matrix(X: Any) -> None:
    """Check that an array has rows and columns of real numbers, or raise a DataError."""
    array = X if issparse(X) or isinstance(X, pd.DataFrame) else np.asarray(X)
    if array.ndim != 2:
        reason = f"shape {array.shape} is not that of a table"
        raise DataError("X", reason, "give rows and columns, such as pandas.DataFrame(X)")
    if getattr(array, "dtype", np.dtype(float)).kind == "c":
        # scikit-learn wants these words.
        reason = "column 'x0' has complex numbers (Complex data not supported)"
        raise DataError("X", reason, "split it into real columns")


def _as_series(y: Any) -> pd.Series[Any]:
    """Return a plain target as a Series, with a warning if it has a column of its own."""
    return y if isinstance(y, pd.Series) else pd.Series(column_or_1d(y, warn=True))


def read_target(y: Any) -> pd.Series[Any]:
    """Return a target as a Series; a DataError if it has not one value for each row."""
    return _as_series(_plain_target(y))


def _plain_target(y: Any) -> Any:
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
        raise DataError("y", "a LazyFrame has no values yet", "use y.collect()")
    if issparse(y):
        raise DataError("y", "a sparse target is not taken", "use y.toarray().ravel()")
    try:
        array = np.asarray(y)
    except ValueError:
        raise DataError("y", "its rows have different lengths", "give one value for each") from None
    if array.dtype.kind == "c":
        raise DataError("y", "complex numbers are not allowed", "use real ones")
    if array.ndim == 0:
        reason = f"a {type(y).__name__} is not a target"
        raise DataError("y", reason, "give one value for each row, such as a column of a table")
    if array.ndim > 2 or (array.ndim == 2 and array.shape[1] != 1):
        raise DataError("y", f"shape {array.shape} is not allowed", "give one value for each row")
    return y


def _check_target(y: pd.Series[Any], n_rows: int) -> None:
    """Check that a target has a value for every row, or raise a DataError."""
    if len(y) != n_rows:
        raise DataError(
            "y", f"{len(y)} values for {n_rows} rows of X are inconsistent", "give one for each row"
        )
    check_complete(y, "target y")
