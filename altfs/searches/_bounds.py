"""Upper bounds that cost nothing, for searches that prove nothing."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from altfs.quality import BlackBox, Linear, Pairwise, Quality, Ratio


def plain_bound(quality: Quality, n_features: int) -> float:
    """A number that no feature set of a size is better than.

    Parameters
    ----------
    quality : Quality
    n_features : int
        From 1 to the number of features.

    Returns
    -------
    float
        Linear: the quality of the best features together, conflicts left out.
        Pairwise: the most relevant features, the least redundant pairs. Ratio:
        the most relevant features, no redundancy. BlackBox: its upper bound.
        Infinity for a quality of which nothing is known.

    Examples
    --------
    >>> plain_bound(Linear([0.5, 0.25, 1.0]), 2)
    1.5
    """
    if isinstance(quality, BlackBox):
        return quality.upper_bound
    if isinstance(quality, Linear):
        return quality.evaluate(np.argsort(-quality.values, kind="stable")[:n_features].tolist())
    if isinstance(quality, Ratio):
        return float(np.sort(quality.relevance)[-n_features:].sum()) / sqrt(n_features)
    if isinstance(quality, Pairwise):
        apart = ~np.eye(quality.n_total, dtype=bool)
        pairs = np.sort(quality.redundancy[apart])[: n_features * (n_features - 1)]
        cost = float(pairs.sum())
        if quality.diagonal:
            cost += float(np.sort(np.diagonal(quality.redundancy))[:n_features].sum())
        relevant = float(np.sort(quality.relevance)[-n_features:].sum()) / n_features
        return relevant - cost / quality.divisor(n_features)
    return inf
