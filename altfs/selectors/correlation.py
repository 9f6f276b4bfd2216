"""Correlation: the absolute Pearson correlation of every feature with the target."""

from __future__ import annotations

import numpy as np

from altfs._numbers import FloatArray
from altfs.scores.base import Part, dense
from altfs.selectors._from_rows import LinearFromRows, sums_of_squares
from altfs.selectors.base import normalised, selectors


@selectors.register("correlation")
class Correlation(LinearFromRows):
    """Univariate filter: the sum of ``|r|``, normalised so that all features have 1.

    For classes it is the correlation ratio: the root of the share of a feature's variance
    that lies between the classes. For two classes this is ``|r|`` with a target of 0 and 1.
    For features that are categories it is the correlation ratio of a numeric target, and
    Cramér's V with classes. Constant features have 0.
    """

    takes_sparse = True

    def values(self, part: Part) -> FloatArray:
        values = np.sqrt(_shares(part))
        for j in np.flatnonzero(part.categorical):
            values[j] = _category_value(part, int(j))
        return normalised(values)


def _shares(part: Part) -> FloatArray:
    explained, total, _ = sums_of_squares(part)
    return np.divide(explained, total, out=np.zeros_like(total), where=total > 0)


def _category_value(part: Part, column: int) -> float:
    """Return the association of a category with the target, from 0 to 1."""
    values, codes = np.unique(dense(part.X[:, [column]])[:, 0], return_inverse=True)
    if len(values) < 2:
        return 0.0
    if part.target_type == "regression":
        if len(values) == len(codes):
            # Every row is a category of its own.
            return 1.0
        y = part.y.astype(np.float64)[:, None]
        return float(np.sqrt(_shares(Part(y, codes, "multiclass", part.seed))[0]))
    from scipy.stats.contingency import association, crosstab

    return float(association(crosstab(codes, part.y).count, method="cramer"))
