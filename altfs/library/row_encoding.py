"""Rows of a user's table as numbers, those of the fit and later ones, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from altfs._numbers import BoolArray, FloatArray, check_not_empty
from altfs.datasets.columns import (
    ColumnOptions,
    EncodedColumn,
    Kind,
    column_of,
    cuts_of,
    each_column,
    encode,
    have,
    listed,
    with_category,
)
from altfs.datasets.missing import filled, substitutes
from altfs.errors import AltfsError, DataError, placed
from altfs.library.tables import Table, plain_array
from altfs.problem.constraints import as_indices


class Groups(NamedTuple):
    """The groups of a column in which missing values are a category."""

    #: Between groups of numbers; empty for categories.
    cuts: FloatArray
    #: The code of missing values.
    missing: float


@dataclass(frozen=True)
class RowEncoding:
    """The columns of a fit, and how rows of a table with them become numbers.

    Text becomes codes, dates become days, and missing values those that take their place.
    """

    names: tuple[str, ...]
    kinds: Mapping[str, Kind]
    #: The texts of the codes of each column of text.
    texts: Mapping[str, Sequence[str]]
    #: Shape (n_columns,). The values in the place of missing ones; None if these are refused.
    substitutes: FloatArray | None
    #: The columns in which missing values are a category.
    groups: Mapping[str, Groups]

    @classmethod
    def learn(cls, table: Table, categorical: Any, missing: str) -> tuple[Self, FloatArray]:
        """Return the encoding of a table, and its rows as numbers.

        A DataError names all columns that cannot be used.
        """
        frame = frame_of(table, "X")
        check_not_empty("X", len(frame))
        names = tuple(frame.columns)
        chosen = {names[j] for j in as_indices("categorical", categorical, names,
                                               by_label=table.numbered)}  # fmt: skip

        def encoded(columns: pd.DataFrame) -> Any:
            of_these = tuple(name for name in columns if name in chosen)
            return encode(columns, ColumnOptions(categorical=of_these, missing="impute"))

        with placed("X"):
            try:
                columns = encoded(frame)
            except DataError:
                each_column(names, lambda name: encoded(frame[[name]]))
                raise
        values = substitutes(columns.X, columns.categorical) if missing == "impute" else None
        kinds, texts = dict(zip(names, columns.kinds, strict=True)), dict(columns.encodings)
        groups = {}
        incomplete = np.flatnonzero(np.isnan(columns.X).any(axis=0)).tolist()
        for j in incomplete if missing == "as_category" else ():
            name, column = names[j], columns.X[:, j]
            cuts = np.zeros(0) if kinds[name] == "category" else cuts_of(column)
            grouped = with_category(EncodedColumn(column, kinds[name], tuple(texts.get(name, ()))))
            groups[name] = Groups(cuts, float(grouped.values.max()))
            kinds[name] = "category"
            if grouped.texts:
                texts[name] = grouped.texts
        encoding = cls(names, kinds, texts, values, groups)
        return encoding, encoding._complete(columns.X, "X")

    @property
    def categorical(self) -> BoolArray:
        """The columns that are categories."""
        return np.array([kind == "category" for kind in self.kinds.values()], dtype=bool)

    def numbers(self, table: Table, key: str) -> FloatArray:
        """Return rows of another table as numbers, with the columns in the order of the fit.

        A DataError names all columns that are absent or cannot be used.
        """
        frame = self._in_order(frame_of(table, key), table.named, key)
        with placed(key):
            columns = each_column(self.names, lambda name: self._column(frame[name]))
        return self._complete(np.column_stack(columns), key)

    def number(self, name: str, value: Any, key: str) -> float:
        """Return one value of a column as a number, which is NaN if it is missing."""
        with placed(key):
            return float(self._column(pd.Series([value], name=name))[0])

    def frame(self, X: FloatArray) -> pd.DataFrame:
        """Return rows of numbers as a table in which codes are their texts."""
        frame = pd.DataFrame(X, columns=list(self.names))
        texts = {
            name: np.array(texts, dtype=object)[frame[name].to_numpy(dtype=np.int64)]
            for name, texts in self.texts.items()
        }
        return frame.assign(**texts)

    def _in_order(self, frame: pd.DataFrame, named: bool, key: str) -> pd.DataFrame:
        """Return the columns of the fit."""
        if named:
            check_names(self.names, frame.columns.tolist(), key, "these rows")
            return frame[list(self.names)]
        if frame.shape[1] != len(self.names):
            reason = f"{frame.shape[1]} columns are not allowed"
            raise DataError(key, reason, f"use the {len(self.names)} of the fit")
        return frame.set_axis(list(self.names), axis="columns")

    def _column(self, column: pd.Series[Any]) -> FloatArray:
        """Return a column as numbers; a DataError if it is not what the fit had."""
        name, label = str(column.name), f"column '{column.name}'"
        kind, texts, groups = self.kinds[name], self.texts.get(name), self.groups.get(name)
        if groups is not None and len(groups.cuts):
            # The texts are those of groups of numbers.
            texts, kind = None, "number"
        if texts is None:
            encoded = column_of(column)
            if groups is not None and encoded.kind == "date":
                return encoded.values
            same = encoded.kind == kind or {encoded.kind, kind} == {"number", "category"}
            if column.notna().any() and (encoded.texts or not same):
                raise DataError(f"{label} has other values than the {kind}s of the fit, use these")
            return encoded.values
        present = column.notna()
        codes = column[present].astype(str).map({text: i for i, text in enumerate(texts)})
        if codes.isna().any():
            text = column[present][codes.isna()].iloc[0]
            raise DataError(f"{label} has the category '{text}', which the fit did not have")
        return np.asarray(codes.reindex(column.index), dtype=np.float64)

    def _complete(self, X: FloatArray, key: str) -> FloatArray:
        """Return numbers with the substitutes or codes of missing ones, or refuse these."""
        X = X.copy() if self.groups else X
        for name, groups in self.groups.items():
            column = X[:, self.names.index(name)]
            missing = np.isnan(column)
            if len(groups.cuts):
                column[~missing] = np.searchsorted(groups.cuts, column[~missing])
            column[missing] = groups.missing
        if self.substitutes is not None:
            return np.ascontiguousarray(filled(X, self.substitutes))
        gaps = [self.names[j] for j in np.flatnonzero(np.isnan(X).any(axis=0))]
        if gaps:
            raise DataError(
                key,
                f"{listed(gaps)} {have(gaps)} missing values",
                "set `missing` to impute or as_category, fill them, or leave out rows or columns",
            )
        return np.ascontiguousarray(X)


def frame_of(table: Table, key: str) -> pd.DataFrame:
    """Return a table as a frame whose columns are named x0, x1, ... if they have no names."""
    data = table.data if table.is_frame else plain_array(table.data, key)
    if issparse(data):
        raise DataError(key, "sparse rows are not taken", f"use {key}.toarray()")
    if not isinstance(data, pd.DataFrame):
        data = np.asarray(data)
    if data.ndim != 2 or not data.shape[1]:
        raise AltfsError(key, f"shape {data.shape} is not allowed", "use (n_rows, n_columns)")
    data = pd.DataFrame(data)
    if not (table.named or table.numbered):
        data = data.set_axis([f"x{j}" for j in range(data.shape[1])], axis="columns")
    return data.reset_index(drop=True)


def check_names(names: Sequence[str], columns: Sequence[str], key: str, whose: str) -> None:
    """Check that names are among columns; a DataError names all that are not."""
    absent = sorted({*names} - {*columns}, key=names.index)
    if absent:
        raise DataError(
            key,
            f"{listed(absent)} {'are' if len(absent) > 1 else 'is'} not among the columns of "
            f"{whose}",
            "use the same columns in both",
        )
