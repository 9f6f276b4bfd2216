"""The conversion of a table with a target to numbers, and the checks that it can be used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.datasets.base import RawTable, Task
from altfs.datasets.columns import (
    ROWS_OF_IDS,
    ColumnOptions,
    Columns,
    EncodedColumn,
    column_of,
    encode,
    text_names,
)
from altfs.errors import DataError, placed

TargetType = Literal["binary", "multiclass", "regression"]

#: A target of whole numbers with at most this many different values has classes, unless the
#: entry or the source says that it does not.
MOST_CLASSES = 20


@dataclass(frozen=True)
class Dataset:
    """A table of numbers with a target."""

    name: str
    #: Shape (n_rows, n_total). Feature values; NaN if a value is missing and is to be imputed.
    X: npt.NDArray[np.float64]
    #: Shape (n_rows,). float64 for regression; int64 class labels otherwise.
    y: npt.NDArray[Any]
    feature_names: tuple[str, ...]
    #: Name of the target column.
    target: str
    target_type: TargetType
    #: origin, sha256, encodings (column -> list of the texts of the codes 0, 1, ...), and the
    #: columns that are categorical, dates, incomplete ("missing"), constant and duplicated; if they
    #: are known, the relevant ones.
    info: dict[str, Any] = field(default_factory=dict)
    #: The column by which a study makes folds, which is not a feature; empty if there is none.
    fold_column: str = ""
    #: Shape (n_rows,). A number of each row: of its group, its time or its given fold.
    fold_labels: npt.NDArray[Any] | None = None
    #: Further columns that are no features, by name: a text of each row.
    attributes: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    @property
    def n_total(self) -> int:
        """Number of features."""
        return len(self.feature_names)

    @property
    def categorical(self) -> npt.NDArray[np.bool_]:
        """The features that are categories, as a mask."""
        named = set(self.info.get("categorical", ()))
        return np.array([name in named for name in self.feature_names], dtype=bool)

    @property
    def digest(self) -> str:
        """SHA-256 of names, values, categories and further columns, independent of the file."""
        state = hashlib.sha256()
        state.update("\0".join((*self.feature_names, self.target, self.target_type)).encode())
        if named := self.info.get("categorical"):
            state.update("\0".join(("", "categorical", *named)).encode())
        state.update(np.ascontiguousarray(self.X).tobytes())
        state.update(np.ascontiguousarray(self.y, dtype=np.float64).tobytes())
        if self.fold_labels is not None:
            state.update("\0".join(("", "folds", self.fold_column)).encode())
            state.update(np.ascontiguousarray(self.fold_labels, dtype=np.float64).tobytes())
        for name, texts in self.attributes.items():
            state.update("\0".join(("", "attribute", name, *texts)).encode())
        return state.hexdigest()

    @property
    def identity(self) -> str:
        """SHA-256 of the digest and the texts of codes, which identifies a stored dataset.

        Results depend on the digest alone. Other words for the same categories in the same
        order do not change a number.
        """
        texts = json.dumps(self.info.get("encodings", {}), sort_keys=True)
        if relevant := self.info.get("relevant"):
            texts += json.dumps(relevant)
        return hashlib.sha256(f"{self.digest} {texts}".encode()).hexdigest()


def features_and_target(
    name: str, raw: RawTable, key: str = "", exclude: Sequence[str] = ()
) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Return the features of a table, whose labels are text, and its target.

    It is a DataError if the target is not a column, if two columns have the same name, or if
    there are no rows or features.
    """
    subject = f"dataset '{name}', "
    with placed(key, subject):
        columns = text_names(list(raw.frame.columns))
    frame = raw.frame.set_axis(columns, axis="columns")
    if raw.target not in columns:
        shown = ", ".join(columns[:8]) + (", ..." if len(columns) > 8 else "")
        reason, advice = (
            f"dataset '{name}' has no target column",
            f"name one of its columns: {shown}",
        )
        raise DataError.of_name(key, f"{reason} '{raw.target}'", raw.target, columns, advice)
    for column in exclude:
        if column not in columns or column == raw.target:
            features = [c for c in columns if c != raw.target]
            with placed(key, subject):
                raise _no_feature("exclude", column, features)
    frame = frame.drop(columns=list(exclude))
    if exclude and frame.shape[1] < 2:
        reason = f"{subject}exclude: no feature is left"
        raise DataError(key, reason, f"keep one of {len(columns) - 1}")
    if frame.shape[1] < 2 or frame.empty:
        raise DataError(
            key,
            f"dataset '{name}' has {len(frame)} rows and {frame.shape[1] - 1} features, at least "
            "one of each is needed",
        )
    return frame.drop(columns=raw.target), frame[raw.target]


