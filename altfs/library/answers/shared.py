"""Shares of redundancy between the features of each set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from altfs.library.answers.asked import Asked
from altfs.quality import Linear
from altfs.quality.linear import Shares
from altfs.quality.pairs import PairQuality

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["set_index", "feature", "relevance", "redundancy", "most_with", "most"]


def shared(asked: Asked) -> pd.DataFrame:
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
    import pandas as pd

    rows: list[dict[str, Any]] = []
    quality = asked.quality
    if isinstance(quality, PairQuality):
        rows = _of_pairs(asked, quality)
    elif isinstance(quality, Linear) and quality.shares is not None:
        rows = _of_order(asked, quality.shares)
    table = pd.DataFrame(rows, columns=COLUMNS)
    # A column of texts would have NaN in place of None.
    partners = pd.Series([row["most_with"] for row in rows], dtype=object)
    return table.assign(most_with=partners)


def _of_pairs(asked: Asked, quality: PairQuality) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for i, one in enumerate(asked.sets):
        chosen = list(one.indices)
        part = quality.redundancy[np.ix_(chosen, chosen)]
        both = (part + part.T) / 2
        for place, j in enumerate(chosen):
            others = np.delete(both[place], place)
            rest = [*chosen[:place], *chosen[place + 1 :]]
            most = int(others.argmax()) if rest else 0
            rows.append(
                {
                    "set_index": i,
                    "feature": asked.label([j])[0],
                    "relevance": float(quality.relevance[j]),
                    "redundancy": float(others.mean()) if rest else 0.0,
                    "most_with": asked.label([rest[most]])[0] if rest else None,
                    "most": float(others[most]) if rest else 0.0,
                }
            )
    return rows


def _of_order(asked: Asked, shares: Shares) -> list[dict[str, Any]]:
    return [
        {
            "set_index": i,
            "feature": asked.label([j])[0],
            "relevance": float(shares.relevance[j]),
            "redundancy": float(shares.redundancy[j]),
            "most_with": ", ".join(asked.label(shares.shared_with[j])) or None,
            "most": float(shares.redundancy[j]),
        }
        for i, one in enumerate(asked.sets)
        for j in one.indices
    ]
