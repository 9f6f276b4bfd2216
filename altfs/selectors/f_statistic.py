"""F-statistic: the differences between the means of a feature, relative to its spread."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows, sums_of_squares
from altfs.selectors.base import normalised, selectors

# The largest share of a perfectly explained feature that rounding leaves unexplained.
_NOTHING = 1e-14


@selectors.register("f_statistic")
class FStatistic(LinearFromRows):
    """Univariate filter: the sum of F-statistics, normalised so that all features have 1.

    The statistics are those of scikit-learn's `f_classif` (classes) and `f_regression`.
    Constant features have 0. A feature that explains the target perfectly has an infinite
    statistic. If there are such features, they share the 1, and all others have 0.
    Categories have no means and are refused.
    """

    takes_categories = False
    takes_sparse = True

    def values(self, part: Part) -> FloatArray:
        explained, total, freedom = sums_of_squares(part)
        rest = total - explained
        perfect = (total > 0) & (rest <= _NOTHING * total)
        if perfect.any():
            return normalised(perfect.astype(np.float64))
        ratio = np.divide(explained, rest, out=np.zeros_like(total), where=rest > 0)
        return normalised(ratio * (len(part.y) - freedom - 1) / freedom)
