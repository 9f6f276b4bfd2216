"""The sizes of feature sets: test scores of first sets by size, and a few of many sizes."""

import numpy as np
import pandas as pd

from altfs.evaluation.results import Results, text_columns_as_text
from altfs.evaluation.stats.roles import is_random

#: A curve has one score for each size.
CURVE = ["dataset", "selector", "search", "model", "metric"]
MOST_SIZES = 4  # A figure with a panel or a box for each size shows at most so many.


def scores_by_size(results: Results) -> pd.DataFrame:
    """Return the test scores of first sets, by every metric: means over folds.

    A row for each curve and ``n_features``, with ``score`` and its number ``n`` of folds. Sets
    of simultaneous and random searches do not count. A first set is the same for all tau.
    """
    rows = text_columns_as_text(results.scores)
    rows = rows[(rows["set_index"] == 0) & (rows["aggregation"] == "none")]
    rows = rows[~is_random(results, rows)]
    rows = rows.drop_duplicates([*CURVE, "n_features", "fold"])
    groups = rows.groupby([*CURVE, "n_features"], sort=False)["test_score"]
    means = groups.agg(score="mean", n="count").reset_index()
    return means[means["n"] > 0].reset_index(drop=True)


def few_sizes(results: Results) -> list[int]:
    """Return the smallest and the largest size of a study, and two between; all of a few sizes."""
    numbers = sorted(int(k) for k in results.sets["n_features"].unique())
    if len(numbers) <= MOST_SIZES:
        return numbers
    at = np.linspace(0, len(numbers) - 1, MOST_SIZES).round().astype(int)
    return [numbers[i] for i in at]


def rows_of_sizes(table: pd.DataFrame, sizes: list[int]) -> pd.DataFrame:
    """Return the rows of a table for some sizes; those of all sizes together stay."""
    if "n_features" not in table:
        return table
    return table[table["n_features"].isin(sizes) | table["n_features"].isna()]
