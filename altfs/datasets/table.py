"""The conversion of a raw table to numbers, and the checks that it can be used."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.datasets.base import RawTable, Task
from altfs.errors import DataError
from altfs.registry import did_you_mean

TargetType = Literal["binary", "multiclass", "regression"]

# A target of whole numbers with at most this many different values has classes, unless the
# entry or the source says that it does not.
_MOST_CLASSES = 20


@dataclass(frozen=True)
class Dataset:
    """A table of numbers with a target.

    Attributes
    ----------
    name : str
    X : ndarray of float64 of shape (n_rows, n_total)
        Feature values, all finite.
    y : ndarray of shape (n_rows,)
        float64 for regression; int64 class labels otherwise.
    feature_names : tuple of str
    target : str
        Name of the target column.
    target_type : {"binary", "multiclass", "regression"}
    info : dict
        origin, sha256, encodings (column -> list of the texts of the codes 0, 1, ...), constant
        and duplicated columns.
    """

    name: str
    X: npt.NDArray[np.float64]
    y: npt.NDArray[Any]
    feature_names: tuple[str, ...]
    target: str
    target_type: TargetType
    info: dict[str, Any] = field(default_factory=dict)

    @property
    def n_total(self) -> int:
        """Number of features."""
        return len(self.feature_names)

    @property
    def digest(self) -> str:
        """SHA-256 of names and values, independent of the file."""
        state = hashlib.sha256()
        state.update("\0".join((*self.feature_names, self.target, self.target_type)).encode())
        state.update(np.ascontiguousarray(self.X).tobytes())
        state.update(np.ascontiguousarray(self.y, dtype=np.float64).tobytes())
        return state.hexdigest()

    @property
    def identity(self) -> str:
        """SHA-256 of the digest and the texts of codes, which identifies a stored dataset.

        Results depend on the digest alone. Other words for the same categories in the same
        order do not change a number.
        """
        texts = json.dumps(self.info.get("encodings", {}), sort_keys=True)
        return hashlib.sha256(f"{self.digest} {texts}".encode()).hexdigest()


def make_dataset(name: str, raw: RawTable, key: str = "dataset") -> Dataset:
    """Encode a raw table as numbers.

    Columns of text become whole numbers in the sorted order of their values. True and false
    become 1 and 0. Constant and duplicated columns are kept and reported in `info`.

    Parameters
    ----------
    name : str
        The dataset's name.
    raw : RawTable
    key : str, default="dataset"
        The place of the dataset in the configuration, for messages.

    Raises
    ------
    DataError
        If the target is missing, there are no features, no rows, missing or infinite values,
        or a column in which only some values are numbers.
    """
    frame = raw.frame
    columns = [str(column) for column in frame.columns]
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise DataError(
            f"{key}: dataset '{name}' has two columns called '{repeated[0]}', "
            "rename one, every column needs a name of its own."
        )
    frame = frame.set_axis(columns, axis="columns")
    if raw.target not in columns:
        near = did_you_mean(raw.target, columns)
        shown = ", ".join(columns[:8]) + (", ..." if len(columns) > 8 else "")
        raise DataError(
            f"{key}: dataset '{name}' has no target column '{raw.target}'{near or ','} "
            f"name one of its columns: {shown}."
        )
    if len(columns) < 2 or frame.empty:
        raise DataError(
            f"{key}: dataset '{name}' has {len(frame)} rows and {len(columns) - 1} features, "
            "at least one of each is needed."
        )
    encodings: dict[str, list[str]] = {}
    where = f"{key}: dataset '{name}', "
    numbers = {c: column_numbers(frame[c], encodings, where) for c in columns}
    y = numbers.pop(raw.target)
    label = f"{where}target '{raw.target}'"
    target_type = _target_type(raw.task, y, raw.target in encodings, label)
    features = tuple(numbers)
    X = np.column_stack([numbers[c] for c in features])
    return Dataset(
        name=name,
        X=X,
        y=y if target_type == "regression" else y.astype(np.int64),
        feature_names=features,
        target=raw.target,
        target_type=target_type,
        info={
            "origin": raw.origin,
            "sha256": raw.sha256,
            "encodings": encodings,
            "constant": [c for c in features if (numbers[c] == numbers[c][0]).all()],
            "duplicated": _duplicated(numbers),
        },
    )


def column_numbers(
    column: pd.Series[Any], encodings: dict[str, list[str]], where: str = ""
) -> npt.NDArray[np.float64]:
    """Return a column as numbers; messages begin with `where`.

    If the column is text, the texts of its codes are added to `encodings`. It is a DataError if
    values are missing, infinite, or of another kind than the others.
    """
    label = f"{where}column '{column.name}'"
    missing = column.isna().to_numpy()
    if missing.any():
        row = int(np.flatnonzero(missing)[0]) + 1
        raise DataError(
            f"{label} has {int(missing.sum())} missing values (first in row {row}), fill them or "
            "leave out the rows or the column."
        )
    if pd.api.types.is_bool_dtype(column) or pd.api.types.is_numeric_dtype(column):
        if np.iscomplexobj(column.to_numpy()):
            raise DataError(f"{label} has complex numbers, split it into real columns.")
        values = column.to_numpy(dtype=np.float64)
    else:
        values = _parsed(column, label, encodings)
    # Prediction models use 32-bit numbers, in which larger ones are infinite.
    infinite = ~(np.abs(values) <= np.finfo(np.float32).max)
    if infinite.any():
        row = int(np.flatnonzero(infinite)[0])
        what = f"the number {values[row]:g}" if np.isfinite(values[row]) else "an infinite value"
        raise DataError(
            f"{label} has {what} in row {row + 1}, only finite numbers up to 3.4e38 are allowed."
        )
    return values


def _parsed(
    column: pd.Series[Any], label: str, encodings: dict[str, list[str]]
) -> npt.NDArray[np.float64]:
    """Return the numbers that are written as text, or codes of texts."""
    plain = (str, int, float, bool, np.generic, Decimal, date, time, timedelta, pd.Period)
    for row, value in enumerate(column):
        # Lists, mappings and bytes would become codes of their printed forms.
        if not isinstance(value, plain) or isinstance(value, bytes):
            raise DataError(
                f"{label} holds a {type(value).__name__} in row {row + 1}, only numbers, text, "
                "true and false, and dates are allowed."
            )
    text = column.astype(str)
    parsed = pd.to_numeric(text, errors="coerce").to_numpy(dtype=np.float64)
    is_number = ~np.isnan(parsed)
    if is_number.all():
        return parsed
    if is_number.any():
        row = int(np.flatnonzero(~is_number)[0])
        raise DataError(
            f"{label} mixes numbers and text, the first value that is not a number is "
            f"'{text.iloc[row]}' in row {row + 1}, make all of them numbers or all of them text."
        )
    categories = sorted(set(text))
    encodings[str(column.name)] = categories
    code = {category: float(i) for i, category in enumerate(categories)}
    return np.array([code[t] for t in text], dtype=np.float64)


def _target_type(task: Task, y: npt.NDArray[np.float64], encoded: bool, label: str) -> TargetType:
    whole = bool((y == np.round(y)).all())
    n_values = len(np.unique(y))
    if n_values < 2:
        raise DataError(f"{label} has only one value, there is nothing to predict.")
    if task == "classification" and not whole:
        raise DataError(
            f"{label} has fractions and cannot be classes, set its task to regression or write "
            "the classes as text."
        )
    if task == "regression" and encoded:
        raise DataError(f"{label} is text, set its task to classification.")
    few = encoded or (whole and n_values <= _MOST_CLASSES)
    if task == "regression" or (task == "auto" and not few):
        return "regression"
    if np.abs(y).max() > 2**53:
        raise DataError(f"{label} has class labels beyond 2^53, write the classes as text.")
    return "binary" if n_values == 2 else "multiclass"


def _duplicated(numbers: dict[str, npt.NDArray[np.float64]]) -> dict[str, str]:
    """Return for each later column the first column with the same values."""
    first: dict[bytes, str] = {}
    return {
        column: first[content]
        for column, values in numbers.items()
        if first.setdefault(content := values.tobytes(), column) != column
    }
