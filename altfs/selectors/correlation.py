"""Correlation: the absolute Pearson correlation of every feature with the target."""

from __future__ import annotations

import numpy as np

from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows, Values, sums_of_squares
from altfs.selectors.base import normalised, selectors


@selectors.register("correlation")
class Correlation(LinearFromRows):
    """Univariate filter: the sum of ``|r|``, normalised so that all features have 1.

    For classes it is the correlation ratio: the root of the share of a feature's variance
    that lies between the classes. For two classes this is ``|r|`` with a target of 0 and 1.
    Constant features have 0.
    """

    def values(self, part: Part) -> Values:
        explained, total, _ = sums_of_squares(part)
        share = np.divide(explained, total, out=np.zeros_like(total), where=total > 0)
        return normalised(np.sqrt(share))
