"""Figures beyond the paper's six."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation.charts import (
    BOX,
    METRICS,
    RANK,
    TAU,
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
from altfs.evaluation.comparisons import ALPHA, FEWEST_DATASETS
from altfs.evaluation.efforts import run_efforts
from altfs.evaluation.frames import StudyResults
from altfs.evaluation.paper_figures import focus
from altfs.evaluation.trade_off import trade_off
from altfs.evaluation.within_runs import cut_to_the_same_number

Tables = Mapping[str, pd.DataFrame]


def objective_by_alternative(results: StudyResults) -> alt.TopLevelMixin:
    """Training objective by rank of the alternative: a panel per selector and size."""
    chosen = _one_search(results.feature_sets)
    data = quantiles(chosen, ["selector", "n_features", "set_index"], "train_objective")
    names = [str(name) for name in chosen["selector"].unique()]
    drawn = set(data[["selector", "n_features"]].itertuples(index=False, name=None))
    settings = chosen[["selector", "n_features"]].drop_duplicates().astype({"selector": str})
    empty = [
        f"{selector_name(selector)} (k = {k})"
        for selector, k in settings.itertuples(index=False)
        if (selector, k) not in drawn
    ]
    charts = [
        boxes(
            data[(data["selector"] == selector) & (data["n_features"] == k)],
            {
                "x": alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0)),
                "color": alt.value("#0072B2"),
            },
            "Training objective",
            14,
        ).properties(width=alt.Step(24), height=150, title=f"{selector_name(selector)}, k = {k}")
        for k in sorted(data["n_features"].unique())
        for selector in names
        if (selector, k) in drawn
    ]
    return titled(
        panels(charts, min(4, len(names))),
        "Training objective by number of alternative",
        f"{search_name(chosen['search'].iloc[0])} search; the sets that exist, over all datasets, "
        f"folds and τ. {BOX}",
        f"No set exists for {', '.join(empty)}." if empty else "",
    )


def score_by_selector(results: StudyResults) -> alt.TopLevelMixin:
    """Test score by selector and size: a panel per model and metric."""
    data = quantiles(
        results.predictions, ["selector", "n_features", "model", "metric"], "test_score"
    )
    data = data.assign(selector=data["selector"].map(selector_name))
    order = list(dict.fromkeys(data["selector"]))
    sizes = sorted(data["n_features"].unique())
    parts: Any = data.groupby(["metric", "model"])
    charts = [
        boxes(
            part,
            {
                "x": alt.X("selector:N", title="Feature-selection method", sort=order,
                           axis=alt.Axis(labelAngle=-30)),
                "xOffset": alt.XOffset("n_features:O", sort=sizes),
                "color": colour("n_features", "k", sizes),
            },
            f"Test {METRICS[metric]}",
            12,
        ).properties(width=260, height=240, title=in_words(model))
        for (metric, model), part in parts
    ]  # fmt: skip
    return titled(
        panels(charts, 2),
        "Prediction performance by feature-selection method",
        f"All datasets, folds, searches, τ and alternatives. {BOX}",
    )


def infeasible_by_tau(results: StudyResults) -> alt.TopLevelMixin:
    """Share of sets proven not to exist, by tau and rank: a panel per size."""
    chosen = _one_search(results.feature_sets)
    share = (
        chosen.assign(infeasible=(chosen["status"] == "infeasible").astype(float))
        .groupby(["n_features", "tau", "set_index"], observed=True)["infeasible"]
        .mean()
        .reset_index()
        .astype({"tau": str})
    )
    taus = sorted(share["tau"].unique(), key=float)
    charts = [
        heat_map(
            share[share["n_features"] == k],
            alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0, grid=False)),
            alt.Y("tau:O", title=TAU, sort=taus[::-1], axis=alt.Axis(grid=False)),
            "infeasible",
            ".0%",
            alt.Scale(domain=[0, 1], scheme="blues"),
            "Share infeasible",
            "datum.infeasible > 0.5",
        ).properties(title=f"k = {k}")
        for k in sorted(share["n_features"].unique())
    ]
    return titled(
        panels(charts, 2),
        "Feature sets proven not to exist",
        f"{search_name(chosen['search'].iloc[0])} search; share over all datasets, folds and "
        "feature-selection methods.",
    )


def critical_difference(tables: Tables) -> alt.TopLevelMixin:
    """Average ranks of selectors, and which of them cannot be told apart."""
    ranks = tables["friedman"]
    ranks = ranks[(ranks["compared"] == "selectors") & (ranks["sets"] == "original sets")]
    tests = tables["pairwise"]
    charts = []
    groups: Any = ranks.groupby(["measure", "model", "n_features"])
    for (measure, model, k), part in groups:
        own = tests[
            (tests["compared"] == "selectors")
            & (tests["sets"] == "original sets")
            & (tests["measure"] == measure)
            & (tests["model"] == model)
            & (tests["n_features"] == k)
        ]
        metric = METRICS[measure.removeprefix("test_")]
        title = f"{in_words(model)}, k = {k}: test {metric}, {part['n_datasets'].iloc[0]} datasets"
        charts.append(_ranks(part.sort_values("average_rank"), own).properties(title=title))
    few = len(ranks) and ranks["n_datasets"].max() < FEWEST_DATASETS
    return titled(
        panels(charts, 2),
        "Average ranks of feature-selection methods by prediction performance",
        "Original feature sets; the mean over folds of each dataset is ranked, 1 is best.",
        "Bars join methods that differ in no pair (Wilcoxon, Holm, 5 %); "
        "grey: Nemenyi's critical difference.",
        "So few datasets tell no pair apart." if few else "",
    )


def _ranks(ranks: pd.DataFrame, tests: pd.DataFrame) -> Any:
    names = list(ranks["treatment"])
    alike = {
        frozenset(pair)
        for *pair, p in zip(tests["first"], tests["second"], tests["p_holm"], strict=True)
        if p >= ALPHA
    }
    groups: list[tuple[int, int]] = []
    for i in range(len(names)):
        last = i
        while last + 1 < len(names) and all(
            frozenset((a, names[last + 1])) in alike for a in names[i : last + 1]
        ):
            last += 1
        if last > i and not any(a <= i and last <= b for a, b in groups):
            groups.append((i, last))
    at = ranks["average_rank"].to_numpy()
    rows = len(groups) + 1.0
    points = pd.DataFrame(
        {"rank": at, "row": [rows + i for i in range(len(names))], "top": 0.0,
         "name": [f"{selector_name(n)} ({r:.2f})" for n, r in zip(names, at, strict=True)]}
    )  # fmt: skip
    bars = pd.DataFrame(
        {"from": [at[a] - 0.03 for a, _ in groups], "to": [at[b] + 0.03 for _, b in groups],
         "row": [1.0 + i for i in range(len(groups))]}
    )  # fmt: skip
    width = float(ranks["critical_difference"].iloc[0])
    nemenyi = pd.DataFrame({"from": [1.0], "to": [min(1 + width, len(names))], "row": [0.35]})
    x = alt.X(
        "rank:Q", title="Average rank", axis=alt.Axis(orient="top", tickMinStep=1, grid=False),
        scale=alt.Scale(domain=[0.9, len(names) + 0.9], nice=False),
    )  # fmt: skip
    scale = alt.Scale(domain=[rows + len(names) - 0.4, 0])
    y = alt.Y("row:Q", axis=None, scale=scale)
    stems = alt.Chart(points).mark_rule(color="#999").encode(
        x=x, y=alt.Y("top:Q", axis=None, scale=scale), y2="row:Q"
    )  # fmt: skip
    dots = alt.Chart(points).mark_point(filled=True, size=50, color="#0072B2", opacity=1).encode(
        x=x, y=y
    )  # fmt: skip
    labels = alt.Chart(points).mark_text(align="left", dx=7).encode(x=x, y=y, text="name:N")
    span = {"x": alt.X("from:Q"), "x2": "to:Q", "y": y}
    layers = [stems, dots, labels,
              alt.Chart(nemenyi).mark_rule(color="#aaa", strokeWidth=3).encode(**span)]  # fmt: skip
    if groups:
        layers.append(alt.Chart(bars).mark_rule(color="#D55E00", strokeWidth=4).encode(**span))
    return alt.layer(*layers).properties(width=360, height=30 + 22 * (len(names) + len(groups)))


def quality_against_dissimilarity(results: StudyResults) -> alt.TopLevelMixin:
    """The trade-off: how different the sets of a run are, and how good."""
    points = trade_off(results)
    charts = []
    if len(points):
        k = points["n_features"].max()
        points = points[points["n_features"] == k]
        searches = list(dict.fromkeys(points["run"]))
        numbers = sorted(points["n_alternatives"].unique())
        for selector, own in points.groupby("selector", sort=False):
            base = alt.Chart(own).encode(
                # Points at the edge would be cut in two.
                x=alt.X("dissimilarity:Q", title="Mean dissimilarity of the sets of a run",
                        scale=alt.Scale(zero=False, nice=False, padding=8)),
                y=alt.Y("quality:Q", title="Training objective / best possible",
                        scale=alt.Scale(zero=False)),
                tooltip=["tau:O", "run:N", "n_alternatives:O", "dissimilarity:Q", "quality:Q",
                         "n_datasets:Q"],
            )  # fmt: skip
            front = (
                base.transform_filter("datum.front")
                .mark_line(color="#555", strokeDash=[4, 3], strokeWidth=1.2)
                .encode(order="dissimilarity:Q")
            )
            dots = base.mark_point(filled=True, size=32, opacity=0.9).encode(
                color=shades("n_alternatives", "Number of alternatives", numbers),
                shape=alt.Shape("run:N", title="Search", sort=searches),
            )
            title = f"{selector_name(str(selector))}, k = {k}"
            charts.append((front + dots).properties(width=300, height=220, title=title))
    return titled(
        panels(charts, 2),
        "Quality against dissimilarity",
        "A point per search, number of alternatives and τ: means over the runs of the datasets "
        "that have such runs in all folds.",
        "Dashed: Pareto front of the points with the most datasets.",
    )


def solver_time(results: StudyResults) -> alt.TopLevelMixin:
    """Time of a search run against the number of features, by number of alternatives."""
    widths = results.datasets.set_index("dataset")["features"].to_dict() if len(
        results.datasets
    ) and "features" in results.datasets else {}  # fmt: skip
    cut = cut_to_the_same_number(results.feature_sets, results.settings)
    runs = run_efforts(cut)
    by = ["selector", "search", "aggregation", "n_alternatives", "dataset"]
    medians = runs.groupby(by, observed=True)["seconds"].median().reset_index()
    medians["n"] = medians["dataset"].astype(str).map(widths).astype(float)
    # A clock that does not see a step says 0, which has no logarithm.
    medians["seconds"] = medians["seconds"].clip(lower=1e-6)
    text = dict.fromkeys(("selector", "search", "aggregation", "dataset"), str)
    medians = medians.dropna().astype(text)
    numbers = sorted(medians["n_alternatives"].unique())
    parts: Any = medians.groupby(["search", "aggregation", "selector"], sort=False)
    charts = [
        alt.Chart(part)
        .mark_point(filled=True, size=28, opacity=0.9)
        .encode(
            x=alt.X("n:Q", title="Number of features n", scale=alt.Scale(type="log", nice=False,
                    padding=8), axis=alt.Axis(values=[15, 20, 30, 50, 100, 200, 500, 1000])),
            y=alt.Y("seconds:Q", title="Median time of a run in s",
                    scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=6)),
            color=shades("n_alternatives", "Number of alternatives", numbers),
            tooltip=["dataset:N", "n:Q", "n_alternatives:O", "seconds:Q"],
        )
        .properties(width=250, height=170,
                    title=f"{selector_name(selector)}, {search_name(search, aggregation)}")
        for (search, aggregation, selector), part in parts
    ]  # fmt: skip
    return titled(
        panels(charts, 2),
        "Solver time against number of features and of alternatives",
        "A point per dataset and number of alternatives: median over folds, k and τ; sequential "
        "runs as far as that alternative.",
    )


def _one_search(sets: pd.DataFrame) -> pd.DataFrame:
    """The search of :func:`focus`, with all selectors."""
    search = focus(sets)
    same = (sets["search"] == search["search"].iloc[0]) & (
        sets["n_alternatives"] == search["n_alternatives"].iloc[0]
    )
    chosen: pd.DataFrame = sets[same & (sets["aggregation"] == search["aggregation"].iloc[0])]
    return chosen
