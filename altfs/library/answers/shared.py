"""Shares of redundancy between the features of each set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from altfs.library.answers.asked import Asked
from altfs.quality import Pairwise, Ratio

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
        counts. Without pairs in the quality (mRMR, CFS, RaR with pairs) there are no rows.
    """
    import pandas as pd

    rows = []
    quality = asked.quality
    for i, one in enumerate(asked.sets if isinstance(quality, Pairwise | Ratio) else ()):
        assert isinstance(quality, Pairwise | Ratio)
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
    return pd.DataFrame(rows, columns=COLUMNS)
