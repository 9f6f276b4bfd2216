"""Changes from set to set."""

from __future__ import annotations

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
        A row for every alternative against the original set (compared_to 0) and, from the
        second on, against the previous one. The columns are set_index, compared_to, comes_in,
        goes_out, stays (lists of names), train_objective, of_original (its share of the
        original set's quality; NaN if that is not positive), dissimilarity of the two, status.
    """
    import pandas as pd

    rows = []
    pairs = [(before, i) for i in range(1, len(asked.sets)) for before in sorted({0, i - 1})]
    for before, i in pairs:
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
