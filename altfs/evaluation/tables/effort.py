"""Time, work and start-up of search runs."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.runs import EFFORTS, run_efforts
from altfs.evaluation.stats.summaries import Summaries, labelled


@tables.add(place=150)
def effort(results: Results) -> pd.DataFrame:
    """Summarise what search runs cost, by selector, search and number of alternatives.

    What the selector itself cost is the same in all of its rows.
    """
    by = ["selector", "search", "aggregation", "n_features", "n_alternatives"]
    runs = run_efforts(results.sets)
    parts = []
    for measure in EFFORTS:
        table = results.once(Summaries).of(runs, by, measure)
        values = runs.groupby(by, observed=True)[measure]
        table["q95"], table["max"], table["sum"] = values.quantile(0.95), values.max(), values.sum()
        parts.append(labelled(table, measure=measure))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(
        learning_seconds=table["selector"].astype(str).map(results.learning).astype(float)
    )
