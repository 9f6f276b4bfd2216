"""The folds of a study: by class, at random, by groups of rows, by time, or given by a column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from altfs._options import StrictModel
from altfs.errors import AltfsError, ConfigError, DataError

if TYPE_CHECKING:
    from altfs.datasets import Dataset
    from altfs.scores.row_groups import Split

_ADVICE = {
    "group": "name that of the groups, such as patients",
    "time": "name that of the times, such as dates",
    "given": "name that of the numbers of folds",
}
_TEST = "a number of rows, or a share between 0 and 1"
#: The number of rows that are in no test part, in a column of given folds, as in scikit-learn.
NEVER_TESTED = -1


class Folds(StrictModel):
    """Folds of the cross-validation; a number in short, which are stratified by class."""

    type: Literal["stratified", "group", "time", "given", "random"] = Field(
        default="stratified",
        description="stratified: by class, if there are any. group: no group is on both sides. "
        "time: each fold learns from the rows before those that it tests. given: by number. "
        "random: each tests rows that are drawn anew, by class if there are any.",
    )
    number: int = Field(ge=2, description="The number of folds.")
    column: str | dict[str, str] | None = Field(
        default=None,
        description="The column of groups, times or numbers of folds, which is not a feature; or "
        "one for each dataset, by its name.",
    )
    test: float | dict[str, float] | None = Field(
        default=None,
        description="The number of rows that a random fold tests, or their share below 1; or one "
        "for each dataset, by its name.",
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, Mapping | Folds):
            return value
        try:
            return {"number": cls(number=value).number}
        except AltfsError as error:
            # The key is that of the number itself.
            raise AltfsError("", *error.args[1:]) from None

    @model_validator(mode="after")
    def _column_of_type(self) -> Folds:
        if self.type not in _ADVICE and self.column is not None:
            reason = f"{self.column!r} is for folds of type {', '.join(_ADVICE)}"
            raise AltfsError("folds.column", reason, "name the type or leave the column out")
        if self.type in _ADVICE and not self.column:
            reason = f"folds of type {self.type} need a column"
            raise AltfsError("folds.column", reason, _ADVICE[self.type])
        if self.type == "random" and not self.test:
            raise AltfsError("folds.test", "folds of type random need it", f"use {_TEST}")
        if self.type != "random" and self.test is not None:
            reason = f"it is for folds of type random, not {self.type}"
            raise AltfsError("folds.test", reason, "name the type or leave it out")
        for value in _values(self.test):
            # Neither is true of infinity.
            if not (0 < value < 1 or (value >= 1 and value % 1 == 0)):
                raise AltfsError("folds.test", f"{value:g} is not allowed", f"use {_TEST}")
        return self

    @model_serializer(mode="wrap")
    def _as_short_as_possible(self, dump: SerializerFunctionWrapHandler) -> Any:
        # Hashes of stratified folds stay as they were before there were others.
        if self.type == "stratified":
            return self.number
        return {key: value for key, value in dump(self).items() if (key, value) != ("test", None)}

    def of(self, dataset: str) -> Folds:
        """Return the folds of one dataset, with its column or its number of tested rows."""
        changes: dict[str, Any] = {}
        for key in ("column", "test"):
            value = getattr(self, key)
            if isinstance(value, dict):
                if dataset not in value:
                    reason = f"dataset '{dataset}' has none, allowed is one for each dataset"
                    raise ConfigError(f"folds.{key}", reason, f"add '{dataset}: {key.upper()}'")
                changes[key] = value[dataset]
        return self.model_copy(update=changes) if changes else self

    @property
    def words(self) -> str:
        """The folds as a phrase, for the report."""
        column = self.column
        if isinstance(column, dict):
            shown = ", ".join(dict.fromkeys(f"'{name}'" for name in column.values()))
        else:
            shown = f"'{column}'"
        return {
            "stratified": f"{self.number}",
            "group": f"{self.number}, each of whole groups ({shown})",
            "time": f"{self.number}, each tests rows that are later ({shown}) than those that it "
            "learns from",
            "given": f"{self.number}, given by {shown}",
            "random": f"{self.number}, each tests rows drawn at random "
            f"({', '.join(dict.fromkeys(map(_rows_in_words, _values(self.test))))})",
        }[self.type]

    def split(self, dataset: Dataset, seed: int) -> list[Split]:
        """Return training and test rows of every fold, those of scikit-learn's splitters.

        Rows of folds by time are in the order of time; of equal times, in that of the table.

        Parameters
        ----------
        dataset : Dataset
            With the labels of rows that :func:`fold_labels` returns.
        seed : int
            Random state of stratified and random folds, and of those by group.

        Raises
        ------
        DataError
            If there are too few rows or groups.
        """
        from sklearn.model_selection import KFold, PredefinedSplit, StratifiedKFold

        from altfs.scores.row_groups import group_folds, time_folds

        labels, y = dataset.fold_labels, dataset.y
        if self.type == "random":
            return self._drawn(dataset, seed)
        if labels is None:
            splitter = KFold if dataset.target_type == "regression" else StratifiedKFold
            cut: Any = splitter(self.number, shuffle=True, random_state=seed)
            return list(cut.split(dataset.X, y))
        if self.type == "group":
            return group_folds(y, dataset.target_type, labels, self.number, seed)
        if self.type == "time":
            return time_folds(labels, self.number)
        return list(PredefinedSplit(labels).split())

    def _drawn(self, dataset: Dataset, seed: int) -> list[Split]:
        """Return training and test rows of random folds."""
        from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

        assert isinstance(self.test, float)
        classes = dataset.target_type != "regression"
        size = self.test if self.test < 1 else int(self.test)
        splitter: Any = StratifiedShuffleSplit if classes else ShuffleSplit
        try:
            cut = splitter(self.number, test_size=size, random_state=seed)
            return list(cut.split(np.zeros(len(dataset.y)), dataset.y))
        except ValueError:
            least = f"{len(np.unique(dataset.y))} rows, one of each class," if classes else "a row"
            reason = f"{self.test:g} of {len(dataset.y)} rows does not leave {least} on both sides"
            raise DataError("test", reason, "use another number") from None

    def rows_of_part(self, labels: npt.NDArray[Any] | None, test: bool) -> dict[str, Any]:
        """Return what inner folds of a part have to respect, as arguments of a `Part`.

        Inner folds of a training part hold out whole folds that are given, which keep apart what
        belongs together. A test part is one of them, and nothing more is known of its rows.
        """
        if labels is None or (self.type == "given" and test):
            return {}
        return {"times" if self.type == "time" else "groups": labels}

    def overlap(self, labels: npt.NDArray[Any], train: Any, test: Any) -> str:
        """Return in words how the two sides of a fold break the promise of its type; else ''.

        The sides are row numbers. The answer follows from the labels, not from a splitter.
        """
        if {*train.tolist()} & {*test.tolist()} or not len(train) or not len(test):
            return "has no rows of its own on one side"
        of_train, of_test = labels[train], labels[test]
        if self.type == "time":
            later = int((of_train > of_test.min()).sum())
            return f"learns from {later} rows that are later than one that it tests" * bool(later)
        shared = np.intersect1d(of_train, of_test)
        what = "groups" if self.type == "group" else "given folds"
        return f"has {len(shared)} {what} on both sides" * bool(len(shared))


def _values(each: float | Mapping[str, float] | None) -> Iterable[float]:
    """Return the values of an entry that is one for all datasets, or one for each."""
    if isinstance(each, Mapping):
        return each.values()
    return [] if each is None else [each]


def _rows_in_words(test: float) -> str:
    return f"{test:.0%}" if test < 1 else f"{test:g}"


def fold_labels(column: pd.Series[Any], folds: Folds, dataset: str) -> npt.NDArray[Any]:
    """Return a number for each row: of its group, its time, or its given fold.

    Raises
    ------
    ConfigError
        If values are missing, or the column does not make such folds.
    """
    from altfs.datasets.columns import column_of
    from altfs.scores.row_groups import complete_labels, group_codes, time_values

    name, where, n_rows = folds.column, f"of dataset '{dataset}'", len(column)
    try:
        if folds.type == "time":
            return time_values(column, n_rows)
        if folds.type == "group":
            codes = group_codes(column, n_rows)
            n_groups = int(codes.max()) + 1
            if n_groups < folds.number:
                reason = f"{folds.number} is more than the {n_groups} groups in '{name}' {where}"
                raise ConfigError("folds.number", reason, "use fewer folds or another column")
            return codes
        complete_labels("", column, n_rows)
    except DataError as error:
        raise ConfigError(
            "folds.column", error.reason, f"{error.advice} (dataset '{dataset}')"
        ) from None
    encoded = column_of(column, label=f"'{name}' {where}")
    values = encoded.values
    if encoded.kind != "number" or encoded.texts or not (values == np.round(values)).all():
        reason = f"'{name}' {where} is not a column of whole numbers"
        raise ConfigError("folds.column", reason, "number the folds")
    numbers = np.unique(values[values != NEVER_TESTED])
    if len(numbers) != folds.number:
        reason = f"{folds.number} is not the number of folds in '{name}' {where}"
        raise ConfigError("folds.number", reason, f"use {len(numbers)} or another column")
    return values.astype(np.int64)
