"""Columns that say the target alone, or nearly, and those of rows with one class."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import entr

from altfs._numbers import FloatArray, IntArray
from altfs.scores._levels import Levels
from altfs.scores.base import Part, ScoreKey

#: The kinds of notes on leaks.
LeakKind = Literal["leak", "near leak", "groups"]

# A column with so much of the target's entropy, less chance, says the target alone; with so much,
# or such a correlation of the ranks of numbers, nearly.
_LEAK, _NEAR_LEAK, _NEAR_CORRELATION = 0.98, 0.92, 0.99
# Or one by whose order two classes have such an area under the ROC curve.
_NEAR_AREA = 0.995
# Or one of few values, by which few rows have another class than most, and far fewer than without.
_FEW_LEVELS, _ROWS_OF_LEVEL, _MOST_ERRORS, _OF_ERRORS = 20, 10, 0.04, 0.25
# Fewer values are those of a leak, not of patients or machines.
_FEWEST_GROUPS = 10
# Columns with missing values are judged in so many rows or more.
_COMMON_ROWS = 20


def leaks_of(part: Part) -> list[LeakKind | None]:
    """Return how nearly each feature alone says the target; None if it does not."""
    y = Levels.of(part.y, part.target_type != "regression")
    if y.discrete:
        entropy = float(entr(y.counts / len(y.codes)).sum())
        scores = part.score(ScoreKey("relevance"))
        return [
            "groups"
            if _groups(x, y)
            else _leak(
                v > _LEAK * entropy > 0,
                v > _NEAR_LEAK * entropy > 0 or _says(x, y) or _orders(x, y),
            )
            for v, x in zip(scores, part.levels, strict=True)
        ]
    # Numbers that rise or fall with the target, in all rows or nearly.
    last = len(y.counts) - 1
    leaks = []
    for x in part.levels:
        same = len(x.counts) == last + 1 and bool(
            (x.codes == y.codes).all() or (x.codes == last - y.codes).all()
        )
        ranks = x.places[x.codes], y.places[y.codes]
        near = len(x.counts) > 1 and abs(np.corrcoef(*ranks)[0, 1]) > _NEAR_CORRELATION
        leaks.append(_leak(same, near))
    return leaks


def leaks_without_gaps(
    part: Part, X: FloatArray, leaks: list[LeakKind | None]
) -> dict[int, tuple[int, int]]:
    """Add to `leaks` the features that say the target in the rows in which they have values.

    Return the numbers of these rows and of all rows, for each of these features.
    """
    n_rows: dict[int, tuple[int, int]] = {}
    for j in np.flatnonzero(np.isnan(X).any(axis=0)).tolist():
        rows = np.flatnonzero(~np.isnan(X[:, j]))
        y = part.y[rows]
        if leaks[j] != "groups" and len(rows) >= _COMMON_ROWS and (y != y[0]).any():
            column, categorical = X[rows][:, [j]], part.categorical[[j]]
            kind = leaks_of(Part(column, y, part.target_type, part.seed, categorical=categorical))[
                0
            ]
            if kind in ("leak", "near leak"):
                leaks[j], n_rows[j] = kind, (len(rows), len(X))
    return n_rows


def _says(x: Levels, y: Levels) -> bool:
    """Tell whether few rows have another class than most rows with the same value of x."""
    n, width = len(y.codes), len(y.counts)
    # Values of few rows each say their classes by coincidence.
    if len(x.counts) > min(_FEW_LEVELS, n / _ROWS_OF_LEVEL):
        return False
    pairs = np.bincount(x.codes * width + y.codes, minlength=len(x.counts) * width)
    return _few_errors(pairs.reshape(-1, width))


def _orders(x: Levels, y: Levels) -> bool:
    """Tell whether a column orders the rows of two classes nearly without a mistake."""
    if len(y.counts) != 2:
        return False
    # Of both classes, the rows with the larger values, by ranks from 0 that are doubled.
    mean = x.places[x.codes[y.codes == 1]].mean() / 2
    area = (mean - (y.counts[1] - 1) / 2) / y.counts[0]
    return bool(max(area, 1 - area) > _NEAR_AREA)


def _groups(x: Levels, y: Levels) -> bool:
    """Tell whether most rows share one of many values with others, nearly all of the same class."""
    if len(x.counts) < _FEWEST_GROUPS:
        return False
    width = len(y.counts)
    pairs = np.bincount(x.codes * width + y.codes, minlength=len(x.counts) * width)
    shared = pairs.reshape(-1, width)[x.counts > 1]
    return 2 * int(shared.sum()) >= len(y.codes) and _few_errors(shared)


def _few_errors(pairs: IntArray) -> bool:
    """Tell whether few rows have another class than most rows with their value, for counts."""
    n = int(pairs.sum())
    errors = n - int(pairs.max(axis=1).sum())
    return errors <= min(_MOST_ERRORS * n, _OF_ERRORS * (n - int(pairs.sum(axis=0).max())))


def _leak(whole: bool, near: bool) -> LeakKind | None:
    return "leak" if whole else "near leak" if near else None
