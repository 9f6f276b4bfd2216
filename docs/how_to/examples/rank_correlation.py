"""Rank correlation: the agreement between the order of a feature and that of the target."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from altfs.quality import Linear
from altfs.selectors import Part, Selector, selectors


@selectors.register("rank_correlation")
class RankCorrelation(Selector):
    """Sum of the absolute Spearman correlations with the target."""

    needs_rows = True

    def quality(self, part: Part) -> Linear:
        ranks = rankdata(np.column_stack([part.X, part.y]), axis=0)
        ranks -= ranks.mean(axis=0)
        lengths = np.sqrt((ranks**2).sum(axis=0))
        # A constant column has no order, so its correlation is 0.
        lengths[lengths == 0] = np.inf
        ranks /= lengths
        return Linear(np.abs(ranks[:, :-1].T @ ranks[:, -1]))
