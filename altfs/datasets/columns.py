"""The columns of a table as numbers: numbers, dates, and codes of categories."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import FloatArray
from altfs._options import StrictModel
from altfs.datasets.injection import Injection
from altfs.errors import DataError

Kind = Literal["number", "date", "category"]
Missing = Literal["refuse", "impute", "as_category"]

#: The words for missing values.
MISSING: tuple[Missing, ...] = ("refuse", "impute", "as_category")
#: In fewer rows, different values everywhere can be a coincidence.
ROWS_OF_IDS = 20
#: The name that pandas gives to a column of row numbers in a file.
INDEX = "Unnamed: 0"
# The largest number of columns in a sentence.
_MOST = 5
# The largest number of letters of a value in a sentence.
_LETTERS = 40
# Numbers with missing values become this number of categories, and one for what is missing.
_GROUPS = 10
# Prediction models use 32-bit numbers, in which larger ones are infinite.
_LARGEST = float(np.finfo(np.float32).max)
# Numbers that fit into the cache of a core.
_BLOCK = 1 << 16
_TIME = r"(?P<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?)?"
# Dates in which the order of day and month is known, whatever the other rows have.
_DATES = (
    re.compile(rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?){_TIME}"),
    re.compile(rf"(?P<day>\d\d?)(?P<mark>\.)(?P<month>\d\d?)\.(?P<year>\d{{4}}){_TIME}"),
)
_DAY_OR_MONTH = r"(?:0?[1-9]|[12]\d|3[01])"
_SWAPPED = re.compile(rf"{_DAY_OR_MONTH}(?P<mark>[-/]){_DAY_OR_MONTH}(?P=mark)\d{{4}}{_TIME}")
_DAY = np.timedelta64(1, "D")


class ColumnOptions(StrictModel):
    """Options of the columns of a table.

    categorical: columns of categories. exclude: columns left out. relevant: features that are
    known to tell something about the target. missing: see `MISSING`. inject: columns to add.
    """

    categorical: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()
    missing: Missing = "refuse"
    inject: Injection | None = None


@dataclass(frozen=True)
class EncodedColumn:
    """A column as numbers."""

    #: Shape (n_rows,). NaN if a value is missing.
    values: FloatArray
    #: Dates are days since 1970 (UTC), durations are days, true and false are 1 and 0.
    kind: Kind
    #: The texts of the codes 0, 1, ... of categories; empty if their values are numbers.
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The columns of a table, as a matrix."""

    #: Shape (n_rows, n_columns). NaN if a value is missing and is to be imputed. Or a sparse CSC
    #: matrix.
    X: FloatArray
    kinds: tuple[Kind, ...]
    #: The texts of the codes of each column of text.
    encodings: Mapping[str, Sequence[str]]
    #: True if all values are numbers, not true and false, and none is missing.
    plain: bool = False

    @property
    def categorical(self) -> npt.NDArray[np.bool_]:
        """The columns that are categories."""
        return np.array([kind == "category" for kind in self.kinds], dtype=bool)


def text_names(labels: Sequence[Hashable]) -> list[str]:
    """Return the labels of columns as text; those of several levels are joined by a slash.

    It is a DataError if two of them are equal, or one is empty.

    >>> text_names(["a", 106, ("size", "cm")])
    ['a', '106', 'size/cm']
    """
    names = ["/".join(map(str, x)) if isinstance(x, tuple) else _name(x) for x in labels]
    if "" in names:
        raise DataError(f"column {names.index('') + 1} has no name, name it")
    if len(set(names)) < len(names):
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise DataError(
            f"{listed(repeated)} {have(repeated)} the name of another column, too, rename "
            "the columns, each needs a name of its own"
        )
    return names


def _name(label: Any) -> str:
    return "" if label is None or label != label else str(label)


def encode(frame: pd.DataFrame, options: ColumnOptions) -> Columns:
    """Convert the columns of a table, whose labels are text, to numbers.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
    options : ColumnOptions
        Columns in `exclude` are 0 if they cannot be used.

    Raises
    ------
    DataError
        If a column cannot be used, or has missing values that are refused.
    """
    names: list[str] = frame.columns.tolist()
    for name in options.categorical:
        if name not in names:
            reason = f"'{name}' is not a column"
            raise DataError.of_name("categorical", reason, name, names, "use names of columns")
    frame = _without_unused(frame, options)
    said = set(options.categorical)
    dtypes = set(frame.dtypes)
    if not said and all(map(_is_plain, dtypes)):
        # One matrix at once: a table may have 100,000 columns.
        encoded = encode_numbers(frame.to_numpy(dtype=np.float64), names, options.missing)
        return replace(encoded, plain=encoded.plain and all(d.kind != "b" for d in dtypes))

    def encoded_column(name: str) -> EncodedColumn:
        column = column_of(frame[name], name in said)
        if name in said:
            _check_repeats(column.values, f"column '{name}'")
        return column

    columns = dict(zip(names, each_column(names, encoded_column), strict=True))
    X = np.column_stack([column.values for column in columns.values()])
    return _without_gaps(X, names, columns, options.missing)


