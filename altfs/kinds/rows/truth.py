"""Explanations of rows, compared with the features that made the row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altfs.evaluation.results import Results
from altfs.evaluation.tables.truth import TRUTH_COLUMNS, truth_means
from altfs.kinds.rows.explained_runs import RUN, explained_rows

#: The value of the column ``sets``.
OF_ROWS = "single rows"


def truth_of_explanations(results: Results) -> Iterator[pd.DataFrame]:
    """Yield the rows of the table ``truth`` for explanations of rows."""
    rows = explained_rows(results)
    rows = rows[rows["n_true"].notna() & (rows["selected"].map(len) > 0)]
    if len(rows):
        size = rows["selected"].map(len).to_numpy(np.float64)
        rows = rows.rename(columns={"truth_found": "hits", "n_true": "n_relevant"})
        yield truth_means(rows, size, [*RUN, "set_index"]).assign(sets=OF_ROWS)[TRUTH_COLUMNS]
