"""What the searches cost: time and work of each run."""

from __future__ import annotations

import pandas as pd

from altfs.evaluation.frames import RUN_KEY, StudyResults
from altfs.evaluation.summaries import Summaries, labelled, stacked


def run_efforts(sets: pd.DataFrame) -> pd.DataFrame:
    """Seconds and work of each search run.

    In sequential search those of its steps are added; in simultaneous search
    every row of a run has the run's.
    """
    together = sets["aggregation"] != "none"
    added = sets[~together].groupby(RUN_KEY, observed=True)[["seconds", "work"]].sum()
    once = sets[together].groupby(RUN_KEY, observed=True)[["seconds", "work"]].first()
    runs = pd.concat([added.reset_index(), once.reset_index()], ignore_index=True)
    return runs.astype({"seconds": float, "work": float})


def effort_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Time and work of search runs, by selector, search and number of alternatives."""
    by = ["selector", "search", "aggregation", "n_features", "n_alternatives"]
    runs = run_efforts(results.feature_sets)
    parts = []
    for measure in ("seconds", "work"):
        table = summaries.of(runs, by, measure)
        values = runs.groupby(by, observed=True)[measure]
        table["q95"], table["max"], table["sum"] = values.quantile(0.95), values.max(), values.sum()
        parts.append(labelled(table, measure=measure))
    return stacked(parts)
