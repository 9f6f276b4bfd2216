"""Shared parts of the figures: panels, marks, colours, captions, and the choice of a dataset.

Two or three panels beside one another fill the text width of a paper, and one a column.
The title is not in the picture. A figure holds its title, its caption and its description in
`usermeta`; the page and the files show them.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd

from altfs.evaluation.names import (
    BOX,
    COLOURS,
    LATER_BOXES,
    LATER_POINTS,
    METRICS,
    POINT,
    RAMP,
    RANK,
    count,
    in_words,
    ramp,
    tau_in_words,
)
from altfs.evaluation.results import text_columns_as_text
from altfs.evaluation.rules import enough
from altfs.evaluation.tables import Tables as Tables

# Altair has a class for each kind of chart.
Chart = Any
QUANTILES = {"low": 0.05, "q1": 0.25, "median": 0.5, "q3": 0.75, "high": 0.95}
#: What the page lets readers choose; a figure has a parameter for each that its rows have.
CHOICES = ("dataset", "selector", "run")
#: The size of a panel, in pixels of 1/96 inch, in which letters of 11 have 8.25 points.
WIDTH, HEIGHT, LETTERS = 235, 144, 11
#: The size of a panel that is alone; it is as wide as two.
ALONE = {"width": 2 * WIDTH + 70, "height": 230}
# Vega's own, and a star, an hourglass, an X and a hexagon.
_SHAPES = [
    "circle", "square", "triangle-up", "cross", "diamond", "triangle-right", "triangle-down",
    "triangle-left", "M0,-1L.24,-.32L.95,-.31L.38,.12L.59,.81L0,.4L-.59,.81L-.38,.12L-.95,-.31"
    "L-.24,-.32Z", "M-.8,-.8L.8,-.8L-.8,.8L.8,.8Z", "M-.8,-.8L.8,.8M-.8,.8L.8,-.8",
    "M1,0L.5,.87L-.5,.87L-1,0L-.5,-.87L.5,-.87Z",
]  # fmt: skip
# The size of a panel beside two others, and the room between panels, whose axes have no titles.
_NARROW = {"width": 171, "height": 115}
_ROOM = {"row": 50, "column": 50}
#: The number of panels on a page, in two or three columns.
ON_A_PAGE = 9
#: The line of a floor, in words.
CHANCE = "Dotted: the quality that the best set of a shuffled target exceeds once in 100."
# Labels of panels that would touch the next panel have two lines.
_BREAK = "max(lastindexof(slice(datum.label, 0, {0}), ', '), indexof(datum.label, ', '))"
_IN_LINES = (
    f"length(datum.label) > {{0}} && {_BREAK} > 0 ? [slice(datum.label, 0, {_BREAK} + 1), "
    f"slice(datum.label, {_BREAK} + 2)] : datum.label"
)
# A description for readers of a screen is not longer than a paragraph.
_MOST_DESCRIBED = 8


class _Altair:
    """Altair, imported on first use, because planning a study imports the figures."""

    def __getattr__(self, name: str) -> Any:
        import altair

        return getattr(altair, name)


alt: Any = _Altair()


def quantiles(rows: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return the quantiles of each group, and the numbers of sets and datasets in it.

    Fewer than six datasets have their median in place of every quantile; a single one has the
    medians of its folds, the smallest and the largest, as the ends.
    """
    groups = rows[rows[value].notna()].groupby(list(by), observed=True)
    table = pd.DataFrame({name: groups[value].quantile(q) for name, q in QUANTILES.items()})
    table["sets"], table["datasets"] = groups.size(), groups["dataset"].nunique()
    few = ~enough(table["datasets"])
    table.loc[few, list(QUANTILES)] = table.loc[few, ["median"] * len(QUANTILES)].to_numpy()
    if "dataset" in by and few.any():
        folds = rows.groupby([*by, "fold"], observed=True)[value].median()
        ends = folds.groupby(level=list(by), observed=True).agg(["min", "max"])
        table.loc[few, ["low", "high"]] = ends.reindex(table.index[few]).to_numpy()
    return text_columns_as_text(table.reset_index())


