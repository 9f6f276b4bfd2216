"""The six figures of the paper's evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from altfs.evaluation.charts import (
    BOX,
    METRICS,
    RANK,
    boxes,
    colour,
    heat_map,
    in_words,
    panels,
    quantiles,
    search_name,
    selector_name,
    shades,
    titled,
)
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.within_runs import normalised, run_statistics

Tables = Mapping[str, pd.DataFrame]
_OBJECTIVES = {"train_objective": "Training objective", "test_objective": "Test objective"}


def correlation_of_metrics(tables: Tables) -> alt.TopLevelMixin:
    """(a) Spearman correlation of all metrics."""
    table = tables["correlation"]
    table = table[(table["dataset"] == "") & (table["selector"] == "")]
    charts = []
    for metric in sorted({m.rsplit("_", 1)[1] for m in table["metric_1"]} & set(METRICS)):
        # The objectives are in the rows of every metric; the scores tell them apart.
        end = f"_{metric}"
        sizes = table.loc[table["metric_1"].str.endswith(end), "n"].unique()
        part = table[table["n"].isin(sizes)]
        order = [_metric_name(m) for m in dict.fromkeys(part["metric_1"])]
        named = part.assign(
            first=part["metric_1"].map(_metric_name), second=part["metric_2"].map(_metric_name)
        )
        charts.append(
            heat_map(
                named,
                alt.X(
                    "second:N", title=None, sort=order, axis=alt.Axis(labelAngle=-40, grid=False)
                ),
                alt.Y("first:N", title=None, sort=order, axis=alt.Axis(labelLimit=240, grid=False)),
                "rho",
                ".2f",
                alt.Scale(domain=[-1, 1], scheme="blueorange", reverse=True),
                "Spearman's ρ",
                "abs(datum.rho) > 0.7",
                step=44,
            )
        )
    n, datasets = (int(table[c].max()) if len(table) else 0 for c in ("n", "n_datasets"))
    return titled(
        panels(charts, 1),
        "Spearman correlation of the metrics of feature-set quality",
        f"Over all {n} feature sets of {datasets} datasets that have all of them.",
        "Empty: a metric that is the same for all sets." if table["rho"].isna().any() else "",
    )


def spread_within_search(results: StudyResults) -> alt.TopLevelMixin:
    """(b) Standard deviation of the training objective within a search run."""
    return _within_search(results, "std", "Standard deviation of training objective")


def mean_within_search(results: StudyResults) -> alt.TopLevelMixin:
    """(c) Mean of the training objective within a search run."""
    return _within_search(results, "mean", "Mean of training objective")


def _within_search(results: StudyResults, statistic: str, title: str) -> alt.TopLevelMixin:
    sets = results.feature_sets
    runs = run_statistics(sets.assign(value=sets["train_objective"]), results.settings)
    several = runs[runs["aggregation"] != "none"]
    if len(several):
        runs = runs[runs["n_alternatives"].isin(several["n_alternatives"].unique())]
    runs = runs.assign(run=_search_names(runs))
    order = list(dict.fromkeys(runs["run"]))
    data = quantiles(runs, ["selector", "run", "n_alternatives"], statistic)
    charts = [
        boxes(
            data[data["selector"] == selector],
            {
                "x": alt.X("n_alternatives:O", title="Number of alternatives",
                           axis=alt.Axis(labelAngle=0)),
                "xOffset": alt.XOffset("run:N", sort=order),
                "color": colour("run", "Search", order),
            },
            title,
            11,
        ).properties(width=250, height=170, title=selector_name(selector))
        for selector in dict.fromkeys(data["selector"])
    ]  # fmt: skip
    return titled(
        panels(charts, 2),
        f"{title} within a search run",
        "Runs all of whose sets exist, over datasets, folds, k and τ; "
        "sequential runs cut to the same number.",
        BOX,
    )


def _search_names(rows: pd.DataFrame) -> Any:
    search, searches = pd.factorize(rows["search"])
    aggregation, aggregations = pd.factorize(rows["aggregation"])
    names = [search_name(s, a) for s in searches for a in aggregations]
    return np.array(names, dtype=object)[search * len(aggregations) + aggregation]


def max_normalised_by_alternative(results: StudyResults) -> alt.TopLevelMixin:
    """(d) Objectives relative to the best of their run, by rank of the alternative."""
    return _by_alternative(results, "max", "Max-normalised objective")


def min_max_normalised_by_alternative(results: StudyResults) -> alt.TopLevelMixin:
    """(e) Objectives between the worst and the best of their run, by rank of the alternative."""
    return _by_alternative(results, "min-max", "Min-max-normalised objective")


def _by_alternative(results: StudyResults, how: str, title: str) -> alt.TopLevelMixin:
    chosen = focus(results.feature_sets)
    parts = [
        normalised(chosen.assign(value=chosen[name])).assign(part=label)
        for name, label in _OBJECTIVES.items()
    ]
    data = quantiles(pd.concat(parts), ["n_features", "set_index", "part"], how)
    order = list(_OBJECTIVES.values())
    charts = [
        boxes(
            data[data["n_features"] == k],
            {
                "x": alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0)),
                "xOffset": alt.XOffset("part:N", sort=order),
                "color": colour("part", "", order),
            },
            title,
            10,
        ).properties(width=360, height=210, title=f"k = {k}{_range_of(data, k)}")
        for k in sorted(data["n_features"].unique())
    ]
    return titled(
        panels(charts, 1),
        f"{title} by number of alternative",
        f"{_focus_name(chosen)}; the sets that exist, over datasets, folds and τ. {BOX}",
        "Later alternatives exist for smaller τ and wider datasets only.",
    )


def _range_of(data: pd.DataFrame, k: int) -> str:
    """How many datasets have sets of the first and the last rank: they differ."""
    own = data[data["n_features"] == k].groupby("set_index")["datasets"].max()
    first, last = int(own.iloc[0]), int(own.iloc[-1])
    return f" ({first} datasets, {last} of them at {int(own.index[-1])})"


def median_by_tau(results: StudyResults, tables: Tables) -> alt.TopLevelMixin:
    """(f) Median max-normalised objective by rank of the alternative, a line for each τ."""
    chosen = focus(results.feature_sets)
    table = tables["by_alternative"]
    k = int(chosen["n_features"].max())
    selector, search = (str(chosen[c].iloc[0]) for c in ("selector", "search"))
    rows = table[
        (table["selector"].astype(str) == selector)
        & (table["search"].astype(str) == search)
        & (table["n_features"] == k)
        & (table["n_alternatives"] == int(chosen["n_alternatives"].max()))
        & (table["normalisation"] == "max")
        & table["tau"].notna()
    ]
    everywhere = rows["n_datasets"].max() if len(rows) else 0
    rows = rows.assign(
        datasets=np.where(rows["n_datasets"] == everywhere, "all datasets", "some of them")
    )
    taus = sorted(rows["tau"].unique(), key=float)
    charts = []
    for measure, label in _OBJECTIVES.items():
        base = alt.Chart(rows[rows["measure"] == measure]).encode(
            x=alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0)),
            y=alt.Y(
                "median:Q", title="Median max-normalised objective", scale=alt.Scale(zero=False)
            ),
            color=shades("tau", "τ", taus),
            tooltip=["tau:O", "median:Q", "median_low:Q", "median_high:Q", "n:Q", "n_datasets:Q"],
        )
        shape = alt.Shape(
            "datasets:N", title="Median over",
            scale=alt.Scale(domain=["all datasets", "some of them"], range=["circle", "cross"]),
        )  # fmt: skip
        points = base.mark_point(filled=True, size=36, opacity=1).encode(shape=shape)
        charts.append(
            (base.mark_line(strokeWidth=1.5) + points).properties(
                width=330, height=250, title=label
            )
        )
    return titled(
        panels(charts, 2),
        "Median max-normalised objective by number of alternative and τ",
        f"{_focus_name(chosen)}, k = {k}; the sets that exist, over datasets and folds.",
        "Where few datasets have so many so different sets, these are the wide ones.",
    )


def focus(sets: pd.DataFrame) -> pd.DataFrame:
    """What (d) to (f) show: MI if it was used, and the longest sequential search."""
    ranked = sets[sets["aggregation"] == "none"]
    pool = ranked if len(ranked) else sets
    selectors = [str(name) for name in pool["selector"].unique()]
    selector = "mutual_information" if "mutual_information" in selectors else selectors[0]
    searches = [str(name) for name in pool["search"].unique()]
    search = "sequential" if "sequential" in searches else min(searches)
    chosen = pool[(pool["selector"] == selector) & (pool["search"] == search)]
    longest: pd.DataFrame = chosen[chosen["n_alternatives"] == chosen["n_alternatives"].max()]
    return longest


def _focus_name(chosen: pd.DataFrame) -> str:
    selector, search = (str(chosen[c].iloc[0]) for c in ("selector", "search"))
    return f"{search_name(search)} search, {selector_name(selector)}"


def _metric_name(name: str) -> str:
    if name in _OBJECTIVES:
        return _OBJECTIVES[name]
    model, part, metric = name.rsplit("_", 2)
    return f"{'Training' if part == 'train' else 'Test'} {METRICS[metric]}, {in_words(model)}"
