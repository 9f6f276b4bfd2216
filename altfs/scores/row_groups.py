"""Rows that belong together, such as those of a patient: folds and shuffles that respect it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import IntArray, check_lengths
from altfs.errors import DataError

#: The rows that are learned from, and those that are held out.
Split = tuple[IntArray, IntArray]


def group_codes(groups: Any, n_rows: int) -> IntArray:
    """Return the number of each row's group, in the order of the sorted labels.

    It is a DataError if a row has no group, or if there are not two.

    >>> group_codes(["b", "a", "b"], 3).tolist()
    [1, 0, 1]
    """
    labels = pd.Series(np.asarray(groups).ravel() if np.ndim(groups) else [groups])
    check_lengths("groups", len(labels), n_rows)
    if labels.isna().any():
        row = int(np.flatnonzero(labels.isna())[0])
        raise DataError("groups", f"row {row} has no group", "give each row the label of one")
    try:
        codes = np.unique(labels.to_numpy(), return_inverse=True)[1]
    except TypeError:
        codes = np.unique(labels.astype(str).to_numpy(), return_inverse=True)[1]
    if not codes.any():
        raise DataError("groups", "all rows are in one group", "use two groups or more")
    return codes.astype(np.int64)


def group_folds(
    y: npt.NDArray[Any], target_type: str, groups: IntArray, n_folds: int, seed: int
) -> list[Split]:
    """Return folds of scikit-learn that hold out whole groups, by class if there are any.

    It is a DataError if there are fewer groups than folds.

    >>> y, groups = np.array([0, 0, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 3])
    >>> [sorted(set(groups[held_out])) for _, held_out in group_folds(y, "binary", groups, 2, 0)]
    [[np.int64(1), np.int64(2)], [np.int64(0), np.int64(3)]]
    """
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold

    n_groups = len(np.unique(groups))
    if n_folds > n_groups:
        reason = f"{n_groups} groups cannot be divided into {n_folds} folds"
        raise DataError("groups", reason, "use fewer folds, or more groups")
    kind: Any = GroupKFold if target_type == "regression" else StratifiedGroupKFold
    split = kind(n_folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y, groups)
    return [(fitting, held_out) for fitting, held_out in split]


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
