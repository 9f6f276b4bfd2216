"""Tests of conditional independence of a column and the target."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from altfs._numbers import BoolArray, FloatArray, IntArray, quantiles
from altfs.errors import DataError
from altfs.scores.base import Part

Values = npt.NDArray[Any]
_MOST_VALUES = 20
_BINS = 10
_TARGET_BINS = 5
# A column is in the span of others if less of its variance is left.
_NOTHING = 1e-12


class Codes(NamedTuple):
    """A column as levels 0, 1, ..., each of which occurs."""

    #: Shape (n_rows,).
    values: IntArray
    levels: int
    #: In nats.
    entropy: float


def codes(values: Values) -> Codes:
    """Return the codes of values that are levels already.

    >>> codes(np.array([3, 3, 7, 9])).values
    array([0, 0, 1, 2])
    """
    _, levels, counts = np.unique(values, return_inverse=True, return_counts=True)
    shares = counts / len(values)
    return Codes(levels.astype(np.int64), len(counts), float(-(shares * np.log(shares)).sum()))


def cuts(values: FloatArray) -> FloatArray:
    """Return where the levels of a column end.

    At most 20 different whole numbers are a level each. Other columns have ten levels of
    about equal numbers of rows; a level has the values up to its end.

    >>> cuts(np.array([1.0, 5.0, 1.0])), len(cuts(np.arange(100.0)))
    (array([3.]), 9)
    """
    different = np.unique(values)
    if len(different) <= _MOST_VALUES and (different == np.rint(different)).all():
        return (different[1:] + different[:-1]) / 2
    return quantiles(values, _BINS)


def coded(values: FloatArray, reference: FloatArray | None = None) -> Codes:
    """Return the codes of a column, by default with its own cuts, or those of a reference."""
    return codes(np.searchsorted(cuts(values if reference is None else reference), values))


class TargetCodes:
    """The codes of a target: its classes, or five levels of a number."""

    def __init__(self, y: Values, target_type: str) -> None:
        self._cuts: FloatArray | None = None
        if target_type == "regression":
            self._cuts = quantiles(np.asarray(y, dtype=np.float64), _TARGET_BINS)
        self.codes = self.of(y)

    def of(self, y: Values) -> Codes:
        """Return the codes of the target of any part."""
        return codes(y if self._cuts is None else np.searchsorted(self._cuts, y))


def statistic(x: Codes, y: Codes, strata: IntArray, n_strata: int) -> float:
    """Return the G² statistic of two columns, summed over strata of the rows."""
    # Compiled code is slow to import.
    from altfs.scores._joint_counts import likelihood_ratio

    return likelihood_ratio(x.values, y.values, strata, x.levels, y.levels, n_strata)


def conditional(x: Codes, y: Codes, given: Sequence[Codes]) -> tuple[float | None, int]:
    """Return the G² statistic of two columns given others, and its degrees of freedom.

    It is None if there are fewer than five rows for each degree of freedom.
    """
    strata, n_strata = np.zeros(len(x.values), dtype=np.int64), 1
    for z in given:
        strata, n_strata = strata * z.levels + z.values, n_strata * z.levels
    freedom = max((x.levels - 1) * (y.levels - 1) * n_strata, 1)
    if len(strata) < 5 * freedom:
        return None, freedom
    return statistic(x, y, strata, n_strata), freedom


def standardised(rows: FloatArray) -> FloatArray:
    """Centre rows, and divide each by its norm; constant rows become 0. Overwrites its argument.

    >>> standardised(np.array([[3.0, 5.0], [1.0, 1.0]])).round(3)
    array([[-0.707,  0.707],
           [ 0.   ,  0.   ]])
    """
    # Differences from the first value make constant rows exactly 0.
    rows -= rows[:, :1]
    largest = np.abs(rows).max(axis=1, initial=0.0, keepdims=True)
    rows /= np.where(largest > 0, largest, 1.0)
    rows -= rows.mean(axis=1, keepdims=True)
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    rows /= np.where(norms > 0, norms, 1.0)
    return rows


class Independence(Protocol):
    """A test of the independence of a column and the target, given other columns."""

    #: Its name in words.
    name: str

    def log_p(self, column: int, given: Sequence[int]) -> float:
        """Return the logarithm of the p-value, which is 0 if the rows are too few for a test."""


class PartialCorrelation:
    """Fisher's z test of partial correlations, for columns of numbers.

    The target has two classes or is a number. A column that others determine is independent.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 3.0], [5.0, 6.0], [6.0, 4.0]])
    >>> test = PartialCorrelation(X, X[:, 0] + X[:, 1])
    >>> round(test.log_p(0, []), 2), test.log_p(0, [1]) < -50
    (-4.82, True)
    """

    name = "Fisher's z"

    def __init__(self, X: Values, y: Values) -> None:
        #: The target and the columns, centred and of length 1; constant ones are 0.
        self._rows = standardised(np.vstack([y, np.asarray(X).T]).astype(np.float64))

    def log_p(self, column: int, given: Sequence[int]) -> float:
        from scipy.special import log_ndtr

        freedom = self._rows.shape[1] - len(given) - 3
        if freedom <= 0:
            return 0.0
        rows = self._rows[[0, column + 1, *(j + 1 for j in given)]]
        left = rows @ rows.T
        for i in range(2, len(rows)):
            if left[i, i] >= _NOTHING:
                left = left - np.outer(left[i], left[i]) / left[i, i]
        if min(left[0, 0], left[1, 1]) < _NOTHING:
            return 0.0
        r = min(abs(left[0, 1]) / np.sqrt(left[0, 0] * left[1, 1]), 1.0)
        with np.errstate(divide="ignore"):
            z = np.arctanh(r) * np.sqrt(freedom)
        return min(log(2) + float(log_ndtr(-z)), 0.0)


class LevelCounts:
    """The G² test of columns as a few levels; it needs five rows for each degree of freedom.

    Examples
    --------
    >>> X = np.repeat([[0, 0], [1, 0], [1, 1], [1, 1]], 20, axis=0)
    >>> test = LevelCounts(X, X[:, 0], "binary", np.zeros(2, dtype=bool))
    >>> test.log_p(0, []) < -40, test.log_p(1, [0])
    (True, 0.0)
    """

    name = "G²"

    def __init__(self, X: Values, y: Values, target_type: str, categorical: BoolArray) -> None:
        columns = zip(np.asarray(X, dtype=np.float64).T, categorical, strict=True)
        self._columns = [codes(x) if is_category else coded(x) for x, is_category in columns]
        self._target = TargetCodes(y, target_type).codes

    def log_p(self, column: int, given: Sequence[int]) -> float:
        from scipy.stats import chi2

        x, y = self._columns[column], self._target
        value, freedom = conditional(x, y, [self._columns[j] for j in given])
        return 0.0 if value is None else float(chi2.logsf(value, freedom))


def independence(part: Part) -> Independence:
    """Return the test that suits the columns and the target of a part.

    It is that of partial correlations for columns of numbers and a target that is a number or has
    two classes, else that of counts. Tests take rows as independent. Of rows with groups, one row
    of each group counts, drawn at random.
    """
    part = one_row_per_group(part)
    if part.target_type == "multiclass" or part.categorical.any():
        return LevelCounts(part.X, part.y, part.target_type, part.categorical)
    is_classes = part.target_type != "regression"
    y = np.unique(part.y, return_inverse=True)[1] if is_classes else part.y
    return PartialCorrelation(part.X, y)


def one_row_per_group(part: Part) -> Part:
    """Return a part with one row of each group, drawn at random; the same without groups.

    >>> part = Part(np.eye(4), np.array([0, 1, 0, 1]), "binary", 0, groups=np.array([0, 0, 1, 2]))
    >>> one_row_per_group(part).X.shape
    (3, 4)
    """
    if part.groups is None:
        return part
    # The order of rows does not matter.
    order = np.random.default_rng(0).permutation(part.canonical_rows())
    first = np.unique(part.groups[order], return_index=True)[1]
    chosen = part.with_rows(np.sort(order[first]))
    if part.target_type != "regression" and len(np.unique(chosen.y)) < 2:
        raise DataError("groups", "one row of each group is of one class", "use more groups")
    return chosen
