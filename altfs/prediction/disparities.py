"""Groups of rows by a sensitive attribute, and differences of predictions between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs._numbers import IntArray
from altfs.errors import AltfsError

# More groups than these are not compared.
_MOST_GROUPS = 20


def groups_of(values: Any, n_rows: int, name: str) -> tuple[IntArray, dict[str, int]]:
    """Return the group of each row as a number, and the number of rows of each group."""
    column = pd.Series(np.asarray(values, dtype=object)).astype("object")
    if len(column) != n_rows:
        reason = f"{len(column)} values for {n_rows} rows"
        raise AltfsError("sensitive", reason, "use one for each row of fit")
    texts = column.map(lambda value: "missing" if pd.isna(value) else str(value))
    if column.isna().any() and (column == "missing").any():
        reason = f"'missing' is a value of {name} beside missing values"
        raise AltfsError("sensitive", reason, "rename the value")
    codes, names = pd.factorize(texts, sort=True)
    if not 2 <= len(names) <= _MOST_GROUPS:
        plural = "s" * (len(names) != 1)
        reason = f"{name} has {len(names):,} value{plural}"
        advice = f"use 2 to {_MOST_GROUPS} groups, such as a third of the numbers each"
        raise AltfsError("sensitive", reason, advice)
    counts = np.bincount(codes)
    few = {str(names[i]): int(n) for i, n in enumerate(counts) if n < 2}
    if few:
        reason = f"the group {next(iter(few))} of {name} has one row"
        raise AltfsError("sensitive", reason, "join it with another group")
    return codes.astype(np.int64), dict(zip(map(str, names), counts.tolist(), strict=True))


def disparities(
    predicted: npt.NDArray[Any], y: npt.NDArray[Any], groups: IntArray, target_type: str
) -> tuple[float, float]:
    """Return the differences of demographic parity and of equalised odds between groups.

    A share over no row of a group does not count.

    Examples
    --------
    >>> y, groups = np.array([1, 0, 1, 0]), np.array([0, 0, 1, 1])
    >>> disparities(np.array([1, 1, 0, 0]), y, groups, "binary")
    (1.0, 1.0)
    """
    if target_type == "regression":
        return _spread(predicted, groups, np.ones(len(y), bool)), float("nan")
    parity, odds = [], []
    for label in np.unique(y):
        is_label = (predicted == label).astype(float)
        parity.append(_spread(is_label, groups, np.ones(len(y), bool)))
        odds += [_spread(is_label, groups, y == label), _spread(is_label, groups, y != label)]
    return max(parity), max(odds)


def _spread(values: npt.NDArray[Any], groups: IntArray, rows: npt.NDArray[np.bool_]) -> float:
    """Return the largest mean of a group less the smallest one, over some rows."""
    means = [values[rows & (groups == g)] for g in np.unique(groups)]
    known = [float(part.mean()) for part in means if len(part)]
    return max(known) - min(known) if known else 0.0
