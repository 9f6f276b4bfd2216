"""Explanations of rows, compared with the features that made the row."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from altfs.evaluation.results import SETTING, Results
from altfs.evaluation.tables.truth import TRUTH_COLUMNS, truth_means

#: The value of the column ``sets``.
OF_ROWS = "single rows"


def truth_of_explanations(results: Results) -> Iterator[pd.DataFrame]:
    """Yield the rows of the table ``truth`` for explanations of rows."""
    if "explanation_rows" not in results.more:
        return
    columns = ["dataset", *SETTING, "selected", "n_true", "truth_found", "truth_rank"]
    rows = results.more["explanation_rows"].select(columns).to_pandas()
    rows = rows[rows["n_true"].notna() & (rows["selected"].map(len) > 0)]
    if len(rows):
        size = rows["selected"].map(len).to_numpy(np.float64)
        rows = rows.rename(columns={"truth_found": "hits", "n_true": "n_relevant"})
        yield truth_means(rows, size, ["dataset", *SETTING]).assign(sets=OF_ROWS)[TRUTH_COLUMNS]
