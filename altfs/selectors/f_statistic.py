"""F-statistic: how far the means of a feature differ, measured by its spread."""

from __future__ import annotations

import numpy as np

from altfs.selectors._from_rows import LinearFromRows, Values, sums_of_squares
from altfs.selectors.base import selectors
from altfs.selectors.part import Part
from altfs.selectors.scores import normalised

# What is left of a perfectly explained feature by rounding.
_NOTHING = 1e-14


@selectors.register("f_statistic")
class FStatistic(LinearFromRows):
    """Univariate filter: the sum of F-statistics, normalised so that all features have 1.

    scikit-learn's `f_classif` (classes) and `f_regression`. Constant features
    have 0. The statistic of a feature that explains the target perfectly is
    infinite: such features share the 1, and nothing is left for the others.
    """

    def values(self, part: Part) -> Values:
        explained, total, freedom = sums_of_squares(part)
        rest = total - explained
        perfect = (total > 0) & (rest <= _NOTHING * total)
        if perfect.any():
            return normalised(perfect.astype(np.float64))
        ratio = np.divide(explained, rest, out=np.zeros_like(total), where=rest > 0)
        return normalised(ratio * (len(part.y) - freedom - 1) / freedom)
