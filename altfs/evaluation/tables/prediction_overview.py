"""Test scores of all feature sets, and of the original ones alone."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.roles import is_random
from altfs.evaluation.stats.summaries import summary


@tables.add(place=80)
def prediction_overview(results: Results) -> pd.DataFrame:
    """Summarise test scores: of all sets, of the original and of the random ones."""
    by = ["model", "metric", "selector", "n_features"]
    drawn = is_random(results, results.first_scores)
    scored = results.first_scores[~drawn]
    # The original set is the first of a sequential search; simultaneous sets have no order.
    original = scored[(scored["aggregation"] == "none") & (scored["set_index"] == 0)]
    parts = {"all": scored, "original": original}
    if drawn.any():
        parts["random"] = results.first_scores[drawn]
    tables = [summary(results, rows, by, "test_score", sets=sets) for sets, rows in parts.items()]
    return pd.concat(tables, ignore_index=True)
