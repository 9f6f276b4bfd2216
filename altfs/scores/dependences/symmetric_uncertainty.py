"""Symmetric uncertainty of columns, whose numbers are cut where they tell classes apart."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.scores.dependences._mdl_levels import LevelMeasure
from altfs.scores.dependences.base import dependences


@dependences.register("symmetric_uncertainty")
class MdlUncertainty(LevelMeasure):
    """The symmetric uncertainty of features with the target or with some columns.

    It is ``2 (H(x) + H(y) - H(x, y)) / (H(x) + H(y))``, from 0 to 1, and 0 for two constants.
    Numbers are cut into levels (:func:`altfs.scores.dependences._mdl_levels.mdl_levels`).

    Source: Hall, *Correlation-based Feature Selection for Machine Learning*, 1999.
    """

    def of_levels(self, levels: IntArray, first: IntArray, second: IntArray) -> FloatArray:
        from altfs.scores._joint_counts import sums_of_pairs

        n = levels.shape[1]
        counts = [np.bincount(row) for row in levels]
        worth = np.zeros(n + 1)
        worth[2:] = np.arange(2, n + 1) * np.log(np.arange(2, n + 1))
        entropy = np.array([worth[n] - worth[count].sum() for count in counts])
        joint = worth[n] - sums_of_pairs(levels, first, second, worth)
        alone = entropy[first] + entropy[second]
        shared = np.maximum(alone - joint, 0.0)
        # Entropies of constants are 0 but for rounding.
        result: FloatArray = np.divide(
            2 * shared, alone, out=np.zeros(len(first)), where=alone > 1e-9
        )
        return result
