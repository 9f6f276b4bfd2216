"""Shared parts of the figures: colours, boxes from quantiles, titles, axes, and choices.

Boxes are drawn from quantiles. So the size of a figure does not depend on the number of
feature sets.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from altfs.evaluation.collect.results import text_columns_as_text
from altfs.evaluation.names import COLOURS, RANK
from altfs.evaluation.tables import Tables as Tables

# Altair has a class for each kind of chart.
Chart = Any
QUANTILES = {"low": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": 0.95}


class _Altair:
    """Altair, imported on first use, because planning a study imports the figures."""

    def __getattr__(self, name: str) -> Any:
        import altair

        return getattr(altair, name)


alt: Any = _Altair()


def quantiles(rows: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return the quantiles of each group, and the numbers of sets and datasets in it."""
    groups = rows[rows[value].notna()].groupby(list(by), observed=True)
    table = pd.DataFrame({name: groups[value].quantile(q) for name, q in QUANTILES.items()})
    table["sets"], table["datasets"] = groups.size(), groups["dataset"].nunique()
    return text_columns_as_text(table.reset_index())


def boxes(data: pd.DataFrame, encoding: Mapping[str, Any], title: str, width: int) -> Any:
    """Draw boxes from the columns of :func:`quantiles`."""

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=False))

    tooltip = ["sets:Q", "datasets:Q", "median:Q", "q1:Q", "q3:Q"]
    base = alt.Chart(data).encode(**encoding, tooltip=tooltip)
    placed = {name: channel for name, channel in encoding.items() if name != "color"}
    ticks = alt.Chart(data).mark_tick(color="black", thickness=1.5, size=width)
    return alt.layer(
        base.mark_rule().encode(y=y("low"), y2="high:Q"),
        base.mark_bar(size=width).encode(y=y("q1"), y2="q3:Q"),
        ticks.encode(**placed, y=y("median")),
    )


def side_by_side(x: Any, field: str, title: str, order: Sequence[Any]) -> dict[str, Any]:
    """Return the encoding of boxes of several groups beside one another at each x."""
    offset = alt.XOffset(field, sort=list(order))
    return {"x": x, "xOffset": offset, "color": colour(field[:-2], title, order)}


def heat_map(base: Any, color: Any, form: str, dark: str, step: int = 34) -> Any:
    """Draw cells with their values as text, in white if the expression `dark` is true."""
    cells = base.mark_rect().encode(color=color.legend(format=form))
    value = color.shorthand.removesuffix(":Q")
    labels = (
        base.transform_filter(f"isValid(datum.{value})")
        .mark_text(fontSize=9)
        .encode(
            text=alt.Text(f"{value}:Q", format=form),
            color=alt.condition(dark, alt.value("white"), alt.value("black")),
        )
    )
    return (cells + labels).properties(width=alt.Step(step), height=alt.Step(24))


def colour(field: str, title: str, order: Sequence[Any]) -> Any:
    """Return the colours of a few groups."""
    return alt.Color(
        f"{field}:N", title=title, sort=list(order),
        scale=alt.Scale(domain=list(order), range=COLOURS[: max(len(order), 1)]),
    )  # fmt: skip


def shades(field: str, title: str, order: Sequence[Any]) -> Any:
    """Return the colours of an ordered quantity, readable in grey, too."""
    return alt.Color(
        f"{field}:O", title=title, sort=list(order),
        scale=alt.Scale(scheme="viridis", domain=list(order), reverse=True),
    )  # fmt: skip


def panels(charts: Sequence[Any], columns: int) -> Any:
    """Arrange panels in rows; without any, show a sentence."""
    words = pd.DataFrame({"text": ["No feature set exists."]})
    nothing = alt.Chart(words).mark_text(fontSize=13).encode(text="text:N").properties(width=300)
    return alt.concat(*(charts or [nothing]), columns=max(columns, 1))


def panels_of(data: pd.DataFrame, by: Sequence[str], draw: Callable[..., Any], columns: int) -> Any:
    """Arrange a panel for each group of rows; `draw` is called with the rows and the group."""
    groups: Any = data.groupby(list(by), sort=False)
    return panels([draw(rows, *group) for group, rows in groups], columns)


def titled(chart: Any, title: str, *subtitle: str) -> Any:
    """Give a figure its title and a subtitle of the lines that are not empty."""
    lines = [line for line in subtitle if line]
    words = alt.TitleParams(
        title, subtitle=lines, anchor="start", fontSize=15, subtitleColor="#444", offset=12
    )
    framed = chart.properties(title=words).configure_view(stroke="#ddd")
    return framed.configure_axis(grid=True, gridColor="#eee")


def choices(
    figure: Any, panel: Sequence[str], make: Callable[[list[str]], pd.DataFrame], **default: str
) -> Any:
    """Add to a figure the rows that the page shows for a chosen dataset, selector or search.

    Parameters
    ----------
    figure : Chart
    panel : sequence of str
        The columns that identify a panel.
    make : callable
        Called with further columns to group by: none, and then the dataset. Its rows have
        the columns of the figure, and `selector` and `run` if these can be chosen.
    **default : str
        The selector and the run that the figure shows if none is chosen. By default, all.
    """
    rows = pd.concat([make([]).assign(dataset=""), make(["dataset"])], ignore_index=True)
    found = {
        "panel": list(panel),
        "default": {"dataset": "", **default},
        "rows": {name: [_short(value) for value in rows[name]] for name in rows},
    }
    figure.usermeta = {"choices": [found]}
    return figure


def _short(value: Any) -> Any:
    """Return a value for JSON, with five significant digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}") if value == value else None
    return value if isinstance(value, str | bool) else int(value)


def rank_axis() -> Any:
    """Return the axis of the numbers of alternatives."""
    return alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0))


def lines_by_rank(
    data: pd.DataFrame, prefix: str, group: str, order: list[str], limits: bool
) -> Any:
    """Draw medians with their intervals by rank, a line for each group."""
    start = f"{prefix}_" if prefix else ""
    middle, low, high = (f"{start}{s}" for s in ("median", "median_low", "median_high"))
    title = {"relative": "Relative quality", "of_ceiling": "Quality / original's"}.get(
        prefix, "Stability"
    )
    kept = data[["set_index", group, middle, low, high, "n_datasets"]].astype({"set_index": int})
    base = alt.Chart(kept).encode(
        x=rank_axis(),
        color=colour(group, "", order),
        tooltip=[f"{group}:N", f"{middle}:Q", f"{low}:Q", f"{high}:Q", "n_datasets:Q"],
    )
    y = alt.Y(f"{middle}:Q", title=title, scale=alt.Scale(zero=False))
    # Shapes have the domain of the colours, so that both share a legend.
    shapes = alt.Shape(f"{group}:N", title="", sort=order, scale=alt.Scale(domain=order))
    layers = [
        base.mark_line(strokeWidth=1.5).encode(y=y),
        base.mark_point(filled=True, size=30, opacity=1).encode(y=y, shape=shapes),
    ]
    # Few datasets have no interval, and an axis needs values.
    if kept[low].notna().any():
        interval = alt.Y(f"{low}:Q", title=title)
        layers.append(base.mark_rule(opacity=0.4).encode(y=interval, y2=f"{high}:Q"))
    if limits:
        ends = pd.DataFrame({"y": [0.0, 1.0]})
        layers.append(alt.Chart(ends).mark_rule(color="#777", strokeDash=[4, 3]).encode(y="y:Q"))
    return alt.layer(*layers).properties(width=260, height=180)
