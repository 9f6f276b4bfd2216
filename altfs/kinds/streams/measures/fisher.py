"""Fisher's z test: correlations, and partial correlations given other columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import UNIT, StreamColumn, Values, floats, rounded
from altfs.kinds.streams.measures.members import MeasuredMembers
from altfs.scores.independence import standardised

# A quick pass over all columns has a relative error below this, unless little variance is left.
_MARGIN = 1e-6


class FisherZ:
    """Absolute correlations with two classes or numbers, tested with Fisher's z at a level."""

    # In SAOLA's public code, new columns lose to old ones of equal dependence on the target.
    equal_loses = True

    def __init__(self, y: Values, target_type: str, alpha: float = 0.01) -> None:
        from scipy.special import ndtri

        self._has_classes = target_type != "regression"
        self.target = self._standardised_target(y)
        freedom = np.maximum(len(y) - np.arange(4) - 3, 0)
        with np.errstate(divide="ignore"):
            #: The smallest correlation that is not independent, given 0 to 3 columns.
            self.cutoffs = np.tanh(-ndtri(alpha / 2) / np.sqrt(freedom))
        self.cutoffs[freedom == 0] = np.inf

    def _standardised_target(self, y: Values) -> FloatArray:
        numbers = np.unique(y, return_inverse=True)[1] if self._has_classes else y
        target: FloatArray = standardised(np.array(numbers, dtype=np.float64)[None, :])[0]
        return target

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, FloatArray]]:
        """Yield the place, the dependence and the values of columns that depend on the target."""
        near = self._not_far(X, columns)
        rows = standardised(floats(X, near + columns.start))
        exact = _correlations(rows, self.target)
        for place in np.flatnonzero(exact >= self.cutoffs[0]).tolist():
            # A copy, so that no other column stays in memory.
            yield int(near[place]), float(exact[place]), rows[place].copy()

    def _not_far(self, X: Values, columns: range) -> npt.NDArray[np.int64]:
        """Return the places of columns that a quick pass cannot call independent."""
        # Compiled code is slow to import.
        from altfs.kinds.streams.measures._sums import moments

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

    def members(self) -> CorrelatedMembers:
        """Return the members of an empty set."""
        return CorrelatedMembers(self)

    def strengths(self, X: FloatArray, judged: FloatArray, y: Values) -> FloatArray:
        """Return the dependence of each column of any part on its target, however small."""
        target = self._standardised_target(y)
        return _correlations(standardised(floats(judged, range(judged.shape[1]))), target)


class CorrelatedMembers(MeasuredMembers):
    """MeasuredMembers as the rows of a matrix that grows; removed ones leave room."""

    def __init__(self, measure: FisherZ) -> None:
        super().__init__()
        self.target, self.cutoffs = measure.target, measure.cutoffs
        self.rows: FloatArray = np.empty((0, len(self.target)))
        # The rows in use, in order of admission, and then the free ones.
        self.order = np.empty(0, dtype=np.int64)
        # The correlations of the target (0) and of the first members, which `separated` needs.
        self.matrix: FloatArray = np.ones((1, 1))

    def append(self, column: StreamColumn) -> None:
        n = len(self.columns)
        if n == len(self.rows):
            self.rows = np.vstack([self.rows, np.empty((max(n, 8), len(self.target)))])
            self.order = np.append(self.order, np.arange(n, len(self.rows)))
        self.rows[self.order[n]] = column.values
        super().append(column)

    def remove(self, place: int) -> None:
        super().remove(place)
        later = self.order[place : len(self.columns) + 1]
        later[:] = np.roll(later, -1)
        if place + 1 < len(self.matrix):
            self.matrix = np.delete(np.delete(self.matrix, place + 1, 0), place + 1, 1)

    def _correlations(self, values: FloatArray, n: int) -> FloatArray:
        """Return the correlations of a column with the first n members."""
        from altfs.kinds.streams.measures._sums import products

        return products(self.rows, self.order[:n], values)

    def between(self, column: StreamColumn) -> FloatArray:
        correlations = np.abs(self._correlations(column.values, len(self.columns)))
        correlations[correlations < self.cutoffs[0]] = 0.0
        return rounded(correlations)

    def judge(
        self, column: StreamColumn, equal_loses: bool, touching: bool
    ) -> tuple[list[int], int, bool]:
        from altfs.kinds.streams.measures._sums import judged

        rule = self.cutoffs[0], UNIT, equal_loses, touching
        arrays = self.rows, self.order[: len(self.columns)], column.values, self.relevance
        lost, compared, redundant = judged(*arrays, column.dependence, rule)
        return lost.tolist(), compared, redundant

    def separated(self, place: int, most: int, required: int = -1) -> bool:
        from altfs.kinds.streams.measures._sums import separated

        for n in range(len(self.matrix), len(self.columns) + 1):
            values = self.columns[n - 1].values
            new = np.r_[self.target @ values, self._correlations(values, n - 1), 1.0]
            self.matrix = np.vstack([np.column_stack([self.matrix, new[:-1]]), new])
        fixed = required + 1 if required >= 0 else -1
        n = len(self.columns) + 1
        result, tests = separated(self.matrix, n, place + 1, fixed, most, self.cutoffs**2)
        self.tests += tests
        return bool(result)


def _correlations(rows: FloatArray, target: FloatArray) -> FloatArray:
    return rounded(np.abs((rows * target).sum(axis=1)))
