"""Feature sets of streams with their sizes, their scores, and those of the original sets."""

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from altfs.evaluation.results import (
    RUN_KEY,
    SET_KEY,
    Results,
    text_columns_as_text,
)
from altfs.evaluation.stats.roles import is_random, searches_of_type


def is_streaming(results: Results, rows: pd.DataFrame) -> pd.Series:
    """Mark the rows of streaming searches."""
    return rows["search"].isin(searches_of_type("streaming", results, rows))


def sized(results: Results) -> pd.DataFrame:
    """Return the sets of searches whose sets have ranks, with ``size`` and ``streams``."""
    sets = results.sets
    lengths = pc.list_value_length(results.table["selected"].take(sets.index.to_numpy()))
    rows = sets.assign(size=np.asarray(lengths), streams=is_streaming(results, sets))
    ranked = (rows["aggregation"] == "none") & ~is_random(results, rows)
    return text_columns_as_text(rows[ranked])


def scored(results: Results) -> pd.DataFrame:
    """Return these sets with the test score of each model, and that of the original set.

    A row per set and model. ``original`` is the score of the first set of the same run; rows of
    which one of both is missing are left out, so that comparisons have the same runs.
    """
    rows = results.once(sized)
    scores = text_columns_as_text(results.first_scores)[[*SET_KEY, "model", "metric", "test_score"]]
    rows = rows.merge(scores, on=SET_KEY).dropna(subset=["test_score"])
    keys = [*RUN_KEY, "model"]
    first = rows[rows["set_index"] == 0].set_index(keys)["test_score"].rename("original")
    return rows.join(first, on=keys).dropna(subset=["original"])
