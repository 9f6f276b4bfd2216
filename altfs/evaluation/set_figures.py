"""Figures of the controls and of the stability of feature sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from altfs.evaluation.charts import RANK, colour, panels, search_name, selector_name, titled
from altfs.evaluation.controls import missing_controls
from altfs.evaluation.frames import StudyResults

Tables = Mapping[str, pd.DataFrame]
_LATER = "Later alternatives exist for smaller τ and wider datasets only."
_NAMES = {
    "train_objective": "Training objective",
    "test_objective": "Test objective",
    "test_mcc": "Test MCC",
    "test_r2": "Test R²",
}


def quality_between_controls(results: StudyResults, tables: Tables) -> alt.TopLevelMixin:
    """Quality relative to random sets and to the original set, by rank of the alternative."""
    table = tables["controls"]
    has_floor = bool(table["relative_median"].notna().any()) if len(table) else False
    value = "relative" if has_floor else "of_ceiling"
    rows = table[table["tau"].isna() & table["set_index"].notna()]
    rows = rows[rows[f"{value}_median"].notna()]
    longest = rows.groupby(["selector", "search"])["n_alternatives"].transform("max")
    rows = rows[rows["n_alternatives"] == longest]
    rows = rows.assign(
        measured=[
            _NAMES.get(m, m) + (f", {model.replace('_', ' ')}" if model else "")
            for m, model in zip(rows["measure"], rows["model"], strict=True)
        ]
    )
    order = list(dict.fromkeys(rows["measured"]))
    parts: Any = rows.groupby(["n_features", "selector", "search"], sort=False)
    charts = []
    for (k, selector, search), part in parts:
        title = f"{selector_name(selector)}, {search_name(search)}, k = {k}"
        charts.append(_lines(part, value, "measured", order, has_floor).properties(title=title))
    axis = "0 = random valid sets, 1 = original set" if has_floor else "divided by the original's"
    return titled(
        panels(charts, 3),
        "Quality between random sets and the original set, by number of alternative",
        f"Median over datasets of the mean over folds and τ ({axis}), with its 95 % interval.",
        _LATER,
        "Datasets whose original sets are no better than random ones do not count."
        if has_floor
        else "",
        *missing_controls(results),
    )


def stability_by_alternative(tables: Tables) -> alt.TopLevelMixin:
    """Nogueira's stability over folds, by rank of the alternative."""
    table = tables["stability_overview"]
    rows = table[
        (table["measure"] == "nogueira") & (table["sets"] == "by rank") & table["tau"].isna()
    ]
    longest = rows.groupby(["selector", "search"])["n_alternatives"].transform("max")
    rows = rows[rows["n_alternatives"] == longest]
    rows = rows.assign(method=rows["selector"].map(selector_name))
    order = list(dict.fromkeys(rows["method"]))
    parts: Any = rows.groupby(["search", "n_features"], sort=False)
    charts = [
        _lines(part, "", "method", order, False).properties(title=f"{search_name(search)}, k = {k}")
        for (search, k), part in parts
    ]
    return titled(
        panels(charts, 2),
        "Stability of feature sets over folds, by number of alternative",
        "Nogueira's measure: 1 = the same set in every fold, 0 = as drawn at random.",
        "Median over datasets and τ, with its 95 % interval over datasets.",
        _LATER,
    )


def _lines(data: pd.DataFrame, prefix: str, group: str, order: list[str], limits: bool) -> Any:
    start = f"{prefix}_" if prefix else ""
    middle, low, high = (f"{start}{s}" for s in ("median", "median_low", "median_high"))
    title = {"relative": "Relative quality", "of_ceiling": "Quality / original's"}.get(
        prefix, "Stability"
    )
    kept = data[["set_index", group, middle, low, high, "n_datasets"]].astype({"set_index": int})
    base = alt.Chart(kept).encode(
        x=alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0)),
        color=colour(group, "", order),
        tooltip=[f"{group}:N", f"{middle}:Q", f"{low}:Q", f"{high}:Q", "n_datasets:Q"],
    )
    y = alt.Y(f"{middle}:Q", title=title, scale=alt.Scale(zero=False))
    # The same domain as the colours', so that both share a legend.
    shapes = alt.Shape(f"{group}:N", title="", sort=order, scale=alt.Scale(domain=order))
    layers = [
        base.mark_line(strokeWidth=1.5).encode(y=y),
        base.mark_point(filled=True, size=30, opacity=1).encode(y=y, shape=shapes),
    ]
    # Few datasets have no interval, and an axis cannot be made of nothing.
    if kept[low].notna().any():
        interval = alt.Y(f"{low}:Q", title=title)
        layers.append(base.mark_rule(opacity=0.4).encode(y=interval, y2=f"{high}:Q"))
    if limits:
        ends = pd.DataFrame({"y": [0.0, 1.0]})
        layers.append(alt.Chart(ends).mark_rule(color="#777", strokeDash=[4, 3]).encode(y="y:Q"))
    return alt.layer(*layers).properties(width=260, height=180)
