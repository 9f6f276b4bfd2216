"""Correlation of quality with the width of a dataset."""

import numpy as np
import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.collect.summaries import measures
from altfs.study.catalogue import tables


@tables.add(
    "Spearman correlation of quality with the number of features n, and with k / n.", place=140
)
def dimensions(results: StudyResults) -> pd.DataFrame:
    """Correlate quality by rank (Spearman) with the number of features n, and with k / n.

    A point is the mean over all feature sets of a dataset and size k: with n
    for each k on its own, with k / n over all k. The share of infeasible sets is
    a measure, too.
    """
    from scipy.stats import spearmanr

    known = results.datasets.reindex(columns=["dataset", "features"])
    widths = dict(zip(known["dataset"], known["features"], strict=True))
    sought = results.once(without_random)
    sets = sought.feature_sets
    failed = sets.assign(value=(sets["status"] == "infeasible").astype(float))
    parts = []
    for measure, model, rows in [*measures(sought), ("share_infeasible", "", failed)]:
        means = (
            rows.groupby(["selector", "n_features", "dataset"], observed=True)["value"]
            .mean()
            .dropna()
            .reset_index()
        )
        means["n"] = means["dataset"].astype(str).map(widths).astype(float)
        means["k / n"] = means["n_features"] / means["n"]
        groups = [
            *((s, k, "n", g) for (s, k), g in means.groupby(["selector", "n_features"],
                                                            observed=True)),
            *((s, None, "k / n", g) for s, g in means.groupby("selector", observed=True)),
        ]  # fmt: skip
        for selector, k, against, points in groups:
            points = points.dropna()
            varies = min(points["value"].nunique(), points[against].nunique()) > 1
            rho, p = spearmanr(points["value"], points[against]) if varies else (np.nan, np.nan)
            parts.append((measure, model, str(selector), k, against, len(points),
                          points["dataset"].nunique(), float(rho), float(p)))  # fmt: skip
    keys = ["measure", "model", "selector", "n_features", "against"]
    table = pd.DataFrame(parts, columns=[*keys, "n", "n_datasets", "rho", "p"])
    return table.astype({"n_features": "Int64"})
