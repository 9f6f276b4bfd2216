"""Columns that say the target alone, nearly, or much more than others, and those of groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
# Beside a leak, or without one, a column with so much of the entropy of classes, or so large a
# squared correlation of the ranks of numbers, tells much if all but few have less than a third.
_MUCH = {True: (0.25, 0.5), False: (0.5, 0.8)}
_TIMES = 3
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
        leaks.append(_leak(same, _correlation(x, y) > _NEAR_CORRELATION))
    return leaks


def rows_for_leaks(part: Part) -> IntArray:
    """Return the rows by which leaks are judged: all, or one of each group if there are many.

    A column that only tells groups apart, such as a date of birth, tells much of targets that are
    alike within them.
    """
    order = np.arange(len(part.y))
    if part.groups is None:
        return order
    canonical = part.canonical_rows()
    rows = np.sort(canonical[np.unique(part.groups[canonical], return_index=True)[1]])
    enough = len(rows) >= _COMMON_ROWS and (part.y[rows] != part.y[rows[0]]).any()
    return rows if enough else order


def subset(part: Part, rows: IntArray) -> Part:
    """Return some rows of a part, without groups and times."""
    return Part(
        part.X[rows], part.y[rows], part.target_type, part.seed, categorical=part.categorical
    )


def possible_leaks(
    part: Part, leaks: Sequence[LeakKind | None], exclude: Collection[int] = ()
) -> dict[int, str]:
    """Return features that alone tell much of the target, and far more than all others.

    At most half of the features that are no leaks are such.

    Parameters
    ----------
    part : Part
    leaks : sequence of str or None
        From :func:`leaks_of`; beside a leak, less is much.
    exclude : collection of int
        Columns that are left out.

    Returns
    -------
    dict of int to str
        What each tells alone, beside other features, in words.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> y = random.integers(0, 2, 500)
    >>> X = np.array([y, y + random.normal(size=500) / 2, *random.normal(size=(2, 500))]).T
    >>> possible_leaks(part := Part(X, y, "binary", 0), leaks_of(part))
    {1: '0.46 of its entropy, other features at most 0.02'}
    """
    y = Levels.of(part.y, part.target_type != "regression")
    if y.discrete:
        entropy = float(entr(y.counts / len(y.codes)).sum())
        told = [v / entropy if entropy > 0 else 0.0 for v in part.score(ScoreKey("relevance"))]
    else:
        told = [_correlation(x, y) ** 2 for x in part.levels]
    kinds = {leaks[j] for j in range(len(leaks)) if j not in exclude}
    columns = [j for j, leak in enumerate(leaks) if leak is None and j not in exclude]
    columns.sort(key=lambda j: -told[j])
    least = _MUCH[y.discrete][kinds.isdisjoint(("leak", "near leak"))]
    what = "of its entropy" if y.discrete else "as the squared correlation of ranks"
    for n in range(len(columns) // 2, 0, -1):
        low, other = told[columns[n - 1]], max(told[columns[n]], 0.0)
        if low >= max(least, _TIMES * other):
            end = f"{what}, other features at most {other:.2f}"
            return {j: f"{told[j]:.2f} {end}" for j in sorted(columns[:n])}
    return {}


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


def _correlation(x: Levels, y: Levels) -> float:
    """Return the size of the correlation of the ranks of numbers."""
    ranks = x.places[x.codes], y.places[y.codes]
    return abs(float(np.corrcoef(*ranks)[0, 1])) if len(x.counts) > 1 else 0.0


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
