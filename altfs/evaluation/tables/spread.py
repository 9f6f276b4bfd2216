"""Summarise spread and mean of quality within search runs."""

from dataclasses import replace

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.runs import cut_to_the_same_number, run_statistics
from altfs.evaluation.collect.summaries import measures, stacked, summary, with_planned
from altfs.study.catalogue import tables


@tables.add(
    "Standard deviation and mean of quality within search runs; "
    "sequential runs are cut to the same number of alternatives.",
    place=100,
)
def spread(results: StudyResults) -> pd.DataFrame:
    """Summarise spread and mean of quality within a run, by search and number of alternatives."""
    by = ["selector", "search", "aggregation", "n_alternatives"]
    cut = cut_to_the_same_number(results.settings, results.settings)
    # A run in the place of each of its first sets.
    planned = replace(results, settings=cut[cut["set_index"] == 0])
    parts = []
    for measure, model, rows in measures(results):
        runs = run_statistics(rows, results.settings)
        for statistic in ("std", "mean"):
            labels = {"measure": measure, "model": model, "within_run": statistic}
            table = summary(results, runs, by, statistic, **labels)
            parts.append(with_planned(planned, table, by))
    return stacked(parts)
