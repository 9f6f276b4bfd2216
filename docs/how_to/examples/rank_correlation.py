"""Rank correlation: how well the order of a feature's values tells the target's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from altfs.quality import Linear
from altfs.selectors import Part, Qualities, Selector, selectors


@selectors.register("rank_correlation")
class RankCorrelation(Selector):
    """Sum of the absolute Spearman correlations with the target."""

    needs_rows = True

    def fit(self, train: Part, test: Part) -> Qualities:
        return Qualities(Linear(self._values(train)), Linear(self._values(test)))

    @staticmethod
    def _values(part: Part) -> npt.NDArray[np.float64]:
        ranks = rankdata(np.column_stack([part.X, part.y]), axis=0)
        ranks -= ranks.mean(axis=0)
        lengths = np.sqrt((ranks**2).sum(axis=0))
        # A constant column has no order, and tells nothing.
        lengths[lengths == 0] = np.inf
        ranks /= lengths
        return np.abs(ranks[:, :-1].T @ ranks[:, -1])
