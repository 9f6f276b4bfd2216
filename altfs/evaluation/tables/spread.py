"""Standard deviation and mean of quality within runs; sequential ones are cut to one length."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.runs import cut_to_the_same_number, run_statistics
from altfs.evaluation.stats.summaries import measures, summary, with_planned


@tables.add(place=100)
def spread(results: Results) -> pd.DataFrame:
    """Summarise spread and mean of quality within a run, by search and number of alternatives."""
    by = ["selector", "search", "aggregation", "n_alternatives"]
    cut = cut_to_the_same_number(results.settings, results.settings)
    first = cut[cut["set_index"] == 0]
    parts = []
    for measure, model, rows in measures(results):
        runs = run_statistics(rows, results.settings)
        for statistic in ("std", "mean"):
            labels = {"measure": measure, "model": model, "within_run": statistic}
            table = summary(results, runs, by, statistic, **labels)
            parts.append(with_planned(results, table, by, first))
    return pd.concat(parts, ignore_index=True)
