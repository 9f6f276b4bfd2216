"""Correlation of measures of quality."""

import numpy as np
import pandas as pd

from altfs.evaluation.collect.results import SET_KEY, StudyResults
from altfs.evaluation.collect.roles import without_random
from altfs.study.catalogue import tables


@tables.add("Spearman correlation of all pairs of metrics, by dataset and selector, too.", place=90)
def correlation(results: StudyResults) -> pd.DataFrame:
    """Correlate all pairs of metrics by rank (Spearman), over the sets that have all of them.

    Over all datasets (``dataset`` is empty) and of each, over all selectors and of each.
    Sets with MCC and sets with R² are apart, as a dataset has one of them.
    """
    sought = results.once(without_random)
    parts = []
    for _, scored in sought.predictions.groupby("metric", observed=True):
        wide = _wide(sought, scored)
        for dataset, own in [("", wide), *wide.groupby("dataset", observed=True)]:
            for selector, rows in [("", own), *own.groupby("selector", observed=True)]:
                parts.append(_spearman(rows, str(dataset), str(selector)))
    columns = ["dataset", "selector", "metric_1", "metric_2", "rho", "n", "n_datasets"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _wide(results: StudyResults, scored: pd.DataFrame) -> pd.DataFrame:
    wide = results.feature_sets[[*SET_KEY, "train_objective", "test_objective"]]
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        names = {f"{part}_score": f"{model}_{part}_{metric}" for part in ("train", "test")}
        own = rows[[*SET_KEY, *names]].rename(columns=names)
        wide = wide.merge(own, on=SET_KEY, how="inner")
    return wide.dropna()


def _spearman(rows: pd.DataFrame, dataset: str, selector: str) -> pd.DataFrame:
    from scipy.stats import rankdata

    names = [c for c in rows.columns if c not in SET_KEY]
    values = rows[names].to_numpy()
    # Pearson's correlation of ranks, as scipy.stats.spearmanr, without its warnings about
    # constant metrics.
    ranks = rankdata(values, axis=0)
    centred = ranks - ranks.mean(axis=0) if len(ranks) else ranks
    norms = np.sqrt((centred**2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = centred.T @ centred / np.outer(norms, norms)
    return pd.DataFrame(
        {
            "dataset": dataset,
            "selector": selector,
            "metric_1": np.repeat(names, len(names)),
            "metric_2": np.tile(names, len(names)),
            "rho": np.clip(rho, -1, 1).ravel(),
            "n": len(rows),
            "n_datasets": rows["dataset"].nunique(),
        }
    )
