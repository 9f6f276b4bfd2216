"""Fisher's z test: correlations, and partial correlations given other columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import UNIT, Column, Other, Values, floats, rounded
from altfs.kinds.streams.measures.base import Measure, Relation, Shelf, Verdict

# A quick pass over all columns has a relative error below this, unless little variance is left.
_MARGIN = 1e-6


class FisherZ(Measure):
    """Absolute correlations, tested with Fisher's z.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Two classes or numbers.
    target_type : {"binary", "regression"}
    alpha : float
        The level of the test.
    """

    equal_loses = True

    def __init__(self, y: npt.NDArray[Any], target_type: str, alpha: float = 0.01) -> None:
        from scipy.special import ndtri

        self._has_classes = target_type != "regression"
        self.target = self._standardised_target(y)
        freedom = np.maximum(len(y) - np.arange(4) - 3, 0)
        with np.errstate(divide="ignore"):
            #: The smallest correlation that is not independent, given 0 to 3 columns.
            self.cutoffs = np.tanh(-ndtri(alpha / 2) / np.sqrt(freedom))
        self.cutoffs[freedom == 0] = np.inf

    def _standardised_target(self, y: npt.NDArray[Any]) -> FloatArray:
        numbers = np.unique(y, return_inverse=True)[1] if self._has_classes else y
        found: FloatArray = standardised(np.array(numbers, dtype=np.float64)[None, :])[0]
        return found

    def dependences(self, X: Values, columns: range) -> FloatArray:
        found = np.zeros(len(columns))
        for j, dependence, _ in self.relevant(X, columns):
            found[j] = dependence
        return found

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, FloatArray]]:
        near = self._not_far(X, columns)
        rows = standardised(floats(X, near + columns.start))
        exact = _products(rows, self.target)
        for place in np.flatnonzero(exact >= self.cutoffs[0]).tolist():
            # A copy, so that no other column stays in memory.
            yield int(near[place]), float(exact[place]), rows[place].copy()

    def _not_far(self, X: Values, columns: range) -> npt.NDArray[np.int64]:
        """Return the places of columns that a quick pass cannot call independent."""
        # Compiled code is slow to import.
        from altfs.kinds.streams.measures._partial import moments

        if np.isinf(self.cutoffs[0]):
            return np.empty(0, dtype=np.int64)
        start, stop, matrix = columns.start, columns.stop, X
        if X.dtype != np.float64 or not X.flags.c_contiguous:
            matrix = np.ascontiguousarray(X[:, start:stop], dtype=np.float64)
            start, stop = 0, stop - start
        sums, squares, products = moments(matrix, self.target, start, stop)
        with np.errstate(over="ignore", invalid="ignore"):
            variances = squares - sums * sums / X.shape[0]
            far = products**2 < (self.cutoffs[0] * (1 - _MARGIN)) ** 2 * variances
            far &= variances > _MARGIN * squares
        return np.flatnonzero(~far & (squares > 0))

    def kept(self, X: Values, columns: npt.NDArray[np.int64]) -> list[Any]:
        return list(standardised(floats(X, columns)))

    def shelf(self) -> _Rows:
        return _Rows(self.cutoffs[0])

    def strengths(self, X: FloatArray, other: Other | None = None) -> FloatArray:
        target = self.target if other is None else self._standardised_target(other[1])
        judged = X if other is None else other[0]
        return _products(standardised(floats(judged, range(judged.shape[1]))), target)

    def relation(self) -> CorrelatedRelation:
        """Return the dependences within a set."""
        return CorrelatedRelation(self)


class _Rows(Shelf):
    """Standardised columns as the rows of a matrix that grows; removed ones leave room."""

    def __init__(self, cutoff: float) -> None:
        self.cutoff = cutoff
        self.n = 0
        self.rows: FloatArray = np.empty((0, 0))
        # The rows in use, in order of admission, and then the free ones.
        self.order = np.empty(0, dtype=np.int64)

    def add(self, column: Column) -> None:
        if self.n == len(self.rows):
            grown = np.empty((max(2 * self.n, 8), len(column.values)))
            if self.n:
                grown[: self.n] = self.rows
            self.rows, free = grown, np.arange(self.n, len(grown))
            self.order = np.concatenate([self.order, free])
        self.rows[self.order[self.n]] = column.values
        self.n += 1

    def remove(self, place: int) -> None:
        free = self.order[place]
        self.order[place : self.n - 1] = self.order[place + 1 : self.n]
        self.n -= 1
        self.order[self.n] = free

    def between(self, column: Column) -> FloatArray:
        found = np.abs(self.signed(column))
        found[found < self.cutoff] = 0.0
        return rounded(found)

    def judge(
        self, column: Column, relevance: FloatArray, equal_loses: bool, touching: bool
    ) -> Verdict:
        from altfs.kinds.streams.measures._partial import judged

        if not self.n:
            return Verdict([], 0, False)
        rule = self.cutoff, UNIT, equal_loses, touching
        chosen, strength = self.order[: self.n], column.dependence
        found = judged(self.rows, chosen, column.values, relevance, strength, rule)
        return Verdict(found[0].tolist(), *found[1:])

    def signed(self, column: Column) -> FloatArray:
        """Return the correlations of a column with those of the shelf."""
        from altfs.kinds.streams.measures._partial import products

        if not self.n:
            return np.empty(0)
        found: FloatArray = products(self.rows, self.order[: self.n], column.values)
        return found


class CorrelatedRelation(Relation):
    """The matrix of the correlations among the target and the members of a set."""

    def __init__(self, measure: FisherZ) -> None:
        self.target, self.squares = measure.target, measure.cutoffs**2
        self.shelf = measure.shelf()
        self.matrix: FloatArray = np.ones((8, 8))

    def add(self, column: Column) -> None:
        n = self.shelf.n + 1
        if n == len(self.matrix):
            grown = np.ones((2 * n, 2 * n))
            grown[:n, :n] = self.matrix
            self.matrix = grown
        self.matrix[n, 0] = self.matrix[0, n] = self.target @ column.values
        self.matrix[n, 1:n] = self.matrix[1:n, n] = self.shelf.signed(column)
        self.shelf.add(column)

    def remove(self, place: int) -> None:
        n, gone = self.shelf.n + 1, place + 1
        for half in (self.matrix, self.matrix.T):
            half[gone : n - 1] = half[gone + 1 : n].copy()
        self.shelf.remove(place)

    def separated(self, place: int, most: int, required: int = -1) -> bool:
        from altfs.kinds.streams.measures._partial import separated

        fixed = required + 1 if required >= 0 else -1
        n = self.shelf.n + 1
        found, tests = separated(self.matrix, n, place + 1, fixed, most, self.squares)
        self.tests += tests
        return bool(found)


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


def _products(rows: FloatArray, target: FloatArray) -> FloatArray:
    return rounded(np.abs((rows * target).sum(axis=1)))
