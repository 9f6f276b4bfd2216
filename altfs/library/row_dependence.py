"""Targets that are alike in rows with the same value of a column, or in neighbouring rows.

Scores on held-out rows are then too good for new rows, unless such rows are held out together.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.scores._levels import Levels

# Fewer texts are kinds of rows, fewer numbers few persons or places.
_FEWEST_TEXTS, _FEWEST_VALUES = 20, 30
# A value of more rows, such as 0, is no person and no place.
_LARGEST_SHARE = 0.1
# An id says at most so much of it of near values, and one standard deviation more.
_OF_NEAR = 0.2
# The smallest correlation, and the smallest number of its standard deviations without a relation.
_LEAST, _DEVIATIONS = 0.1, 5.0


def target_deviations(y: npt.NDArray[np.generic], is_numeric: bool) -> FloatArray:
    """Return the deviations of targets from their mean, a column per class or one of numbers."""
    columns = y[:, None] if is_numeric else y[:, None] == np.unique(y)[None]
    numbers = columns.astype(np.float64)
    return np.asarray(numbers - numbers.mean(axis=0))


def alike_within(x: Levels, deviations: FloatArray, is_category: bool = False) -> bool:
    """Tell whether targets are alike within values of a column, and of numbers not next to them.

    The correlation of the target of a row with the mean of the other rows of the same value is
    compared with its correlation with the mean of the rows of the two nearest numbers. A number
    that tells something about new rows says it of near values, too; an id does not.

    Parameters
    ----------
    x : Levels
    deviations : ndarray of shape (n_rows, n_classes) or (n_rows, 1)
    is_category : bool, default=False
        Texts have no near values.

    Returns
    -------
    bool

    Examples
    --------
    >>> x = Levels.of(np.repeat(np.arange(50), 8), False)
    >>> by_value = np.random.default_rng(0).normal(size=50)[x.codes]
    >>> alike_within(x, target_deviations(by_value, True))
    True
    >>> alike_within(x, target_deviations(x.codes.astype(float), True))
    False
    """
    counts, n_rows = x.counts, len(x.codes)
    shared = (counts[x.codes] > 1) & (counts[x.codes] <= _LARGEST_SHARE * n_rows)
    fewest = _FEWEST_TEXTS if is_category else _FEWEST_VALUES
    if len(counts) < fewest or 2 * int(shared.sum()) < n_rows:
        return False
    sums = np.array([np.bincount(x.codes, column, len(counts)) for column in deviations.T]).T
    others = (sums[x.codes] - deviations) / np.maximum(counts[x.codes] - 1, 1)[:, None]
    squares = (deviations[shared] ** 2).sum()
    within = (deviations[shared] * others[shared]).sum() / squares
    least = max(_LEAST, _DEVIATIONS / float(shared.sum()) ** 0.5)
    if is_category:
        return bool(within > least)
    before, after = np.arange(len(counts)) - 1, np.arange(len(counts)) + 1
    before[0], after[-1] = after[0], before[-1]
    beside = (sums[before] + sums[after]) / (counts[before] + counts[after])[:, None]
    near = (deviations[shared] * beside[x.codes[shared]]).sum() / squares
    is_near = near > _OF_NEAR * within + len(counts) ** -0.5
    return bool(within - max(near, 0.0) > least and not is_near)


def follows_rows(x: Levels, deviations: FloatArray) -> bool:
    """Tell whether a column sorts the rows, and the target changes along them.

    Parameters
    ----------
    x : Levels
        Its rows in the order of the table.
    deviations : ndarray of shape (n_rows, n_classes) or (n_rows, 1)

    Returns
    -------
    bool

    Examples
    --------
    >>> x = Levels.of(np.arange(200.0), False)
    >>> slow = np.sin(np.arange(200) / 20)
    >>> follows_rows(x, target_deviations(slow, True))
    True
    >>> follows_rows(x, target_deviations(np.random.default_rng(0).normal(size=200), True))
    False
    """
    steps = np.diff(x.codes)
    n_rows = len(x.codes)
    if len(x.counts) < _FEWEST_VALUES or not ((steps >= 0).all() or (steps <= 0).all()):
        return False
    squares = (deviations**2).sum()
    beside = (deviations[:-1] * deviations[1:]).sum() / squares
    place = np.arange(n_rows) - (n_rows - 1) / 2
    along = place @ deviations / (np.sqrt((place**2).sum()) * np.linalg.norm(deviations, axis=0))
    return bool(max(beside, np.abs(along).max()) > _DEVIATIONS / n_rows**0.5)
