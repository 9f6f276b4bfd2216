"""Quality against dissimilarity: what being different costs, and the Pareto front."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.charts import search_name
from altfs.evaluation.frames import RUN_KEY, StudyResults
from altfs.evaluation.roles import CASE, originals
from altfs.evaluation.within_runs import cut_to_the_same_number

Floats = npt.NDArray[np.float64]


def pareto_front(x: Floats, y: Floats) -> npt.NDArray[np.bool_]:
    """Which points no other point beats in one coordinate without being worse in the other.

    Differences from the 13th decimal on are the arithmetic's, not the points'.

    Examples
    --------
    >>> pareto_front(np.array([0.3, 0.1 + 0.2]), np.array([2.0, 1.0])).tolist()
    [True, False]
    >>> pareto_front(np.array([1.0, 2.0, 3.0, 2.0]), np.array([3.0, 2.0, 1.0, 1.0])).tolist()
    [True, True, True, False]
    """
    x, y = x.round(12), y.round(12)
    better = (x[:, None] >= x) & (y[:, None] >= y) & ((x[:, None] > x) | (y[:, None] > y))
    return np.asarray(~better.any(axis=0))


def run_dissimilarities(results: StudyResults) -> pd.DataFrame:
    """Mean pairwise dissimilarity (1 - overlap / k) and mean training objective of complete runs.

    Sequential runs are cut to the numbers of alternatives of the other searches.
    """
    columns = [*RUN_KEY, "train_objective", "dissimilarity"]
    if results.table is None:
        return pd.DataFrame(columns=columns)
    selected = results.table["selected"].combine_chunks()
    offsets, flat = np.asarray(selected.offsets), np.asarray(selected.values)
    sets = results.feature_sets.assign(start=offsets[:-1])[np.diff(offsets) > 0]
    cut = cut_to_the_same_number(sets, results.settings)
    size = cut.groupby(RUN_KEY, observed=True, sort=False)["start"].transform("size")
    cut = cut[size == cut["n_alternatives"] + 1].sort_values([*RUN_KEY, "set_index"])
    parts = []
    shapes: Any = cut.groupby(["n_features", "n_alternatives"])
    for (k, a), part in shapes:
        members = flat[part["start"].to_numpy()[:, None] + np.arange(k)].reshape(-1, a + 1, k)
        total = np.zeros(len(members))
        for i in range(a + 1):
            for j in range(i):
                same = members[:, i, :, None] == members[:, j, None, :]
                total += 1 - same.sum(axis=(1, 2)) / k
        runs = part.iloc[:: a + 1][RUN_KEY].reset_index(drop=True)
        runs["train_objective"] = part["train_objective"].to_numpy().reshape(-1, a + 1).mean(axis=1)
        runs["dissimilarity"] = total / (a * (a + 1) / 2)
        parts.append(runs)
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def trade_off(results: StudyResults) -> pd.DataFrame:
    """Mean dissimilarity and relative training objective by search, alternatives and tau.

    The objective is divided by the largest of the same dataset, fold, selector and
    size, which is the unconstrained best set's (of a wrapper, the best one found). Where the
    study has original sets, cases without theirs do not count. A dataset counts where every
    fold has a complete run; the front is among the points in which most datasets count.
    """
    runs = run_dissimilarities(results)
    by = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau"]
    columns = [*by, "run", "dissimilarity", "quality", "n_datasets", "front"]
    if runs.empty:
        return pd.DataFrame(columns=columns)
    sets = results.feature_sets
    best = sets.groupby(CASE, observed=True)["train_objective"].max()
    known = sets.loc[originals(results).index, CASE]
    if len(known):
        # In an incomplete study, the best of what is there may be far from the best there is.
        best = best[best.index.isin(pd.MultiIndex.from_frame(known))]
    runs = runs.join(best.rename("best"), on=CASE)
    runs["quality"] = runs["train_objective"] / runs["best"].where(runs["best"] > 0)
    folds = results.feature_sets["fold"].nunique()
    found = runs.dropna(subset=["quality"]).groupby([*by, "dataset"], observed=True)
    means = found[["dissimilarity", "quality"]].mean()[found.size() == folds]
    groups = means.reset_index().groupby(by, observed=True)
    points = groups[["dissimilarity", "quality"]].mean()
    points["n_datasets"] = groups.size()
    points = points.reset_index().astype(dict.fromkeys(("selector", "search", "tau"), str))
    points["aggregation"] = points["aggregation"].astype(str)
    points["run"] = [
        search_name(search, aggregation)
        for search, aggregation in zip(points["search"], points["aggregation"], strict=True)
    ]
    points["front"] = False
    for _, own in points.groupby(["selector", "n_features"]):
        wide = own[own["n_datasets"] == own["n_datasets"].max()]
        front = pareto_front(wide["dissimilarity"].to_numpy(), wide["quality"].to_numpy())
        points.loc[wide.index[front], "front"] = True
    return points[columns]
