"""Spearman correlation of all pairs of metrics within a dataset and selector, and medians."""

from typing import Any

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SET_KEY, Results
from altfs.evaluation.stats.roles import without_random

_PAIR = ["metric_1", "metric_2"]


@tables.add(place=90)
def correlation(results: Results) -> pd.DataFrame:
    """Correlate all pairs of metrics by rank (Spearman), over the sets that have all of them.

    Each correlation is of the sets of one dataset and selector, because levels differ between
    datasets and objectives have no common unit. An empty ``dataset`` or ``selector`` stands for the
    median over all of them, of ``n_correlations``. Sets with MCC and sets with R² are apart, as a
    dataset has one of them.
    """
    sought = results.once(without_random)
    parts = []
    for _, scored in sought.first_scores.groupby("metric", observed=True):
        groups: Any = _wide(sought, scored).groupby(["dataset", "selector"], observed=True)
        of_groups = [_spearman(rows, *map(str, group)) for group, rows in groups]
        if of_groups:
            parts += _medians(pd.concat(of_groups, ignore_index=True))
    columns = ["dataset", "selector", *_PAIR, "rho", "n", "n_datasets", "n_correlations"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _medians(each: pd.DataFrame) -> list[pd.DataFrame]:
    """Return medians over datasets and selectors, over datasets, over selectors, and each."""
    each = each.assign(counted=each["dataset"].where(each["rho"].notna()))
    listed = []
    for keys in ([], ["selector"], ["dataset"], ["dataset", "selector"]):
        groups = each.groupby([*keys, *_PAIR], sort=False)
        table = groups.agg(
            rho=("rho", "median"), n=("n", "sum"), n_datasets=("counted", "nunique"),
            n_correlations=("rho", "count"),
        ).reset_index()  # fmt: skip
        listed.append(table.assign(**{c: "" for c in ("dataset", "selector") if c not in keys}))
    columns = ["dataset", "selector", *_PAIR, "rho", "n", "n_datasets", "n_correlations"]
    return [table[columns] for table in listed]


def _wide(results: Results, scored: pd.DataFrame) -> pd.DataFrame:
    wide = results.sets[[*SET_KEY, "train_objective", "test_objective"]]
    for (model, metric), rows in scored.groupby(["model", "metric"], observed=True):
        names = {f"{part}_score": f"{model}_{part}_{metric}" for part in ("train", "test")}
        scores = rows[[*SET_KEY, *names]].rename(columns=names)
        wide = wide.merge(scores, on=SET_KEY, how="inner")
    return wide.dropna()


def _spearman(rows: pd.DataFrame, dataset: str, selector: str) -> pd.DataFrame:
    names = [c for c in rows.columns if c not in SET_KEY]
    # Pearson's correlation of ranks, as scipy.stats.spearmanr, without its warnings about
    # constant metrics.
    ranks = rows[names].rank().to_numpy()
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
        }
    )
