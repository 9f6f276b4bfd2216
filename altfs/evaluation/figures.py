"""The figures: boxes and a heat map, from tables, as SVG and PDF.

Boxes are drawn from quantiles, not from rows, so a figure of half a million
feature sets is as small as one of ten.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation.load import StudyResults

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]
_QUANTILES = {"low": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": 0.95}
_METRIC_NAMES = {"mcc": "MCC", "r2": "R²"}


def make_figures(results: StudyResults) -> dict[str, alt.TopLevelMixin]:
    """All figures of the evaluation by name."""
    return {
        "objective_by_alternative": objective_by_alternative(results.feature_sets),
        "score_by_selector": score_by_selector(results.predictions),
        "infeasible_by_tau": infeasible_by_tau(results.feature_sets),
    }


def objective_by_alternative(sets: pd.DataFrame) -> alt.TopLevelMixin:
    """Training objective by rank of the alternative: a panel per selector and size."""
    chosen = _one_search(sets)
    found = chosen[chosen["train_objective"].notna()]
    boxes = _quantiles(found, ["selector", "n_features", "set_index"], "train_objective")
    names = sorted(chosen["selector"].unique())
    settings = chosen[["selector", "n_features"]].drop_duplicates()
    drawn = set(boxes[["selector", "n_features"]].itertuples(index=False, name=None))
    empty = [
        f"{selector} (k = {k})"
        for selector, k in settings.sort_values(["selector", "n_features"]).itertuples(index=False)
        if (selector, k) not in drawn
    ]
    missing = f" No set exists for {', '.join(empty)}." if empty else ""
    panels = [
        _boxes(
            boxes[(boxes["selector"] == selector) & (boxes["n_features"] == k)],
            alt.X(
                "set_index:O",
                title="Alternative (0 = original set)",
                axis=alt.Axis(labelAngle=0),
            ),
            "Training objective",
            _COLOURS[names.index(selector) % len(_COLOURS)],
            f"{selector}, k = {k}",
        )
        for k in sorted(boxes["n_features"].unique())
        for selector in names
        if (selector, k) in drawn
    ]
    return _titled(
        alt.concat(*(panels or [_nothing()]), columns=min(4, len(names))),
        "Training objective by alternative",
        f"{_search_name(chosen)} search; the sets that exist, over all datasets, folds and τ. "
        f"{_legend()}{missing}",
    )


def score_by_selector(predictions: pd.DataFrame) -> alt.TopLevelMixin:
    """Test score by selector and size: a panel per model and metric."""
    boxes = _quantiles(predictions, ["selector", "n_features", "model", "metric"], "test_score")
    panels = []
    for metric in sorted(boxes["metric"].unique()):
        for model in sorted(boxes["model"].unique()):
            part = boxes[(boxes["metric"] == metric) & (boxes["model"] == model)]
            encoding = {
                "x": alt.X("selector:N", title="Selector", axis=alt.Axis(labelAngle=-30)),
                "xOffset": alt.XOffset("n_features:O"),
                "color": alt.Color(
                    "n_features:O",
                    title="n_features",
                    scale=alt.Scale(range=_COLOURS),
                ),
            }
            panels.append(
                _layers(part, encoding, f"Test {_METRIC_NAMES[metric]}", 12).properties(
                    width=260, height=240, title=model
                )
            )
    return _titled(
        alt.concat(*(panels or [_nothing()]), columns=2),
        "Prediction performance by selector",
        f"All datasets, folds, searches, tau and alternatives. {_legend()}",
    )


def infeasible_by_tau(sets: pd.DataFrame) -> alt.TopLevelMixin:
    """Share of sets proven not to exist, by tau and rank: a panel per size."""
    chosen = _one_search(sets)
    share = (
        chosen.assign(infeasible=chosen["status"] == "infeasible")
        .groupby(["n_features", "tau", "set_index"], as_index=False)["infeasible"]
        .mean()
    )
    taus = sorted(share["tau"].unique(), key=float)
    panels = []
    for k in sorted(share["n_features"].unique()):
        base = alt.Chart(share[share["n_features"] == k]).encode(
            x=alt.X(
                "set_index:O",
                title="Alternative (0 = original set)",
                axis=alt.Axis(labelAngle=0, grid=False),
            ),
            y=alt.Y(
                "tau:O",
                title="Dissimilarity threshold τ",
                sort=taus[::-1],
                axis=alt.Axis(grid=False),
            ),
        )
        cells = base.mark_rect().encode(
            color=alt.Color(
                "infeasible:Q",
                title="Share infeasible",
                scale=alt.Scale(domain=[0, 1], scheme="blues"),
                legend=alt.Legend(format=".0%"),
            )
        )
        labels = base.mark_text(fontSize=9).encode(
            text=alt.Text("infeasible:Q", format=".0%"),
            color=alt.condition("datum.infeasible > 0.5", alt.value("white"), alt.value("black")),
        )
        panels.append(
            (cells + labels).properties(width=alt.Step(34), height=alt.Step(24), title=f"k = {k}")
        )
    return _titled(
        alt.hconcat(*panels),
        "Feature sets proven not to exist",
        f"{_search_name(chosen)} search; share over all datasets, folds and selectors.",
    )


def _nothing() -> Any:
    """Say so where a panel would be empty."""
    words = pd.DataFrame({"text": ["No feature set exists."]})
    return alt.Chart(words).mark_text(fontSize=13).encode(text="text:N").properties(width=300)


def _one_search(sets: pd.DataFrame) -> pd.DataFrame:
    """The search whose sets have ranks: the first that does not aggregate, else any."""
    ranked = sets[sets["aggregation"] == "none"]
    pool = ranked if len(ranked) else sets
    one: pd.DataFrame = pool[pool["search"] == min(pool["search"])]
    chosen: pd.DataFrame = one[one["n_alternatives"] == one["n_alternatives"].max()]
    return chosen


def _search_name(sets: pd.DataFrame) -> str:
    name = str(sets["search"].iloc[0])
    return name[0].upper() + name[1:]


def _legend() -> str:
    return "Box: quartiles and median; whiskers: 5 % to 95 %."


def _quantiles(rows: pd.DataFrame, by: list[str], value: str) -> pd.DataFrame:
    groups = rows.groupby(by)[value]
    table = pd.DataFrame({name: groups.quantile(q) for name, q in _QUANTILES.items()})
    table["sets"] = groups.size()
    return table.reset_index()


def _boxes(data: pd.DataFrame, x: alt.X, title: str, colour: str, panel: str) -> Any:
    chart = _layers(data, {"x": x, "color": alt.value(colour)}, title, 16)
    return chart.properties(width=alt.Step(26), height=150, title=panel)


def _layers(data: pd.DataFrame, encoding: dict[str, Any], title: str, width: int) -> Any:
    base = alt.Chart(data).encode(**encoding, tooltip=["sets:Q", "median:Q", "q1:Q", "q3:Q"])
    scale = alt.Scale(zero=False)
    whiskers = base.mark_rule().encode(
        y=alt.Y("low:Q", title=title, scale=scale), y2=alt.Y2("high:Q")
    )
    boxes = base.mark_bar(size=width).encode(
        y=alt.Y("q1:Q", title=title, scale=scale), y2=alt.Y2("q3:Q")
    )
    medians = alt.Chart(data).encode(
        **{name: channel for name, channel in encoding.items() if name != "color"}
    )
    ticks = medians.mark_tick(color="black", thickness=1.5, size=width).encode(
        y=alt.Y("median:Q", title=title, scale=scale)
    )
    return alt.layer(whiskers, boxes, ticks)


def _titled(chart: Any, title: str, subtitle: str) -> alt.TopLevelMixin:
    titled: alt.TopLevelMixin = (
        chart.properties(
            title=alt.TitleParams(
                title, subtitle=subtitle, anchor="start", fontSize=15, subtitleColor="#444"
            )
        )
        .configure_view(stroke="#ddd")
        .configure_axis(grid=True, gridColor="#eee")
    )
    return titled
