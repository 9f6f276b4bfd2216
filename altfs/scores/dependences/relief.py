"""Relief's weight of one column for another, symmetric, from the levels that occur together."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.scores.dependences._mdl_levels import LevelMeasure
from altfs.scores.dependences.base import dependences


@dependences.register("relief")
class ReliefWeight(LevelMeasure):
    """Relief's weight of a column with the other one as the class, and the reverse: their mean.

    With the sums of squared shares X of the levels, C of the classes and J of both together, it
    is ``(J - X C) / (C - C**2)``: Relief with all rows in place of near ones, which needs no other
    column. It is 1 for two columns that name each other, 0 for independent ones and for a
    constant; values below 0 are 0. Numbers are cut into levels
    (:func:`altfs.scores.dependences._mdl_levels.mdl_levels`).

    Source: Hall, *Correlation-based Feature Selection for Machine Learning*, 1999, Section 4.2.2;
    Kononenko, *Estimating Attributes: Analysis and Extensions of RELIEF*, ECML 1994.
    """

    def of_levels(self, levels: IntArray, first: IntArray, second: IntArray) -> FloatArray:
        from altfs.scores._joint_counts import sums_of_pairs

        n = levels.shape[1]
        squares = np.square(np.arange(n + 1) / n)
        alone = np.array([squares[np.bincount(row)].sum() for row in levels])
        x, c = alone[first], alone[second]
        gain = np.maximum(sums_of_pairs(levels, first, second, squares) - x * c, 0.0)
        weights = np.zeros(len(gain))
        for share in (x, c):
            spread = share - share**2
            # The spread of a constant is 0 but for rounding.
            weights += np.divide(gain, spread, out=np.zeros_like(gain), where=spread > 1e-12)
        both: FloatArray = np.minimum(weights / 2, 1.0)
        return both
