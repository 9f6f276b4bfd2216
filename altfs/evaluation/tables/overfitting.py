"""Quality on the training part minus quality on the test part."""

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.stats.summaries import summary


@tables.add(place=130)
def overfitting(results: Results) -> pd.DataFrame:
    """Summarise training part minus test part, of objectives and of scores."""
    by = ["selector", "search", "aggregation", "n_features"]
    sets = results.sets
    sets = sets.assign(value=sets["train_objective"] - sets["test_objective"])
    parts = [summary(results, sets, by, "value", measure="objective", model="")]
    scored = results.first_scores
    scored = scored.assign(value=scored["train_score"] - scored["test_score"])
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        labels = {"measure": str(metric), "model": str(model)}
        parts.append(summary(results, rows, by, "value", **labels))
    return pd.concat(parts, ignore_index=True)
