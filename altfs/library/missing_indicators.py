"""Missing values that alone tell of the target."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from scipy.stats import norm, rankdata

from altfs._numbers import BoolArray, FloatArray
from altfs.scores.base import Part

# The probability of any score by chance, and the smallest area, or correlation of ranks, beside it.
_LEVEL, _AREA, _CORRELATION = 0.01, 0.55, 0.1
# The fewest rows that are expected in a cell, for the normal approximation.
_FEWEST = 5


def gap_scores(part: Part, gaps: BoolArray, exclude: Collection[int] = ()) -> dict[int, str]:
    """Return the score of each column whose missing values are associated with the target.

    The missing values of a column are correlated with each class, or with the ranks of numbers.
    The probability of the largest correlation by chance is corrected for all columns and classes
    (Bonferroni). Of rows in groups, the groups count as rows.

    Parameters
    ----------
    part : Part
    gaps : ndarray of bool of shape (n_rows, n_features)
        True for missing values.
    exclude : collection of int
        Columns that are left out.

    Returns
    -------
    dict of int to str
        The area under the ROC curve, or the correlation of ranks, in words.

    Examples
    --------
    >>> y = np.repeat([0, 1], 50)
    >>> gaps = (np.arange(100) % 5 < 1 + 2 * y)[:, None]
    >>> gap_scores(Part(np.zeros((100, 1)), y, "binary", 0), gaps)
    {0: 'AUC 0.70'}
    """
    n_rows, classes = len(part.y), part.target_type != "regression"
    n_missing = gaps.sum(axis=0)
    columns = [
        j
        for j in np.flatnonzero((n_missing > 0) & (n_missing < n_rows)).tolist()
        if j not in exclude
    ]
    if not columns:
        return {}
    labels = np.unique(part.y) if classes else None
    targets = rankdata(part.y)[:, None] if labels is None else part.y[:, None] == labels[None]
    n_tests = len(columns) * (1 if targets.shape[1] <= 2 else targets.shape[1])
    n_units = n_rows if part.groups is None else len(np.unique(part.groups))
    found = {}
    for j in columns:
        missing = gaps[:, j].astype(np.float64)
        r = _correlations(missing, targets.astype(np.float64))
        if classes:
            # Rare classes and few gaps are alike by chance.
            rarest = np.minimum(targets.sum(axis=0), n_rows - targets.sum(axis=0))
            r[rarest * min(n_missing[j], n_rows - n_missing[j]) < _FEWEST * n_rows] = 0.0
        elif min(n_missing[j], n_rows - n_missing[j]) < _FEWEST:
            continue
        best = int(np.argmax(np.abs(r)))
        p = 2 * norm.sf(abs(r[best]) * np.sqrt(n_units - 1)) * n_tests
        if classes:
            of_class = missing[targets[:, best]].mean() - missing[~targets[:, best]].mean()
            score, least, name = 0.5 + abs(of_class) / 2, _AREA, "AUC"
        else:
            score, least, name = abs(r[best]), _CORRELATION, "rank correlation"
        if p < _LEVEL and score >= least:
            found[j] = f"{name} {score:.2f}"
    return found


def _correlations(x: FloatArray, targets: FloatArray) -> FloatArray:
    x, targets = x - x.mean(), targets - targets.mean(axis=0)
    spread = np.sqrt((x**2).sum() * (targets**2).sum(axis=0))
    r: FloatArray = x @ targets / np.where(spread > 0, spread, 1.0)
    return r