def choosable(make: Callable[[list[str]], pd.DataFrame]) -> pd.DataFrame:
    """Return the rows of a figure for all datasets together, and for each of them.

    Fewer than six datasets have their own rows alone. `make` takes further columns to group by:
    none, or the dataset.
    """
    each = make(["dataset"])
    if not enough(each["dataset"].nunique()):
        return each
    return pd.concat([make([]).assign(dataset=""), each], ignore_index=True)


def panels(
    layers: Sequence[Any],
    data: pd.DataFrame,
    panel: Callable[[pd.DataFrame], Any],
    *,
    columns: int = 0,
    free_x: bool = False,
    shared_y: bool = False,
    first: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """Draw layers in panels, a page of them at a time, for the rows that a reader chooses.

    The parameter ``page`` is the page that is shown; -1 shows all panels.

    Parameters
    ----------
    layers : sequence of Chart
        Without data of their own.
    data : DataFrame
        With a column for each choice that the figure has. An empty text in it is for rows of all
        values together.
    panel : callable
        Returns the label of the panel of each row.
    columns : int, default=0
        0: two, or three if there are three panels or more than four.
    free_x : bool, default=False
        True if panels differ in their horizontal axis.
    shared_y : bool, default=False
        True if all panels have one vertical axis, so that they can be compared.
    first : mapping of str to str, optional
        The dataset, selector or run that is shown at first; by default all.
    """
    if data.empty:
        return nothing()
    shown = text_columns_as_text(data.assign(panel=list(panel(data)))).map(_short)
    if "tau" in shown:
        shown["tau"] = shown["tau"].map(thresholds(shown["tau"]))
    # A wide panel is tall, too.
    on_a_page = ON_A_PAGE // 4 if columns == 1 else ON_A_PAGE
    tests = ["(page < 0 || floor(datum.number / panels) === page)"]
    parameters = [alt.VariableParameter(name="page", value=0),
                  alt.VariableParameter(name="panels", value=on_a_page)]  # fmt: skip
    at_first = pd.Series(True, shown.index)
    for field in CHOICES:
        if field in shown:
            value = first.get(field, "")
            same = f"datum.{field} === {field}"
            joined = shown[field] == value
            tests.append(same if joined.any() else f"({field} === '' || {same})")
            at_first &= joined | (not joined.any())
            parameters.append(alt.VariableParameter(name=field, value=value))
    # Only the panels that are shown at first have pages.
    numbers = {label: i for i, label in enumerate(dict.fromkeys(shown["panel"][at_first]))}
    shown["number"] = shown["panel"].map(numbers).fillna(-1).astype(int)
    columns = columns or (3 if len(numbers) == 3 or len(numbers) > 4 else 2)
    size = {"width": WIDTH, "height": HEIGHT} if columns < 3 else _NARROW
    size = ALONE if columns > 1 and len(numbers) == 1 else size
    header = alt.Header(labelFontWeight="bold", labelAnchor="start", labelFontSize=LETTERS,
                        labelLimit=size["width"] + 40, labelPadding=4,
                        labelExpr=_IN_LINES.format(36 if columns < 3 else 24))  # fmt: skip
    free = {"x": "independent"} if free_x else {}
    free |= {} if shared_y else {"y": "independent"}
    return alt.FacetChart(
        data=shown,
        spec=alt.LayerChart(layer=[*layers], **size),
        facet=alt.Facet(
            "panel:N", title=None, sort=[*dict.fromkeys(shown["panel"])], header=header
        ),
        columns=columns,
        # Panels lie at the same height, however long the labels of their axes are.
        bounds="flush",
        spacing=_ROOM,
        transform=[{"filter": " && ".join(tests)}],
        params=parameters,
        resolve={"scale": free, "axis": {"x": "independent", "y": "independent"}},
    )


def thresholds(values: Any) -> dict[str, str]:
    """Return the different tau, the smallest first, with three digits if these tell them apart.

    >>> thresholds(pd.Series(["1", "0.333333", ""]))
    {'': '', '0.333333': '0.333', '1': '1'}
    """
    taus = sorted(values.dropna().unique(), key=lambda tau: float(tau or -1))
    short = {tau: tau_in_words(tau) if tau else "" for tau in taus}
    return short if len({*short.values()}) == len(short) else {tau: tau for tau in taus}


def whole_axis(numbers: Any) -> Any:
    """Return an axis with ticks at whole numbers that occur, where there are few."""
    values = sorted({int(number) for number in numbers})
    return alt.Axis(values=values, format="d") if len(values) < 10 else alt.Axis(tickMinStep=1)


def nothing(words: str = "No feature set exists.") -> Any:
    """Show a sentence in place of panels."""
    text = alt.Chart(pd.DataFrame({"text": [words]})).mark_text(fontSize=13)
    return text.encode(text="text:N").properties(width=300, height=40)


def absent(title: str, sentence: str) -> Any:
    """Make a figure that has a sentence in place of data; the page leaves it out."""
    figure = captioned(nothing(sentence), title, sentence, seen=sentence)
    figure.usermeta["absent"] = True
    return figure


def captioned(chart: Any, title: str, *notes: str, seen: str = "", finding: str = "") -> Any:
    """Give a figure its title, its caption of the notes that are not empty, and its description.

    The page shows the `finding`, a sentence, below the title.
    """
    words = {"title": title, "notes": [note for note in notes if note]}
    chart.usermeta = {**words, "seen": seen, "finding": finding}
    return chart


def panelled(
    layers: Sequence[Any],
    data: pd.DataFrame,
    panel: Callable[[pd.DataFrame], Any],
    seen: tuple[str, str, str],
    *words: str,
    form: str = "{:.2f}",
    free_x: bool = False,
    **only: Any,
) -> Any:
    """Draw panels with a title, notes and a description of their lines.

    `seen` has the columns of lines, x and y; `words` are the title and the notes. The other
    arguments are those of :func:`panels` and :func:`described`.
    """
    said = described(data.assign(panel=panel(data)), *seen, form, **only)
    return captioned(panels(layers, data, panel, free_x=free_x), *words, seen=said)


def styled(chart: Any) -> Any:
    """Give a figure the letters and lines of all figures."""
    letters = {"labelFontSize": LETTERS, "titleFontSize": LETTERS, "titleFontWeight": "normal"}
    grey = {"gridColor": "#eee", "domainColor": "#767676", "tickColor": "#767676"}
    # Altair's methods would copy the figure, each time with all its layers.
    chart.config = {
        "view": {"stroke": "#ccc"},
        "axis": {**grey, "titlePadding": 8, "labelFlush": False, **letters},
        "legend": {"orient": "top", "columns": 4, "symbolStrokeWidth": 2, "titleOrient": "left",
                   "titlePadding": 18, "columnPadding": 18, **letters},
        "text": {"fontSize": LETTERS},
    }  # fmt: skip
    return chart


def described(
    data: pd.DataFrame, group: str, x: str, y: str, form: str = "{:.2f}", **fields: Any
) -> str:
    """Say where the lines of a figure begin and end, for readers who do not see it.

    >>> rows = pd.DataFrame({"line": ["a", "a"], "at": [0, 1 - 0.8], "y": [1.0, 0.5]})
    >>> described(rows, "line", "at", "y")
    'a: 1.00 at 0 to 0.50 at 0.2.'
    """
    for column, value in fields.items():
        if column in data and (data[column] == value).any():
            data = data[data[column] == value]
    data = data[data[y].notna()]
    by = [c for c in ("panel", group) if c in data]
    groups: Any = data.groupby(by, sort=False, observed=True)
    said = []
    for key, part in groups:
        ends = part.iloc[[0, -1]] if len(part) > 1 else part
        places = [f"{at:.3g}" if isinstance(at, float) else at for at in ends[x]]
        values = " to ".join(
            f"{form.format(v)} at {at}" for at, v in zip(places, ends[y], strict=True)
        )
        said.append(f"{', '.join(dict.fromkeys(map(str, key)))}: {values}")
    more = f"; and {len(said) - _MOST_DESCRIBED} more" * (len(said) > _MOST_DESCRIBED)
    return f"{'; '.join(said[:_MOST_DESCRIBED])}{more}." if said else ""


def apart(labels: Any, datasets: Any) -> Any:
    """Add the dataset to the labels of panels of single datasets."""
    return labels.astype(str) + datasets.map(lambda name: f", {name}" if name else "")


def of_model(rows: pd.DataFrame, *more: str) -> Any:
    """Return the labels of panels: the model and its metric, and the texts of more columns."""
    parts = [rows["model"].map(in_words), rows["metric"].map(METRICS), *(rows[c] for c in more)]
    words = pd.Series([", ".join(texts) for texts in zip(*parts, strict=True)], rows.index, str)
    return apart(words, rows["dataset"])


def dataset_of(rows: pd.DataFrame) -> Any:
    """Return the labels of panels of single datasets, or of all of them."""
    return rows["dataset"].replace("", "Median over datasets")


def number_of(values: Any, what: str) -> str:
    """Say how many different values there are."""
    return count(len(values.unique()), what)


def counted(rows: pd.DataFrame, what: str = "feature sets") -> str:
    """Say of how many rows of how many datasets a figure is."""
    return f"n = {len(rows):,} {what} of {number_of(rows['dataset'], 'dataset')}."


def tips(*fields: str) -> list[Any]:
    """Return tooltips: texts, and numbers (ending in ``:Q``) with three significant digits."""
    return [
        alt.Tooltip(field, title=field[:-2].replace("_", " "),
                    **({"format": ".3~g"} if field.endswith(":Q") else {}))
        for field in fields
    ]  # fmt: skip


def boxes(
    data: pd.DataFrame, x: Any, group: str, title: str, *tooltip: str, legend: bool = True
) -> list[Any]:
    """Draw boxes from the columns of :func:`quantiles`, and single datasets as points.

    Parameters
    ----------
    data : DataFrame
        With ``same``: False for a box that is not filled, as it is of fewer sets than the first.
    x : X
    group : str
        The column of groups beside one another.
    title : str
        Of the vertical axis.
    *tooltip : str
    legend : bool, default=True
        False if one group is shown at a time.
    """
    order = list(dict.fromkeys(data[group]))
    one_by_one = not (data["dataset"] == "").any()
    words = [f for f in ("dataset:N", "selector:N", "run:N") if f[:-2] in data]
    values = ["median:Q", *([] if one_by_one else ["q1:Q", "q3:Q"]), "sets:Q", "datasets:Q"]
    offset = alt.XOffset(f"{group}:N", sort=order)
    base = alt.Chart().encode(x=x, xOffset=offset, tooltip=tips(*words, *tooltip, *values))
    hue = colour(group, "", order) if legend else colour(group, "", order).legend(None)
    full = alt.condition("datum.same", alt.value(1), alt.value(0))

    def y(field: str) -> Any:
        return alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=False))

    if one_by_one:
        names = sorted(data["dataset"].unique())
        shape = by_shape("dataset", "", names)
        if len(names) == 1:
            shape = shape.legend(None)
        # Datasets lie beside one another.
        places = [f"{value}, {name}" for value in order for name in names]
        base = base.transform_calculate(place=f"datum.{group} + ', ' + datum.dataset")
        base = base.encode(xOffset=alt.XOffset("place:N", sort=places))
        points = base.mark_point(filled=False, size=36, opacity=1)
        inside = alt.Fill.from_dict(hue.to_dict())
        dots = points.encode(y=y("median"), color=hue, shape=shape, fill=inside, fillOpacity=full)
        return [base.mark_rule(strokeWidth=0.8).encode(y=y("low"), y2="high:Q", color=hue), dots]
    outline = alt.Stroke.from_dict(hue.to_dict())
    bars = base.mark_bar(strokeWidth=1.5).encode(y=y("q1"), y2="q3:Q", color=hue, stroke=outline)
    return [
        base.mark_rule().encode(y=y("low"), y2="high:Q", color=hue),
        bars.encode(fillOpacity=full),
        base.mark_tick(color="black", thickness=2).encode(y=y("median")),
    ]


