"""How measures of quality relate: to one another, to the training part, to a dataset's width."""

from __future__ import annotations

import numpy as np
import pandas as pd

from altfs.evaluation.frames import SET_KEY, StudyResults
from altfs.evaluation.summaries import Summaries, labelled, measures, stacked


def correlation_table(results: StudyResults) -> pd.DataFrame:
    """Spearman's rank correlation of all pairs of metrics, over the sets that have all of them.

    Over all datasets (``dataset`` is empty) and of each, over all selectors and of each.
    Sets with MCC and sets with R² are apart: a dataset has one of them.
    """
    parts = []
    for _, scored in results.predictions.groupby("metric", observed=True):
        wide = _wide(results, scored)
        for dataset, own in [("", wide), *wide.groupby("dataset", observed=True)]:
            for selector, rows in [("", own), *own.groupby("selector", observed=True)]:
                parts.append(_spearman(rows, str(dataset), str(selector)))
    columns = ["dataset", "selector", "metric_1", "metric_2", "rho", "n", "n_datasets"]
    return stacked(parts) if parts else pd.DataFrame(columns=columns)


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
    # Pearson's correlation of ranks, as scipy.stats.spearmanr, without its warnings
    # where a metric is the same everywhere.
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


def overfitting_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Training part minus test part, of objectives and of scores."""
    by = ["selector", "search", "aggregation", "n_features"]
    sets = results.feature_sets
    sets = sets.assign(value=sets["train_objective"] - sets["test_objective"])
    parts = [labelled(summaries.of(sets, by, "value"), measure="objective", model="")]
    scored = results.predictions
    scored = scored.assign(value=scored["train_score"] - scored["test_score"])
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        table = summaries.of(rows, by, "value")
        parts.append(labelled(table, measure=str(metric), model=str(model)))
    return stacked(parts)


def dimensions_table(results: StudyResults) -> pd.DataFrame:
    """Spearman's correlation of quality with the number of features n, and with k / n.

    A point is the mean over all feature sets of a dataset and size k: with n
    for each k on its own, with k / n over all k. The share of infeasible sets is
    a measure, too.
    """
    from scipy.stats import spearmanr

    known = results.datasets.reindex(columns=["dataset", "features"])
    widths = dict(zip(known["dataset"], known["features"], strict=True))
    sets = results.feature_sets
    failed = sets.assign(value=(sets["status"] == "infeasible").astype(float))
    parts = []
    for measure, model, rows in [*measures(results), ("share_infeasible", "", failed)]:
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
