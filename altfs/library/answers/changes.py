"""Changes from set to set."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from altfs.library.answers.asked import Asked, share
from altfs.problem.overlap import dissimilarity_of

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = [
    "set_index", "compared_to", "comes_in", "goes_out", "stays", "train_objective", "of_original",
    "dissimilarity", "status",
]  # fmt: skip


def changes(asked: Asked) -> pd.DataFrame:
    """Compare every set with the original set and with the previous set.

    Returns
    -------
    DataFrame
        A row for every alternative against the original set (compared_to 0) and,
        from the second on, against the one before it: set_index, compared_to,
        comes_in, goes_out, stays (lists of names), train_objective, of_original
        (its share of the original set's quality; NaN if that is not positive),
        dissimilarity of the two, status.
    """
    import pandas as pd

    rows = []
    pairs = [(0, i) for i in range(1, len(asked.sets))]
    pairs += [(a, b) for a, b in pairwise(range(len(asked.sets))) if a > 0]
    for before, i in sorted(pairs, key=lambda p: (p[1], p[0])):
        old, new = asked.sets[before], asked.sets[i]
        was, now = set(old.indices), set(new.indices)
        rows.append(
            {
                "set_index": i,
                "compared_to": before,
                "comes_in": asked.label(sorted(now - was)),
                "goes_out": asked.label(sorted(was - now)),
                "stays": asked.label(sorted(now & was)),
                "train_objective": new.train_objective,
                "of_original": share(new.train_objective, asked.sets[0].train_objective),
                "dissimilarity": float(dissimilarity_of(now, was, asked.request.dissimilarity)),
                "status": str(new.status),
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)
