"""Shares of redundancy between the features of each set."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altfs.library.answers.fitted import FittedRequest
from altfs.quality import Linear
from altfs.quality.linear import Shares
from altfs.quality.pairs import PairQuality


def shared(fitted: FittedRequest) -> pd.DataFrame:
    """Return the relevance and the redundancy of the features of each set.

    Returns
    -------
    DataFrame
        A row for each feature of each set: set_index, feature, relevance, redundancy (the mean
        of what it shares with the other features of the set), most_with (the one of them with
        which it shares most, the first one among equals) and most. The mean of both directions
        counts. With RaR's order, redundancy and most are those of its score, with the features of
        larger relevance in most_with, whether they are in the set or not. Without redundancy in
        the quality (not mRMR, CFS or RaR) there are no rows.
    """
    quality = fitted.quality
    rows: list[_Row] = []
    if isinstance(quality, PairQuality):
        rows = list(_rows_of_pairs(fitted, quality))
    elif isinstance(quality, Linear) and quality.shares is not None:
        rows = list(_rows_of_order(fitted, quality.shares))
    columns = ["set_index", "feature", "relevance", "redundancy", "most_with", "most"]
    # A column of texts would have NaN in place of None.
    partners = pd.Series([row[4] for row in rows], dtype=object)
    return pd.DataFrame(rows, columns=columns).assign(most_with=partners)


_Row = tuple[int, str, float, float, str | None, float]


def _rows_of_pairs(fitted: FittedRequest, quality: PairQuality) -> Iterator[_Row]:
    for i, features in enumerate(fitted.sets):
        chosen = list(features.indices)
        part = quality.redundancy[np.ix_(chosen, chosen)]
        both = (part + part.T) / 2
        for place, j in enumerate(chosen):
            others = np.delete(both[place], place)
            rest = fitted.label([*chosen[:place], *chosen[place + 1 :]])
            most = int(others.argmax()) if rest else 0
            redundancy = float(others.mean()) if rest else 0.0
            partner = (rest[most], float(others[most])) if rest else (None, 0.0)
            yield i, fitted.names[j], float(quality.relevance[j]), redundancy, *partner


def _rows_of_order(fitted: FittedRequest, shares: Shares) -> Iterator[_Row]:
    for i, features in enumerate(fitted.sets):
        for j in features.indices:
            partners = ", ".join(fitted.label(shares.shared_with[j])) or None
            redundancy = float(shares.redundancy[j])
            yield i, fitted.names[j], float(shares.relevance[j]), redundancy, partners, redundancy