def marks_of(data: pd.DataFrame) -> str:
    """Say what the marks of :func:`boxes` are."""
    boxed = (data["dataset"] == "").any()
    later = "" if data["same"].all() else LATER_BOXES if boxed else LATER_POINTS
    return f"{BOX if boxed else POINT} {later}".rstrip()


def heat_map(x: Any, y: Any, color: Any, form: str, dark: str, *tooltip: str) -> list[Any]:
    """Draw cells with their values as text, in white if the expression `dark` is true."""
    value = color.shorthand.removesuffix(":Q")
    base = alt.Chart().encode(x=x, y=y, tooltip=tips(*tooltip, color.shorthand))
    labels = base.transform_filter(f"isValid(datum.{value})").mark_text()
    return [
        base.mark_rect(stroke="#767676", strokeWidth=0.5).encode(
            color=color.legend(format=form, tickCount=3)
        ),
        labels.encode(
            text=alt.Text(f"{value}:Q", format=form),
            color=alt.condition(dark, alt.value("white"), alt.value("black")),
        ),
    ]


def colour(field: str, title: str, order: Sequence[Any]) -> Any:
    """Return the colours of a few groups."""
    several = [COLOURS[i % len(COLOURS)] for i in range(max(len(order), 1))]
    scale = alt.Scale(domain=list(order), range=several)
    in_a_line = sum(len(str(name)) + 4 for name in order) <= 50
    legend = alt.Legend(columns=len(order) if in_a_line else 4)
    return alt.Color(f"{field}:N", title=title or None, scale=scale, legend=legend)


