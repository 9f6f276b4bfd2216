"""Measures that count levels: symmetric uncertainty, and G²."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import StreamColumn, Values, floats, rounded
from altfs.kinds.streams.measures.members import MeasuredMembers
from altfs.scores.independence import Codes, TargetCodes, coded, conditional, statistic


class SymmetricUncertainty:
    """Twice the mutual information divided by the sum of both entropies.

    Columns are independent up to the value `threshold`.
    """

    equal_loses = False

    def __init__(self, y: Values, target_type: str, threshold: float = 0.0) -> None:
        self.target = TargetCodes(y, target_type)
        self.threshold = threshold

    def dependence(self, x: Codes) -> float:
        """Return the dependence of a column on the target; 0 if independent."""
        value = float(rounded(uncertainty(x, self.target.codes)))
        return value if value > self.threshold else 0.0

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, Codes]]:
        """Yield the place, the dependence and the codes of columns that depend on the target."""
        for j, values in enumerate(floats(X, columns)):
            x = coded(values)
            if dependence := self.dependence(x):
                yield j, dependence, x

    def members(self) -> CountedMembers:
        """Return the members of an empty set."""
        return CountedMembers(self)

    def strengths(self, X: FloatArray, judged: FloatArray, y: Values) -> FloatArray:
        """Return the dependence of each column of any part on its target, however small.

        `X` are the columns of the training part, whose levels count.
        """
        target = self.target.of(y)
        pairs = zip(judged.T, X.T, strict=True)
        return rounded([uncertainty(coded(x, reference), target) for x, reference in pairs])


class GSquare(SymmetricUncertainty):
    """The G² test of independence; the size of a dependence is the symmetric uncertainty.

    Columns are independent if the probability of the statistic is at least `alpha`.
    """

    def __init__(self, y: Values, target_type: str, alpha: float = 0.01) -> None:
        from scipy.special import chdtri

        super().__init__(y, target_type)
        #: The largest statistic of independence, by the degrees of freedom.
        self.critical = np.r_[0.0, chdtri(np.arange(1, len(y) // 5 + 2), alpha)]

    def dependence(self, x: Codes) -> float:
        return 0.0 if self.independent(x, []) else super().dependence(x)

    def independent(self, x: Codes, given: list[Codes]) -> bool:
        """Tell whether a column is independent of the target given others."""
        value, freedom = conditional(x, self.target.codes, given)
        return value is None or value <= float(self.critical[freedom])


class CountedMembers(MeasuredMembers):
    """MeasuredMembers whose codes are counted."""

    def __init__(self, measure: Any) -> None:
        super().__init__()
        self.measure = measure

    def between(self, column: StreamColumn) -> FloatArray:
        values = rounded([uncertainty(c.values, column.values) for c in self.columns])
        return np.where(values > self.measure.threshold, values, 0.0)

    def separated(self, place: int, most: int, required: int = -1) -> bool:
        codes = [c.values for c in self.columns]
        fixed = [] if required < 0 else [codes[required]]
        others = [z for i, z in enumerate(codes) if i not in (place, required)]
        for size in range(1, most + 1):
            for given in combinations(others, size - len(fixed)):
                self.tests += 1
                if self.measure.independent(codes[place], [*fixed, *given]):
                    return True
        return False


def uncertainty(x: Codes, y: Codes) -> float:
    """Return the symmetric uncertainty of two columns; 0 if both are constant."""
    both = x.entropy + y.entropy
    return 2 * information(x, y) / both if both > 0 else 0.0


def information(x: Codes, y: Codes, given: Codes | None = None) -> float:
    """Return the mutual information of two columns given a third one, in nats."""
    n_rows = len(x.values)
    if given is None:
        return statistic(x, y, np.zeros(n_rows, dtype=np.int64), 1) / (2 * n_rows)
    return statistic(x, y, given.values, given.levels) / (2 * n_rows)