def encode_numbers(X: FloatArray, names: list[str], missing: Missing) -> Columns:
    """Return the columns of a matrix of numbers; errors as in :func:`encode`."""
    X = np.ascontiguousarray(X)
    if X.size and _are_finite(X):
        numbers: list[Kind] = ["number"] * len(names)
        return Columns(X, tuple(numbers), {}, plain=True)
    for j in np.flatnonzero((np.abs(X) > _LARGEST).any(axis=0))[:1]:
        _check_size(X[:, j], f"column '{names[j]}'")
    return _without_gaps(X, names, {}, missing)


def _are_finite(X: FloatArray) -> bool:
    """Return True if all numbers of a matrix can be used, and none is missing."""
    # The second look at a block finds it in the cache.
    n_rows = max(1, _BLOCK // X.shape[1])
    for start in range(0, len(X), n_rows):
        block = X[start : start + n_rows]
        if not (block.min() >= -_LARGEST and block.max() <= _LARGEST):
            # A missing value is the smallest and the largest one.
            return False
    return True


def _without_gaps(
    X: FloatArray, names: list[str], columns: dict[str, EncodedColumn], missing: Missing
) -> Columns:
    """Return a matrix as columns, after a check of missing values; those not given are numbers."""
    incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
    if incomplete.size:
        gaps = {names[j]: X[:, j] for j in incomplete}
        _check_missing(gaps, missing)
        if missing == "as_category":
            X = X.copy()
            for j in incomplete:
                column = with_category(columns.get(names[j], EncodedColumn(X[:, j], "number")))
                columns[names[j]], X[:, j] = column, column.values
    kinds: list[Kind] = [columns[n].kind if n in columns else "number" for n in names]
    texts = {name: column.texts for name, column in columns.items() if column.texts}
    return Columns(np.ascontiguousarray(X), tuple(kinds), texts)


def encode_sparse(X: Any, names: Sequence[str], categorical: Collection[str]) -> Columns:
    """Return the columns of a sparse CSC matrix of floats, which stays sparse.

    It is a DataError if a stored value is missing or infinite.
    """
    unusable = ~(np.abs(X.data) <= _LARGEST)
    if unusable.any():
        first = int(np.flatnonzero(unusable)[0])
        name = names[int(np.searchsorted(X.indptr, first, side="right")) - 1]
        label, row = f"column '{name}'", int(X.indices[first]) + 1
        if np.isnan(X.data[first]):
            raise DataError(
                f"{label} has a missing value (NaN) in row {row}, a sparse table has to be "
                "complete, fill it or leave the row or the column out"
            )
        _check_size(X.data[first : first + 1], label, row)
    said = set(categorical)
    kinds: list[Kind] = ["category" if name in said else "number" for name in names]
    return Columns(X, tuple(kinds), {})


def _without_unused(frame: pd.DataFrame, options: ColumnOptions) -> pd.DataFrame:
    """Return a frame in which excluded columns that cannot be used are 0."""
    zeros = {}
    for name in options.exclude:
        try:
            encode(frame[[name]], ColumnOptions(missing=options.missing))
        except DataError:
            zeros[name] = 0.0
    return frame.assign(**zeros) if zeros else frame


def each_column(names: Sequence[str], of_column: Callable[[str], Any]) -> list[Any]:
    """Return what a function makes of each column, or one DataError about all that it refuses."""
    results, errors = [], {}
    for name in names:
        try:
            results.append(of_column(name))
        except DataError as error:
            errors[name] = error.clause
    if errors:
        (_, sentence), *others = errors.items()
        more = f"; {listed([name for name, _ in others])} cannot be used, either" if others else ""
        raise DataError(f"{sentence}{more}")
    return results


def column_of(column: pd.Series[Any], categorical: bool = False, label: str = "") -> EncodedColumn:
    """Convert a column to numbers; `label` is what messages call a column without a name.

    Text, and pandas' categories, become categories, except numbers and dates that are written
    as text. `categorical` makes any column one.

    It is a DataError if values are infinite, or of another kind than the others.

    >>> column_of(pd.Series(["b", "a", None, "b"]))
    EncodedColumn(values=array([ 1.,  0., nan,  1.]), kind='category', texts=('a', 'b'))
    """
    otherwise = "" if label else ", or name it as categorical"
    label = label or f"column '{column.name}'"
    column = _without_extension(column)
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _category_column(column, label)
    if pd.api.types.is_complex_dtype(dtype):
        raise DataError(f"{label} has complex numbers, split it into real columns")
    encoded = None
    if pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_numeric_dtype(dtype):
        encoded = EncodedColumn(column.to_numpy(dtype=np.float64, na_value=np.nan), "number")
    elif isinstance(dtype, pd.PeriodDtype):
        encoded = _date_column(column.dt.to_timestamp())
    elif dtype.kind == "M" or isinstance(dtype, pd.DatetimeTZDtype):
        encoded = _date_column(column)
    elif dtype.kind == "m":
        encoded = EncodedColumn(column.to_numpy() / _DAY, "number")
    if encoded is None:
        return _text_column(column, label, categorical, otherwise)
    _check_size(encoded.values, label)
    return replace(encoded, kind="category") if categorical else encoded


def numbers_rows(column: pd.Series[Any]) -> bool:
    """Return True if a column has the numbers of the rows, from 0 or from 1.

    >>> numbers_rows(pd.Series([0, 1, 2])), numbers_rows(pd.Series([1, 3, 2]))
    (True, False)
    """
    if not _is_plain(column.dtype):
        return False
    rows = np.arange(len(column))
    return any(bool((column.to_numpy() == rows + start).all()) for start in (0, 1))


def with_category(column: EncodedColumn) -> EncodedColumn:
    """Return a column with a category for missing values.

    Numbers become ten groups of about equally many rows.

    >>> with_category(column_of(pd.Series(["b", None]))).texts
    ('b', 'missing')
    """
    values, missing = column.values.copy(), np.isnan(column.values)
    texts = list(column.texts)
    if column.kind != "category":
        cuts = cuts_of(values)
        # A value that is equal to a cut is below it.
        values[~missing] = np.searchsorted(cuts, values[~missing])
        texts = [f"up to {cut:g}" for cut in cuts] + [f"above {cuts[-1]:g}"]
    word = "missing"
    while word in texts:
        word = f"({word})"
    values[missing] = len(texts) if texts else np.nanmax(values) + 1
    return EncodedColumn(values, "category", (*texts, word) if texts else ())


def cuts_of(values: FloatArray) -> FloatArray:
    """Return the cuts between ten groups of about equally many rows, without missing values."""
    inner = np.linspace(0, 1, _GROUPS + 1)[1:-1]
    cuts: FloatArray = np.unique(np.quantile(values[~np.isnan(values)], inner))
    return cuts


def _without_extension(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of pyarrow's, sparse or nullable type with a type that has missing values."""
    dtype: Any = column.dtype
    if isinstance(dtype, pd.SparseDtype):
        return pd.Series(np.asarray(column), name=column.name)
    if isinstance(dtype, pd.ArrowDtype):
        import pyarrow as pa

        kind = dtype.pyarrow_dtype
        if pa.types.is_dictionary(kind):
            return column.astype("object").astype("category")
        if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
            return pd.Series(pd.to_datetime(column.astype("object")), name=column.name)
        if pa.types.is_duration(kind):
            return column.astype("timedelta64[ns]")
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            return column.astype("boolean" if pa.types.is_boolean(kind) else "object")
    return column


def _is_plain(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "biuf"


def _date_column(column: pd.Series[Any]) -> EncodedColumn:
    times = pd.to_datetime(column, utc=True).dt.tz_localize(None).to_numpy()
    return EncodedColumn((times - np.datetime64(0, "D")) / _DAY, "date")


def _category_column(column: pd.Series[Any], label: str) -> EncodedColumn:
    """Return the codes of pandas' categories: sorted, or in their order if they have one."""
    categories, values = column.cat.categories, np.full(len(column), np.nan)
    missing = column.isna().to_numpy()
    if not column.cat.ordered and _is_plain(categories.dtype):
        # Codes that are numbers stay these numbers.
        values[:] = column.astype("float64")
        _check_size(values, label)
        return EncodedColumn(values, "category")
    texts = [str(category) for category in categories]
    order = texts if column.cat.ordered else sorted(set(texts))
    code = np.array([order.index(text) for text in texts] or [0], dtype=np.float64)
    values[~missing] = code[column.cat.codes.to_numpy()[~missing]]
    return EncodedColumn(values, "category", tuple(order))


def _text_column(
    column: pd.Series[Any], label: str, categorical: bool, otherwise: str
) -> EncodedColumn:
    """Return the numbers or dates that are written as text, or codes of texts."""
    missing = column.isna().to_numpy()
    plain = (str, int, float, bool, np.generic, Decimal, date, time, timedelta, pd.Period)
    for row, value in enumerate(() if isinstance(column.dtype, pd.StringDtype) else column):
        # Lists, mappings and bytes would become codes of their printed forms.
        allowed = isinstance(value, plain) and not isinstance(value, bytes | complex)
        if not (missing[row] or allowed):
            raise DataError(
                f"{label} holds a {type(value).__name__} in row {row + 1}, only numbers, text, "
                "true and false, and dates are allowed"
            )
    try:
        text = column[~missing].astype(str)
    except UnicodeEncodeError:
        row = next(i for i, value in enumerate(column) if not _is_unicode(value)) + 1
        raise DataError(
            f"{label} has text that is not Unicode in row {row}, read it again with the right "
            "encoding"
        ) from None
    values = np.full(len(column), np.nan)
    if not categorical:
        parsed = pd.to_numeric(text, errors="coerce").to_numpy(dtype=np.float64)
        is_number = ~np.isnan(parsed)
        if is_number.all():
            values[~missing] = parsed
            _check_size(values, label)
            return EncodedColumn(values, "number")
        if is_number.any():
            first = int(np.flatnonzero(~is_number)[0])
            row = int(np.flatnonzero(~missing)[first]) + 1
            raise DataError(
                f"{label} mixes numbers and text, the first value that is not a number is "
                f"'{text.iloc[first][:_LETTERS]}' in row {row}, make all of them numbers or all "
                f"of them text{otherwise}"
            )
        if (dates := _dates_in(text, label, otherwise)) is not None:
            values[~missing] = _date_column(dates).values
            return EncodedColumn(values, "date")
    codes, texts = pd.factorize(text, sort=True)
    values[~missing] = codes
    return EncodedColumn(values, "category", tuple(map(str, texts)))


def _dates_in(text: pd.Series[Any], label: str, otherwise: str) -> pd.Series[Any] | None:
    """Return the dates of a column if all its texts are dates of one format, else None.

    It is a DataError if day and month could be swapped.
    """
    first = text.iloc[0]
    for pattern in (*_DATES, _SWAPPED):
        if not pattern.fullmatch(first) or not text.map(pattern.fullmatch).notna().all():
            continue
        if pattern is _SWAPPED:
            raise DataError(
                f"{label} has dates such as '{first[:_LETTERS]}' in which day and month could be "
                f"swapped, write them as 2024-05-31 or 31.05.2024{otherwise}"
            )
        parts = text.str.extract(pattern)
        if (parts["mark"] == parts["mark"].iloc[0]).all():
            month, day = parts["month"].str.zfill(2), parts["day"].str.zfill(2)
            times = parts["year"] + "-" + month + "-" + day + parts["time"].fillna("")
            dates = pd.to_datetime(times, utc=True, format="ISO8601", errors="coerce")
            return dates if dates.notna().all() else None
    return None


def _is_unicode(value: Any) -> bool:
    try:
        str(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_size(values: FloatArray, label: str, first_row: int = 1) -> None:
    infinite = np.abs(values) > _LARGEST
    if infinite.any():
        row = int(np.flatnonzero(infinite)[0])
        what = f"the number {values[row]:g}" if np.isfinite(values[row]) else "an infinite value"
        raise DataError(
            f"{label} has {what} in row {row + first_row}, only finite numbers up to 3.4e38 are "
            "allowed"
        )


def _check_repeats(values: FloatArray, label: str) -> None:
    if len(values) >= ROWS_OF_IDS and len(np.unique(values)) == len(values):
        raise DataError(
            f"{label} is named as categorical and has another value in every row, as ids have, "
            "leave the column out or do not name it"
        )


def _check_missing(gaps: Mapping[str, FloatArray], missing: Missing) -> None:
    """Check that missing values are allowed, and that no column is empty."""
    empty = [name for name, values in gaps.items() if np.isnan(values).all()]
    if empty:
        raise DataError(
            f"{listed(empty)} {have(empty)} no values (NaN in every row), leave "
            f"{'them' if len(empty) > 1 else 'it'} out"
        )
    if missing == "refuse":
        shares = {
            name: f"NaN in {_percent(values)} of the rows, first in row "
            f"{int(np.flatnonzero(np.isnan(values))[0]) + 1}"
            for name, values in gaps.items()
        }
        names = list(gaps)
        raise DataError(
            f"{listed(names, shares)} {have(names)} missing values, set `missing` to "
            "impute or as_category, fill them, or leave out rows or columns"
        )


def _percent(values: FloatArray) -> str:
    share = float(np.isnan(values).mean())
    return f"{share:.1%}" if share >= 0.0005 else "less than 0.1%"


def listed(names: Collection[str], notes: Mapping[str, str] | None = None) -> str:
    """Return the first of some names for a sentence, each with its note."""
    shown = ", ".join(
        f"'{name}'" + (f" ({notes[name]})" if notes else "") for name in list(names)[:_MOST]
    )
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{'columns' if len(names) > 1 else 'column'} {shown}{more}"


def have(names: Collection[str]) -> str:
    """Return the verb of a sentence that starts with :func:`listed`."""
    return "have" if len(names) > 1 else "has"