def by_shape(field: str, title: str, order: Sequence[Any]) -> Any:
    """Return the shapes of a few groups."""
    scale = alt.Scale(domain=list(order), range=_SHAPES)
    return alt.Shape(f"{field}:N", title=title or None, scale=scale)


def shades(field: str, title: str, order: Sequence[Any]) -> Any:
    """Return the colours of an ordered quantity."""
    scale = alt.Scale(domain=list(order), range=ramp(len(order)))
    legend = alt.Legend(columns=len(RAMP))
    return alt.Color(f"{field}:O", title=title, scale=scale, legend=legend)


def _short(value: Any) -> Any:
    """Return a value for JSON, with five significant digits."""
    if isinstance(value, float):
        return float(f"{value:.5g}") if value == value else None
    return value


def seconds_by_width() -> dict[str, Any]:
    """Return the encodings of the median time ``seconds`` against the number of features ``n``."""
    ticks = [15, 20, 30, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000]
    # Labels that would touch are left out.
    free = {"labelOverlap": "greedy", "labelSeparation": 3}
    wide = alt.Scale(type="log", nice=False, padding=8)
    return {
        "x": alt.X("n:Q", title="Number of features n", scale=wide,
                   axis=alt.Axis(values=ticks, **free)),
        "y": alt.Y("seconds:Q", title="Median time of a run in s", scale=alt.Scale(type="log"),
                   axis=alt.Axis(format="~g", tickCount=6, **free)),
    }  # fmt: skip


def rank_axis() -> Any:
    """Return the axis of the numbers of alternatives."""
    return alt.X("set_index:O", title=RANK, axis=alt.Axis(labelAngle=0, grid=False))


def line_and_points(base: Any, y: Any, shape: Any, line: str = "datum.same") -> list[Any]:
    """Draw a line as far as its population is the ``same``; later points are hollow.

    `line` is an expression for the points that the line joins.
    """
    drawn = base.transform_filter(line).mark_line(strokeWidth=1.5).encode(y=y)
    fill = alt.Fill.from_dict(base.mark_point().to_dict()["encoding"]["color"])
    full = alt.condition("datum.same", alt.value(1), alt.value(0))
    points = base.mark_point(filled=False, size=36, opacity=1)
    # One layer has both looks, because Vega warns of an empty layer.
    return [drawn, points.encode(y=y, shape=shape, fill=fill, fillOpacity=full)]
