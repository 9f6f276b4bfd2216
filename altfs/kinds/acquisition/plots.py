"""Acquisition as charts (Altair)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from altfs._numbers import check_word
from altfs.evaluation.figures._charts import alt
from altfs.evaluation.names import COLOURS

if TYPE_CHECKING:
    from altfs.kinds.acquisition.simulation import Simulated

# Colours of what is not a measurement.
_GREY, _STEP = "#767676", 16
_MOST_ROWS = 500


def of_simulation(kind: str, simulated: Simulated) -> Any:
    """Draw a chart of rows, see :meth:`Simulated.plot`."""
    check_word("kind", kind, ("curve", "rows"))
    return _curve(simulated.curve()) if kind == "curve" else _rows(simulated.rows())


def _curve(curve: pd.DataFrame) -> Any:
    data = curve.melt(["measurements", "going", "cost"], ["accuracy", "mcc"], "score", "height")
    data["score"] = data["score"].map({"accuracy": "accuracy", "mcc": "MCC"})
    return alt.Chart(data, title="Scores against cost").mark_line(point=True).encode(
        x=alt.X("cost:Q", title="Mean cost of a row"),
        y=alt.Y("height:Q", title="Score", scale=alt.Scale(zero=False)),
        color=alt.Color("score:N", title=None, scale=alt.Scale(range=COLOURS[:2])),
        shape=alt.Shape("score:N", title=None),
        order="measurements:Q",
        tooltip=["measurements", "going", "cost", "score", "height"],
    )  # fmt: skip


def _rows(steps: pd.DataFrame) -> Any:
    """Draw rows x features, sorted by their paths: at which step a feature is measured."""
    measured = steps[steps["feature"].notna()]
    paths = measured.groupby("row")["feature"].agg(tuple).sort_values(kind="stable")
    place = {row: i for i, row in enumerate(paths.index[:_MOST_ROWS])}
    data = measured[measured["row"].isin(place)]
    data = pd.DataFrame(
        {
            "row": data["row"], "place": data["row"].map(place), "feature": data["feature"],
            "step": data["step"] + 1,
        }
    )  # fmt: skip
    first = data.groupby("feature")["step"].mean().sort_values(kind="stable").index.tolist()
    return alt.Chart(data, title="What is measured of each row").mark_rect().encode(
        x=alt.X("feature:N", sort=first, title="Measurement"),
        y=alt.Y("place:O", axis=None, title="Row"),
        color=alt.Color("step:O", title="Step", scale=alt.Scale(scheme="viridis")),
        tooltip=["row", "feature", "step"],
    ).properties(width=alt.Step(_STEP), height=400)  # fmt: skip


def outages(prices: pd.DataFrame) -> Any:
    """Draw what the outage of each measurement costs, and the first switch."""
    order = prices["measurement"].tolist()
    base = alt.Chart(prices, title="The price of an outage").encode(
        y=alt.Y("measurement:N", sort=order, title=None),
        tooltip=["measurement", "outage", "switch"],
    )
    bars = base.mark_bar(color=_GREY).encode(x=alt.X("outage:Q", title="Rise of the value"))
    ticks = base.mark_tick(color=COLOURS[1], thickness=3).encode(x="switch:Q")
    return (bars + ticks).properties(height=alt.Step(_STEP + 4))


def tree(nodes: pd.DataFrame) -> Any:
    """Draw a policy: nodes by depth, leaves side by side."""
    children: dict[int, list[int]] = {}
    for node, parent in zip(nodes["node"], nodes["parent"], strict=True):
        if not pd.isna(parent):
            children.setdefault(int(parent), []).append(int(node))
    height, leaves = dict[int, float](), 0
    for node in reversed(nodes["node"].tolist()):
        if node in children:
            height[node] = sum(height[c] for c in children[node]) / len(children[node])
        else:
            height[node] = leaves = leaves - 1
    does = nodes["measure"].where(nodes["measure"].notna(), "answer " + nodes["answer"].astype(str))
    data = nodes.assign(place=nodes["node"].map(height), does=does).drop(columns="value")
    ends = data.dropna(subset="parent")
    ends = ends.assign(
        from_depth=ends["depth"] - 1, from_place=ends["parent"].astype(int).map(height)
    )
    x = alt.X("depth:Q", title="Measurements", axis=alt.Axis(tickMinStep=1, grid=False))
    y = alt.Y("place:Q", axis=None)
    lines = alt.Chart(ends).mark_rule(color="#999").encode(
        x=x, y=y, x2="from_depth:Q", y2="from_place:Q"
    )  # fmt: skip
    base = alt.Chart(data, title="What is measured").encode(x=x, y=y)
    tips = ["condition", "rows", "does", "certainty", "instead", "switch"]
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        color=alt.condition("datum.measure == null", alt.value(_GREY), alt.value(COLOURS[0])),
        tooltip=tips,
    )
    text = base.mark_text(align="left", dx=7, dy=5).encode(text="does:N")
    above = base.mark_text(align="left", dx=7, dy=-6, color=_GREY).encode(text="condition:N")
    return (lines + points + text + above).properties(
        width=180 * (int(nodes["depth"].max()) + 1), height=max(80, -34 * leaves)
    )  # fmt: skip
