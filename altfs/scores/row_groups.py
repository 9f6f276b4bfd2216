"""Rows that belong together or follow each other: folds and shuffles that respect it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import FloatArray, IntArray, check_lengths
from altfs.datasets.columns import column_of
from altfs.errors import DataError

#: The rows that are learned from, and those that are held out.
Split = tuple[IntArray, IntArray]


def group_codes(groups: Any, n_rows: int) -> IntArray:
    """Return the number of each row's group, in the order of the sorted labels.

    It is a DataError if a row has no group, if there are not two, or if no rows share one.

    >>> group_codes(["b", "a", "b"], 3).tolist()
    [1, 0, 1]
    """
    labels, where = complete_labels("groups", groups, n_rows)
    try:
        codes = np.unique(labels.to_numpy(), return_inverse=True)[1]
    except TypeError:
        codes = np.unique(labels.astype(str).to_numpy(), return_inverse=True)[1]
    if not codes.any():
        raise DataError("groups", f"all rows are in one group{where}", "use two groups or more")
    if codes.max() + 1 == len(codes):
        advice = "give labels that rows share, or leave it out"
        raise DataError("groups", f"each row has a group of its own{where}", advice)
    return codes.astype(np.int64)


def time_values(times: Any, n_rows: int, advice: str = "use one of these") -> FloatArray:
    """Return the time of each row as a number; dates are days since 1970.

    `advice` is that of an error of the kind of values. It is a DataError if a row has no time, if
    all have the same, or if times are neither numbers nor dates.

    >>> time_values(["1970-01-03", "1970-01-02"], 2).tolist()
    [2.0, 1.0]
    """
    column, where = complete_labels("times", times, n_rows)
    try:
        encoded = column_of(column, label="")
    except DataError:
        encoded = None
    if encoded is None or encoded.kind == "category" or encoded.texts:
        raise DataError("times", f"values{where} are neither numbers nor dates", advice)
    if len(encoded.values) and np.ptp(encoded.values) == 0:
        advice = "use two times or more, or leave it out"
        raise DataError("times", f"all rows have the same time{where}", advice)
    return encoded.values


def complete_labels(key: str, values: Any, n_rows: int) -> tuple[pd.Series[Any], str]:
    """Return a value for each row, and the column that they are from in words, if it has a name.

    It is a DataError if a row has none.
    """
    labels = pd.Series(np.asarray(values).ravel() if np.ndim(values) else [values])
    where = f" in '{name}'" if (name := getattr(values, "name", None)) is not None else ""
    check_lengths(key, len(labels), n_rows)
    rows = np.flatnonzero(labels.isna()) + 1
    if len(rows):
        others = f" and {len(rows) - 1} more have" if len(rows) > 1 else " has"
        reason = f"row {rows[0]}{others} no value{where}"
        raise DataError(key, reason, "fill it in, or leave out such rows")
    return labels, where


def row_labels(groups: Any, times: Any, n_rows: int) -> dict[str, npt.NDArray[Any]]:
    """Return the groups or the times of rows, as arguments of a `Part`; none if there are none.

    It is a DataError if both are given, or one is not allowed.
    """
    if groups is not None and times is not None:
        raise DataError("times", "they are given beside `groups`", "leave one of them out")
    if times is not None:
        advice = "use one of these, or `groups`, if they name what rows belong to"
        return {"times": time_values(times, n_rows, advice)}
    return {} if groups is None else {"groups": group_codes(groups, n_rows)}


def group_folds(
    y: npt.NDArray[Any], target_type: str, groups: IntArray, n_folds: int, seed: int
) -> list[Split]:
    """Return folds of scikit-learn that hold out whole groups, by class if there are any.

    It is a DataError if there are fewer groups than folds, or a fold has no rows.

    >>> y, groups = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 3])
    >>> [sorted(set(groups[held_out])) for _, held_out in group_folds(y, "binary", groups, 2, 0)]
    [[np.int64(1), np.int64(2)], [np.int64(0), np.int64(3)]]
    """
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

    n_groups = len(np.unique(groups))
    if max(n_folds, 2) > n_groups:
        plural = "s" * (n_groups != 1)
        reason = f"{n_groups} group{plural} cannot be divided into {max(n_folds, 2)} folds"
        raise DataError("groups", reason, "use fewer folds, or more groups")
    kind: Any = GroupKFold if target_type == "regression" else StratifiedGroupKFold
    split = kind(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y, groups)
    try:
        splits = [(fitting, held_out) for fitting, held_out in split]
    except ValueError:
        splits = []
    if not splits or not all(len(held_out) for _, held_out in splits):
        reason = f"the groups do not give each of {n_folds} folds a share of the classes"
        raise DataError("groups", reason, "use fewer folds, or more groups")
    return splits


def time_folds(times: npt.NDArray[Any], n_folds: int, *, of_half: bool = False) -> list[Split]:
    """Return folds of scikit-learn that each hold out rows, and learn from all before them.

    Those `of_half` hold out the later half of the rows only, so that the first fold learns from
    many. Of equal times, the order is that of the rows. It is a DataError if there are too few
    rows.

    >>> [held_out.tolist() for _, held_out in time_folds(np.array([4, 1, 3, 2]), 3)]
    [[3], [2], [0]]
    """
    from sklearn.model_selection import TimeSeriesSplit

    if len(times) <= n_folds:
        reason = f"{len(times)} rows cannot be divided into {n_folds} folds by time"
        raise DataError("times", reason, "use fewer folds, or more rows")
    order = np.argsort(times, kind="stable")
    n_held_out = max(1, len(times) // (2 * n_folds)) if of_half else None
    split = TimeSeriesSplit(n_folds, test_size=n_held_out).split(order)
    return [(order[fitting], order[held_out]) for fitting, held_out in split]


def check_learnable(y: npt.NDArray[Any], target_type: str, splits: Sequence[Split]) -> None:
    """Check that two classes are learned from in each fold, or raise a DataError.

    Folds by class have them always.
    """
    for i, (fitting, _) in enumerate(splits):
        if target_type != "regression" and len(np.unique(y[fitting])) < 2:
            reason = f"inner fold {i} learns from one class alone"
            raise DataError("y", reason, "use fewer folds, or a selector that holds no rows out")


def permutation(n_rows: int, groups: IntArray | None, random: np.random.Generator) -> IntArray:
    """Return a random order of rows; those of a group stay neighbours.

    Targets in this order are as alike within groups as they were, so that rows of a group do not
    count as evidence of their own.

    >>> permutation(5, np.array([0, 0, 0, 1, 1]), np.random.default_rng(3)).tolist()
    [3, 4, 0, 1, 2]
    """
    if groups is None:
        return random.permutation(n_rows)
    first, codes = np.unique(groups, return_index=True, return_inverse=True)[1:]
    places = np.argsort(first[codes], kind="stable")
    blocks = np.split(places, np.flatnonzero(np.diff(first[codes][places])) + 1)
    order = np.empty(n_rows, dtype=np.int64)
    order[places] = np.concatenate([blocks[i] for i in random.permutation(len(blocks))])
    return order


def shift(n_rows: int, random: np.random.Generator) -> IntArray:
    """Return an order of rows that begins between the first and the last quarter, and goes round.

    Targets in this order are as alike from time to time as they were.

    >>> shift(8, np.random.default_rng(0)).tolist()
    [5, 6, 7, 0, 1, 2, 3, 4]
    """
    first = int(random.integers(n_rows // 4, n_rows - n_rows // 4))
    return np.roll(np.arange(n_rows), -first)


def half_of_rows(rows: IntArray, groups: IntArray | None, random: np.random.Generator) -> IntArray:
    """Return half of the rows, or all rows of half of the groups, drawn in the order of `rows`.

    >>> half_of_rows(np.arange(4), np.array([7, 7, 8, 8]), np.random.default_rng(0)).tolist()
    [2, 3]
    """
    if groups is None:
        return np.sort(rows[random.choice(len(rows), len(rows) // 2, replace=False)])
    labels, first = np.unique(groups[rows], return_index=True)
    labels = labels[np.argsort(first)]
    drawn = labels[random.choice(len(labels), len(labels) // 2, replace=False)]
    return np.sort(rows[np.isin(groups[rows], drawn)])
