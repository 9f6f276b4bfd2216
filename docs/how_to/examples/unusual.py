"""Unusual values: how far each value of a row is from the mean, in standard deviations."""

import numpy as np

from altfs.quality import Linear
from altfs.selectors import Selector, selectors
from altfs.selectors.row_wise import RowWise


@selectors.register("unusual")
class Unusual(RowWise, Selector):
    """The distance of each value from the mean of its column; of a part, the mean distance."""

    needs_rows = True
    takes_categories = False

    def row_values(self, train, X):
        spread = train.X.std(axis=0)
        away = np.abs(X - train.X.mean(axis=0))
        return np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)

    def quality(self, part):
        return Linear(self.row_values(part, part.X).mean(axis=0))
