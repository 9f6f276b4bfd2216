"""The inspection of a table: what a study refuses, and what looks like a mistake."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.datasets.base import RawTable
from altfs.datasets.columns import ROWS_OF_IDS, ColumnOptions, encode, have, listed, text_names
from altfs.datasets.table import Dataset, check_ids, make_dataset, make_target
from altfs.errors import DataError

# The largest number of findings of one kind.
_MOST = 5
# Whole numbers with at most this many different values look like codes of categories.
_MOST_CODES = 10
# If there are more texts than this share of the rows, they are names and not categories.
_MOST_CATEGORIES = 0.5
_LIKE_A_NUMBER = re.compile(r"[^\w+-]*[+-]?\d[\d.,' ]*\s*[^\W\d]{0,3}[%€$£]?")


@dataclass(frozen=True)
class Finding:
    """A fact about a table."""

    #: True if a study refuses the table because of it.
    stops: bool
    #: The fact, and what to do.
    sentence: str


def inspect_table(
    name: str, raw: RawTable, options: ColumnOptions | None = None
) -> tuple[list[Finding], Dataset | None]:
    """Find all that a study refuses in a table, and all that looks like a mistake.

    The findings that stop a study come first. The dataset has the columns that are not refused;
    it is None if it cannot be used. It is a DataError if the target is not a column, or if
    two columns have the same name.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1.0, None, 3.0], "b": [2, 2, 2], "y": [0, 1, 1]})
    >>> findings, dataset = inspect_table("d", RawTable(frame, "y", "auto", "here", ""))
    >>> [finding.sentence[:32] for finding in findings if finding.stops]
    ["column 'a' (NaN in 33.3% of the "]
    >>> dataset.feature_names
    ('b',)
    """
    options = options or ColumnOptions()
    refused: dict[str, str] = {}
    columns = text_names(list(raw.frame.columns))
    frame = raw.frame.set_axis(columns, axis="columns")
    for column in columns if raw.target in columns and len(frame) else ():
        chosen = tuple({column}.intersection(options.categorical))
        try:
            if column == raw.target:
                make_target(frame[column], raw.task, f"target '{column}'")
            elif column not in options.exclude:
                chosen_options = ColumnOptions(categorical=chosen, missing=options.missing)
                check_ids([column], encode(frame[[column]], chosen_options))
        except DataError as error:
            refused[column] = str(error)
    findings = [Finding(True, sentence) for sentence in _shortened(refused)]
    findings += [Finding(False, sentence) for sentence in (*raw.notes, *_name_notes(columns))]
    kept = frame[[c for c in columns if c not in refused]]
    if raw.target in refused or (refused and kept.shape[1] < 2):
        return findings, None
    accepted = {
        key: tuple(c for c in getattr(options, key) if c not in refused)
        for key in ("categorical", "exclude", "relevant")
    }
    try:
        dataset = make_dataset(
            name, replace(raw, frame=kept), "", options.model_copy(update=accepted)
        )
    except DataError as error:
        if raw.target not in columns:
            raise
        sentence = error.clause.removeprefix(f"dataset '{name}', ") + "."
        return [Finding(True, sentence), *findings], None
    notes = [*_target_notes(raw, dataset), *_copy_notes(dataset), *_id_notes(raw, dataset)]
    notes += [
        *_idle_notes(dataset),
        *_text_notes(dataset),
        *_code_notes(dataset),
        *_digit_notes(dataset),
    ]
    return findings + [Finding(False, note) for note in notes], dataset


def _shortened(refused: Mapping[str, str]) -> Iterator[str]:
    """Yield the sentences of the first refused columns, and name some of the others."""
    names = list(refused)
    yield from islice(refused.values(), _MOST)
    if rest := names[_MOST:]:
        yield f"{listed(rest)} cannot be used either, correct the first ones and check again."


def _name_notes(columns: list[str]) -> Iterator[str]:
    for column in islice((c for c in columns if c != c.strip()), _MOST):
        yield (
            f"column '{column}' has blanks around its name, which constraints need, too, rename it."
        )
    hidden = [c for c in columns if any(unicodedata.category(x) in ("Cc", "Cf", "Zl") for x in c)]
    if hidden:
        yield f"column {hidden[0]!a} has characters in its name that do not show, rename it."
    alike: dict[str, str] = {}
    for column in columns:
        plain = unicodedata.normalize("NFKC", column).casefold().strip()
        other = alike.setdefault(plain, column)
        if other != column:
            yield (
                f"columns {other!a} and {column!a} have names that are easily taken for "
                "each other, rename one."
            )
    foreign = [c for c in columns if not c.isascii() and c not in hidden]
    if foreign:
        yield (
            f"{listed(foreign)} {have(foreign)} a name beyond ASCII, use exactly these "
            "characters in constraints."
        )
    listing = [c for c in columns if "," in c]
    if listing:
        yield (
            f"{listed(listing)} {have(listing)} a comma in the name, which makes lists of "
            "features hard to read, rename it."
        )


def _target_notes(raw: RawTable, dataset: Dataset) -> Iterator[str]:
    values = np.unique(dataset.y)
    named = f"target '{dataset.target}'"
    if dataset.target_type == "regression":
        if raw.task == "auto" and len(values) < len(dataset.y) and _whole(dataset.y):
            yield (
                f"{named} has {len(values)} different whole numbers and is taken for a number to "
                "predict, set its task to classification if they are classes."
            )
    elif 2 * len(values) > len(dataset.y):
        yield (
            f"{named} has {len(values)} classes in {len(dataset.y)} rows, which looks like an id, "
            "name the column that is to be predicted or set its task to regression."
        )


def _copy_notes(dataset: Dataset) -> Iterator[str]:
    same = [
        name
        for j, name in enumerate(dataset.feature_names)
        if _is_copy(dataset.X[:, j], dataset.y, dataset.target_type == "regression")
    ]
    if same:
        yield (
            f"{listed(same)} {'tell' if len(same) > 1 else 'tells'} target '{dataset.target}' "
            "exactly, leave out what is not known before the target."
        )


def _is_copy(values: FloatArray, y: npt.NDArray[np.generic], regression: bool) -> bool:
    """Return True if a feature has the numbers of the target, or its classes, renamed."""
    if (values == y).all():
        return True
    if regression:
        spread = float(values.std()) * float(np.asarray(y, dtype=np.float64).std())
        return spread > 0 and abs(float(np.corrcoef(values, np.asarray(y))[0, 1])) > 1 - 1e-12
    pairs = len({*zip(values.tolist(), y.tolist(), strict=True)})
    return pairs == len(np.unique(values)) == len(np.unique(y))


def _id_notes(raw: RawTable, dataset: Dataset) -> Iterator[str]:
    texts = dataset.info["encodings"]
    n_rows = len(dataset.y)
    for j, name in enumerate(dataset.feature_names):
        values = dataset.X[:, j]
        n_values = len(np.unique(values))
        if n_rows < ROWS_OF_IDS:
            continue
        if n_values == n_rows and (name in texts or _whole(values)):
            yield (
                f"column '{name}' has another value in every row, as ids have, leave it out "
                "unless it says something about new rows."
            )
        elif name in texts and n_values > _MOST_CATEGORIES * n_rows:
            yield (
                f"column '{name}' is text with {n_values} different values in {n_rows} rows, "
                "leave it out or divide it into categories."
            )


def _idle_notes(dataset: Dataset) -> Iterator[str]:
    constant: list[str] = dataset.info["constant"]
    if constant:
        yield (
            f"{listed(constant)} {have(constant)} the same value in every row, which tells "
            "nothing, leave it out."
        )
    for name, same in islice(dataset.info["duplicated"].items(), _MOST):
        if name != dataset.target and same != dataset.target:
            yield (
                f"column '{name}' has the values of column '{same}', so that one replaces the "
                "other in alternatives, leave one out unless you want this."
            )


def _text_notes(dataset: Dataset) -> Iterator[str]:
    encodings: dict[str, list[str]] = dataset.info["encodings"]
    features = [name for name in dataset.feature_names if name in encodings]
    like_numbers = [n for n in features if all(_LIKE_A_NUMBER.fullmatch(t) for t in encodings[n])]
    for name in islice(like_numbers, _MOST):
        yield (
            f"column '{name}' looks like numbers but is text such as '{encodings[name][0]}', "
            "which is taken as categories, write plain numbers with a decimal point."
        )
    others = [name for name in features if name not in like_numbers]
    for name in islice(others, _MOST):
        shown = ", ".join(f"'{text}'" for text in encodings[name][:3])
        more = ", ..." if len(encodings[name]) > 3 else ""
        yield f"column '{name}' is taken as {len(encodings[name])} categories ({shown}{more})."
    left = len(features) - sum(min(len(n), _MOST) for n in (like_numbers, others))
    if left > 0:
        yield f"{left} more {_columns(left)} of text {'are' if left > 1 else 'is'} categories."
    if dates := dataset.info["dates"]:
        yield f"{listed(dates)} {have(dates)} dates, which become days since 1970."
    if incomplete := dataset.info["missing"]:
        yield f"{listed(incomplete)} {have(incomplete)} missing values, to be imputed."


def _code_notes(dataset: Dataset) -> Iterator[str]:
    """Name numbers that may be codes: few whole numbers, each in several rows on average."""
    names = []
    for j in np.flatnonzero(~dataset.categorical):
        values = dataset.X[~np.isnan(dataset.X[:, j]), j]
        n_values = len(np.unique(values))
        if 2 < n_values <= min(_MOST_CODES, len(values) // 5) and _whole(values):
            names.append(dataset.feature_names[j])
    if names:
        yield (
            f"{listed(names)} {have(names)} at most {_MOST_CODES} different whole numbers, name "
            f"{'them' if len(names) > 1 else 'it'} as categorical if their order means nothing."
        )


def _digit_notes(dataset: Dataset) -> Iterator[str]:
    for j, name in enumerate(dataset.feature_names):
        values = dataset.X[:, j]
        exact, rounded = len(np.unique(values)), len(np.unique(values.astype(np.float32)))
        if rounded < exact:
            yield (
                f"column '{name}' has {exact} different values, which are {rounded} in the 32-bit "
                "numbers of prediction models, subtract a number that they have in common."
            )


def _whole(values: npt.NDArray[np.generic]) -> bool:
    return bool((values == np.round(np.asarray(values, dtype=np.float64))).all())


def _columns(n: int) -> str:
    return "column" if n == 1 else "columns"
