"""Test scores of first sets by their size."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults, text_columns_as_text
from altfs.evaluation.collect.roles import is_random

#: A curve has one score for each size.
CURVE = ["dataset", "selector", "search", "model", "metric"]


def scores_by_size(results: StudyResults) -> pd.DataFrame:
    """Return the test scores of first sets, by every metric: means over folds.

    A row for each curve and ``n_features``, with ``score`` and its number ``n`` of folds. Sets
    of simultaneous and random searches do not count. A first set is the same for all tau.
    """
    rows = text_columns_as_text(results.by_every_metric())
    rows = rows[(rows["set_index"] == 0) & (rows["aggregation"] == "none")]
    rows = rows[~is_random(results, rows)]
    rows = rows.drop_duplicates([*CURVE, "n_features", "fold"])
    groups = rows.groupby([*CURVE, "n_features"], sort=False)["test_score"]
    found = groups.agg(score="mean", n="count").reset_index()
    return found[found["n"] > 0].reset_index(drop=True)