def make_dataset(
    name: str, raw: RawTable, key: str = "dataset", options: ColumnOptions | None = None
) -> Dataset:
    """Encode a raw table as numbers.

    The kinds of columns are those of :func:`altfs.datasets.columns.column_of`. Constant and
    duplicated columns are kept and reported in `info`.

    Parameters
    ----------
    name : str
        The dataset's name.
    raw : RawTable
    key : str, default="dataset"
        The place of the dataset in the configuration, for messages.
    options : ColumnOptions, optional
        The columns of categories, those to leave out, the relevant ones, and what to do with
        missing values.

    Raises
    ------
    DataError
        If the target is missing, there are no features, no rows, missing values that are
        refused, infinite values, a category with another value in every row, or a column in
        which only some values are numbers.
    """
    options = options or ColumnOptions()
    subject = f"dataset '{name}', "
    for what, named in (("categorical", options.categorical), ("relevant", options.relevant)):
        for feature in named:
            if feature in options.exclude:
                reason = f"{subject}{what}: '{feature}' is in exclude, too"
                raise DataError(key, reason, "name it in one of them")
    frame, column = features_and_target(name, raw, key, options.exclude)
    genuine = tuple(frame.columns)
    with placed(key, subject):
        if options.inject is not None:
            frame = options.inject.add_to(frame)
            held = [c for c in options.inject.categories(options.categorical) if c in frame]
            options = options.model_copy(update={"categorical": tuple(held)})
        features = tuple(frame.columns)
        target = make_target(column, raw.task, f"target '{raw.target}'")
        encoded = encode(frame, options.model_copy(update={"exclude": ()}))
        check_ids(features, encoded)
        truth = _truth(raw, options, features, () if options.inject is None else genuine)
    X = encoded.X
    kinds = dict(zip(features, encoded.kinds, strict=True))
    encodings = {column: list(texts) for column, texts in encoded.encodings.items()}
    return Dataset(
        name=name,
        X=X,
        y=target.y,
        feature_names=features,
        target=raw.target,
        target_type=target.type,
        info={
            "origin": raw.origin,
            "sha256": raw.sha256,
            "encodings": encodings | ({raw.target: list(target.texts)} if target.texts else {}),
            "categorical": [c for c in features if kinds[c] == "category"],
            "dates": [c for c in features if kinds[c] == "date"],
            "missing": [features[j] for j in np.flatnonzero(np.isnan(X).any(axis=0))],
            "constant": [features[j] for j in np.flatnonzero((X[:1] == X).all(axis=0))],
            "duplicated": _duplicated(features, X),
            **truth,
        },
    )


def check_ids(names: Sequence[str], columns: Columns) -> None:
    """Check that no category has another value in every row, or raise a DataError."""
    n_rows = len(columns.X)
    for name, kind, values in zip(names, columns.kinds, columns.X.T, strict=True):
        if n_rows >= ROWS_OF_IDS and kind == "category" and len(np.unique(values)) == n_rows:
            raise DataError(
                f"column '{name}' is a category with another value in every row, as ids "
                "have, put it in exclude"
            )


def _no_feature(key: str, name: str, features: Sequence[str]) -> DataError:
    return DataError.of_name(
        key, f"'{name}' is not a feature", name, features, "use names of features"
    )


def _truth(
    raw: RawTable, options: ColumnOptions, features: tuple[str, ...], genuine: tuple[str, ...]
) -> dict[str, list[str]]:
    """Return the relevant features, in the order of the table, if they are known.

    Beside injected columns, the `genuine` ones count as relevant.
    """
    named = set(options.relevant or raw.relevant or genuine)
    for name in options.relevant:
        if name not in features:
            raise _no_feature("relevant", name, features)
    relevant = [name for name in features if name in named]
    return {"relevant": relevant} if relevant else {}


@dataclass(frozen=True)
class Target:
    """A target as numbers, its type, and the texts of its classes, if they are text."""

    y: npt.NDArray[Any]
    type: TargetType
    texts: tuple[str, ...] = ()


def check_complete(column: pd.Series[Any], label: str) -> None:
    """Check that no value of a target is missing, or raise a DataError."""
    missing = column.isna().to_numpy()
    if missing.any():
        row = int(np.flatnonzero(missing)[0]) + 1
        raise DataError(
            f"{label} has {int(missing.sum())} missing values (NaN, first in row {row}), leave "
            "out these rows"
        )


def make_target(column: pd.Series[Any], task: Task, label: str) -> Target:
    """Return a target as numbers; messages begin with `label`.

    It is a DataError if values are missing, or if it is neither classes nor numbers.
    """
    check_complete(column, label)
    as_classes = task == "classification"
    encoded = column_of(column, label=label)
    if encoded.kind == "date" and as_classes:
        encoded = column_of(column.astype(str), categorical=True)
    elif encoded.kind == "date" and task == "auto":
        raise DataError(
            f"{label} holds dates, set its task to regression to predict days, or to "
            "classification if every date is a class"
        )
    y, target_type = encoded.values, _target_type(task, encoded, label)
    y = y if target_type == "regression" else y.astype(np.int64)
    return Target(y, target_type, encoded.texts)


def _target_type(task: Task, column: EncodedColumn, label: str) -> TargetType:
    y, encoded = column.values, bool(column.texts)
    whole = bool((y == np.round(y)).all())
    n_values = len(np.unique(y))
    if n_values < 2:
        raise DataError(f"{label} has only one value, there is nothing to predict")
    if task == "classification" and not whole:
        raise DataError(
            f"{label} has fractions and cannot be classes, set its task to regression or write "
            "the classes as text"
        )
    if task == "regression" and encoded:
        raise DataError(f"{label} is text, set its task to classification")
    few = encoded or (whole and n_values <= MOST_CLASSES)
    if task == "regression" or (task == "auto" and not few):
        return "regression"
    if np.abs(y).max() > 2**53:
        raise DataError(f"{label} has class labels beyond 2^53, write the classes as text")
    return "binary" if n_values == 2 else "multiclass"


def _duplicated(names: Sequence[str], X: npt.NDArray[np.float64]) -> dict[str, str]:
    """Return for each later column the first column with the same values."""
    first: dict[bytes, str] = {}
    return {
        name: first[content]
        for name, values in zip(names, X.T, strict=True)
        if first.setdefault(content := values.tobytes(), name) != name
    }
