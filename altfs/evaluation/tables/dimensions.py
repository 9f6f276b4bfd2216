"""Spearman correlation of quality with the number of features n, and with k / n."""

import numpy as np
import pandas as pd
import scipy

from altfs.catalogue import tables
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.summaries import measures


@tables.add(place=140)
def dimensions(results: Results) -> pd.DataFrame:
    """Correlate quality by rank (Spearman) with the number of features n, and with k / n.

    A point is the mean over all feature sets of a dataset and size k. Points of each k are
    correlated with n, points of all k with k / n. The share of infeasible sets is a measure,
    too.
    """
    widths = results.design.widths
    sought = results.once(without_random)
    sets = sought.sets
    failed = sets.assign(value=(sets["status"] == "infeasible").astype(float))
    rows = []
    for measure, model, values in [*measures(sought), ("share_infeasible", "", failed)]:
        groups = values.groupby(["selector", "n_features", "dataset"], observed=True)
        means = groups["value"].mean().dropna().reset_index()
        means["n"] = means["dataset"].astype(str).map(widths).astype(float)
        means["k / n"] = means["n_features"] / means["n"]
        for against, by in (("n", ["selector", "n_features"]), ("k / n", ["selector"])):
            for (selector, *size), points in means.groupby(by, observed=True):
                points = points.dropna()
                varies = min(points["value"].nunique(), points[against].nunique()) > 1
                n_datasets = points["dataset"].nunique()
                tested = varies and enough(n_datasets)
                rho, p = np.nan, np.nan
                if tested:
                    rho, p = scipy.stats.spearmanr(points["value"], points[against])
                key = (measure, model, str(selector), size[0] if size else None, against)
                rows.append((*key, len(points), n_datasets, float(rho), float(p)))
    keys = ["measure", "model", "selector", "n_features", "against"]
    table = pd.DataFrame(rows, columns=[*keys, "n", "n_datasets", "rho", "p"])
    return table.astype({"n_features": "Int64"})
