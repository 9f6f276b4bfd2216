"""Measures that count codes: symmetric uncertainty, and the G² test."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import Column, Other, Values, floats, rounded
from altfs.kinds.streams.measures.base import Measure, Relation, Shelf
from altfs.kinds.streams.measures.codes import Codes, TargetCodes, coded


class _OfCodes(Measure):
    """The base class of measures that count codes."""

    def __init__(self, y: npt.NDArray[Any], target_type: str) -> None:
        self.target = TargetCodes(y, target_type)

    def kept(self, X: Values, columns: npt.NDArray[np.int64]) -> list[Any]:
        return [coded(values) for values in floats(X, columns)]

    def strengths(self, X: FloatArray, other: Other | None = None) -> FloatArray:
        if other is None:
            found = [uncertainty(coded(x), self.target.own) for x in X.T]
        else:
            target = self.target.of(other[1])
            pairs = zip(other[0].T, X.T, strict=True)
            found = [uncertainty(coded(x, reference), target) for x, reference in pairs]
        return rounded(np.array(found, dtype=np.float64))


class SymmetricUncertainty(_OfCodes):
    """Twice the mutual information divided by the sum of both entropies.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    threshold : float
        Columns are independent up to this value.
    """

    def __init__(self, y: npt.NDArray[Any], target_type: str, threshold: float = 0.0) -> None:
        super().__init__(y, target_type)
        self.threshold = threshold

    def dependences(self, X: Values, columns: range) -> FloatArray:
        found = [uncertainty(coded(x), self.target.own) for x in floats(X, columns)]
        return _above(found, self.threshold)

    def shelf(self) -> Shelf:
        """Return an empty shelf for the columns of a set."""
        return CountedShelf(self.threshold)


class _Listed:
    """The codes of members, in a list."""

    def __init__(self) -> None:
        self.codes: list[Codes] = []

    def add(self, column: Column) -> None:
        self.codes.append(column.values)

    def remove(self, place: int) -> None:
        self.codes.pop(place)


class CountedShelf(_Listed, Shelf):
    """Columns that are compared by their symmetric uncertainty."""

    def __init__(self, threshold: float) -> None:
        super().__init__()
        self.threshold = threshold

    def between(self, column: Column) -> FloatArray:
        return _above([uncertainty(one, column.values) for one in self.codes], self.threshold)


class GSquare(_OfCodes):
    """The G² test of independence; the size of a dependence is the symmetric uncertainty.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    alpha : float
        Columns are independent if the probability of the statistic is at least this.
    """

    def __init__(self, y: npt.NDArray[Any], target_type: str, alpha: float = 0.01) -> None:
        from scipy.special import chdtri

        super().__init__(y, target_type)
        #: The largest statistic of independence, by the degrees of freedom.
        self.critical = np.r_[0.0, chdtri(np.arange(1, len(y) // 5 + 2), alpha)]

    def dependences(self, X: Values, columns: range) -> FloatArray:
        target, found = self.target.own, []
        for values in floats(X, columns):
            x = coded(values)
            found.append(0.0 if self.independent(x, target, []) else uncertainty(x, target))
        return rounded(np.array(found, dtype=np.float64))

    def relation(self) -> CountedRelation:
        """Return the dependences within a set."""
        return CountedRelation(self)

    def independent(self, x: Codes, y: Codes, given: list[Codes]) -> bool:
        """Tell whether two columns are independent given others."""
        n_rows = len(x.values)
        strata, n_strata = np.zeros(n_rows, dtype=np.int64), 1
        for z in given:
            strata, n_strata = strata * z.levels + z.values, n_strata * z.levels
        freedom = max((x.levels - 1) * (y.levels - 1) * n_strata, 1)
        if n_rows < 5 * freedom:
            return True
        return _statistic(x, y, strata, n_strata) <= float(self.critical[freedom])


class CountedRelation(_Listed, Relation):
    """The G² tests within a set."""

    def __init__(self, measure: GSquare) -> None:
        super().__init__()
        self.measure = measure

    def separated(self, place: int, most: int, required: int = -1) -> bool:
        fixed = [] if required < 0 else [self.codes[required]]
        others = [z for i, z in enumerate(self.codes) if i not in (place, required)]
        for size in range(1, most + 1):
            for chosen in combinations(others, size - len(fixed)):
                self.tests += 1
                given = [*fixed, *chosen]
                if self.measure.independent(self.codes[place], self.measure.target.own, given):
                    return True
        return False


def _above(found: list[float], threshold: float) -> FloatArray:
    values = rounded(np.array(found, dtype=np.float64))
    return np.where(values > threshold, values, 0.0)


def uncertainty(x: Codes, y: Codes) -> float:
    """Return the symmetric uncertainty of two columns; 0 if both are constant."""
    both = x.entropy + y.entropy
    return 2 * information(x, y) / both if both > 0 else 0.0


def information(x: Codes, y: Codes, given: Codes | None = None) -> float:
    """Return the mutual information of two columns given a third one, in nats."""
    n_rows = len(x.values)
    if given is None:
        return _statistic(x, y, np.zeros(n_rows, dtype=np.int64), 1) / (2 * n_rows)
    return _statistic(x, y, given.values, given.levels) / (2 * n_rows)


def _statistic(x: Codes, y: Codes, strata: npt.NDArray[np.int64], n_strata: int) -> float:
    # Compiled code is slow to import.
    from altfs.kinds.streams.measures._counting import likelihood_ratio

    return likelihood_ratio(x.values, y.values, strata, x.levels, y.levels, n_strata)
