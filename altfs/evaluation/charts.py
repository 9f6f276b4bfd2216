"""What the figures are drawn with: colours, boxes from quantiles, titles, names of axes.

Boxes are drawn from quantiles, not from rows, so a figure of half a million
feature sets is as small as one of ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

# Okabe and Ito's colours, which colour-blind people can tell apart.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442"]
QUANTILES = {"low": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": 0.95}
BOX = "Box: quartiles and median; whiskers: 5 % to 95 %."
RANK = "Number of alternative (0 = original set)"
TAU = "Dissimilarity threshold τ"
SELECTORS = {
    "mutual_information": "MI",
    "fcbf": "FCBF",
    "model_gain": "Model Gain",
    "greedy_wrapper": "Greedy Wrapper",
    "mrmr": "mRMR",
    "cfs": "CFS",
}
METRICS = {"mcc": "MCC", "r2": "R²"}


def selector_name(name: str) -> str:
    """A selector in the paper's words; one's own name where the paper has none."""
    return SELECTORS.get(str(name), str(name))


def search_name(search: str, aggregation: str = "none") -> str:
    """A search, with its aggregation if it has one."""
    name = str(search)[:1].upper() + str(search)[1:]
    return name if str(aggregation) == "none" else f"{name} ({aggregation})"


def in_words(name: str) -> str:
    """The name of a model, or another with underscores, as words."""
    words = str(name).replace("_", " ")
    return words[:1].upper() + words[1:]


def quantiles(rows: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """What a box shows of each group, and of how many sets and datasets."""
    groups = rows[rows[value].notna()].groupby(list(by), observed=True)
    table = pd.DataFrame({name: groups[value].quantile(q) for name, q in QUANTILES.items()})
    table["sets"], table["datasets"] = groups.size(), groups["dataset"].nunique()
    table = table.reset_index()
    coded = [c for c in table.columns if isinstance(table[c].dtype, pd.CategoricalDtype)]
    return table.astype(dict.fromkeys(coded, "str"))


def boxes(
    data: pd.DataFrame, encoding: dict[str, Any], title: str, width: int, zero: bool = False
) -> Any:
    """Boxes from the columns of :func:`quantiles`."""
    tooltip = ["sets:Q", "datasets:Q", "median:Q", "q1:Q", "q3:Q"]
    base = alt.Chart(data).encode(**encoding, tooltip=tooltip)
    scale = alt.Scale(zero=zero)
    whiskers = base.mark_rule().encode(
        y=alt.Y("low:Q", title=title, scale=scale), y2=alt.Y2("high:Q")
    )
    bars = base.mark_bar(size=width).encode(
        y=alt.Y("q1:Q", title=title, scale=scale), y2=alt.Y2("q3:Q")
    )
    placed = {name: channel for name, channel in encoding.items() if name != "color"}
    ticks = (
        alt.Chart(data)
        .mark_tick(color="black", thickness=1.5, size=width)
        .encode(**placed, y=alt.Y("median:Q", title=title, scale=scale))
    )
    return alt.layer(whiskers, bars, ticks)


def heat_map(
    data: pd.DataFrame, x: alt.X, y: alt.Y, value: str, form: str, scale: alt.Scale, title: str,
    dark: str, step: int = 34,
) -> Any:  # fmt: skip
    """Cells with their values as text, none where a value is missing; `dark`: white text."""
    base = alt.Chart(data).encode(x=x, y=y)
    cells = base.mark_rect().encode(
        color=alt.Color(f"{value}:Q", title=title, scale=scale, legend=alt.Legend(format=form))
    )
    labels = (
        base.transform_filter(f"isValid(datum.{value})")
        .mark_text(fontSize=9)
        .encode(
            text=alt.Text(f"{value}:Q", format=form),
            color=alt.condition(dark, alt.value("white"), alt.value("black")),
        )
    )
    return (cells + labels).properties(width=alt.Step(step), height=alt.Step(24))


def colour(field: str, title: str, order: Sequence[Any]) -> alt.Color:
    """Colours of a few groups."""
    return alt.Color(
        f"{field}:N", title=title, sort=list(order),
        scale=alt.Scale(domain=list(order), range=COLOURS[: max(len(order), 1)]),
    )  # fmt: skip


def shades(field: str, title: str, order: Sequence[Any]) -> alt.Color:
    """Colours of an ordered quantity, readable in grey, too."""
    return alt.Color(
        f"{field}:O", title=title, sort=list(order),
        scale=alt.Scale(scheme="viridis", domain=list(order), reverse=True),
    )  # fmt: skip


def nothing() -> Any:
    """Say so where a panel would be empty."""
    words = pd.DataFrame({"text": ["No feature set exists."]})
    return alt.Chart(words).mark_text(fontSize=13).encode(text="text:N").properties(width=300)


def panels(charts: Sequence[Any], columns: int) -> Any:
    """Panels in rows; a sentence if there is none."""
    return alt.concat(*(charts or [nothing()]), columns=max(columns, 1))


def titled(chart: Any, title: str, *subtitle: str) -> alt.TopLevelMixin:
    """A figure with its title and what it shows."""
    done: alt.TopLevelMixin = (
        chart.properties(
            title=alt.TitleParams(
                title,
                subtitle=[line for line in subtitle if line],
                anchor="start",
                fontSize=15,
                subtitleColor="#444",
                offset=12,
            )
        )
        .configure_view(stroke="#ddd")
        .configure_axis(grid=True, gridColor="#eee")
    )
    return done
