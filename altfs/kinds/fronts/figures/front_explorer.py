"""The explorer of fronts: all sets at two sensitivities, and the curve of the chosen one."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import COLOURS
from altfs.evaluation.results import Results
from altfs.kinds.fronts.kind import has_curves
from altfs.kinds.fronts.points import CURVE_KEY, curve_points

_TITLE = "Explorer of fronts"
# The largest number of sets of a front, and of all fronts, that a page can show quickly.
_MOST, _MOST_OF_ALL = 1_000, 5_000
_FIRST, _SECOND = 0.5, 0.9
_SIZE, _PICKED = 270, COLOURS[1]


@figures.add(place=159, applies=has_curves)
def front_explorer(results: Results, tables: Tables) -> Chart:
    """Draw the sets of a front at two sensitivities, and one curve with both as marks."""
    points, left_out = explored(results)
    if points.empty:
        return draw.absent(_TITLE, "No front exists.")
    labels = list(dict.fromkeys(points["front"]))
    front = alt.param(
        name="front", value=labels[0], bind=alt.binding_select(options=labels, name="Front ")
    )
    marks = [
        alt.param(name=name, value=value,
                  bind=alt.binding_range(min=0.01, max=1, step=0.01, name=f"{said} sensitivity "))
        for name, value, said in (("first", _FIRST, "First"), ("second", _SECOND, "Second"))
    ]  # fmt: skip
    tested = alt.param(name="tested", value=False, bind=alt.binding_checkbox(name="Test curve "))
    picked = alt.selection_point(name="picked", fields=["point"], value=[{"point": 0}], empty=False)
    sets = (
        alt.Chart(title="All sets of the front; choose one")
        .mark_point(filled=True, size=60, opacity=0.75)
        .encode(
            x=_axis("at_first", "Height at the first sensitivity"),
            y=_axis("at_second", "Height at the second sensitivity"),
            color=alt.condition(picked, alt.value(_PICKED), alt.value(COLOURS[0])),
            tooltip=draw.tips("features:N", "area:Q", "at_first:Q", "at_second:Q"),
        )
        .add_params(picked)
    )
    views = alt.concat(sets.properties(width=_SIZE, height=_SIZE), _curve(picked), columns=2)
    chart = alt.vconcat(
        views, _best(),
        data=points,
        transform=[
            alt.FilterTransform("datum.front === front"),
            *(alt.CalculateTransform(**{"as": f"at_{name}", "calculate": _at(name)})
              for name in ("first", "second")),
        ],
    ).add_params(front, *marks, tested)  # fmt: skip
    notes = [
        "Left: every set of the front, by the height of its training curve at two sensitivities. "
        "Right: the curve of the chosen set, with the two sensitivities as marks. Drag them, by "
        "mouse or touch, or move them by arrow keys or sliders. Below: the sets that are best "
        "there.",
        f"Fold {points['fold'].iloc[0]} of each dataset, the largest n_features of each search.",
        left_out,
    ]
    best = points.iloc[0]
    seen = f"{len(points)} sets of {draw.number_of(points['front'], 'front')}; largest area: "
    return draw.captioned(
        chart, _TITLE, *notes, seen=f"{seen}{best['features']} ({best['area']:.3f})."
    )


def explored(results: Results) -> tuple[pd.DataFrame, str]:
    """Return the sets that are shown, and a sentence about those that are left out.

    The sets have their features, area and curves; those of the largest area come first.
    """
    points = curve_points(results)
    if points.empty:
        return points, ""
    points = points[points["fold"] == points.groupby("dataset")["fold"].transform("min")]
    largest = points.groupby(CURVE_KEY[:-1])["n_features"].transform("max")
    whole = points[points["n_features"] == largest].sort_values(
        [*CURVE_KEY, "point"], kind="stable"
    )
    shown = whole[whole["point"] < _MOST].head(_MOST_OF_ALL)
    left_out = ""
    if len(shown) < len(whole):
        left_out = (
            f"{len(shown):,} of {len(whole):,} sets are here, those of the largest area; "
            "tables/front_points.parquet has all of them."
        )
    data = pd.DataFrame(
        {
            "front": shown["label"],
            "fold": shown["fold"],
            "point": shown["point"].astype(int),
            "features": shown["feature_names"].map(", ".join),
            "area": shown["train_objective"].round(4),
            "curve": shown["objectives"].map(_short),
            "test": shown["test_objectives"].map(lambda v: [] if v is None else _short(v)),
        }
    )
    return data.reset_index(drop=True), left_out


def _short(heights: Any) -> list[float]:
    return [round(float(value), 3) for value in heights]


def _at(mark: str) -> str:
    return f"datum.curve[max(ceil({mark} * length(datum.curve) - 1e-9) - 1, 0)]"


def _axis(field: str, title: str) -> Any:
    scale = alt.Scale(zero=False, nice=False, padding=8)
    return getattr(alt, "X" if field == "at_first" else "Y")(f"{field}:Q", title=title, scale=scale)


def _curve(picked: Any) -> Any:
    """Return the curves of the chosen set on both parts, with the two marks."""
    base = alt.Chart().transform_filter(picked)
    layers = []
    for field, colour, only in (("curve", _PICKED, "true"), ("test", "#767676", "tested")):
        steps = base.transform_filter(only).transform_calculate(n=f"length(datum.{field})")
        steps = steps.transform_flatten([field]).transform_window(k="row_number()")
        steps = steps.transform_calculate(sensitivity="datum.k / datum.n")
        layers.append(
            steps.mark_line(interpolate="step-before", color=colour).encode(
                x=alt.X("sensitivity:Q", title="Sensitivity", scale=alt.Scale(domain=[0, 1])),
                y=alt.Y(f"{field}:Q", title="Height of the curve", scale=alt.Scale(domain=[0, 1])),
            )
        )
    # Long names are cut, the tooltip of the left view has them in full.
    names = base.mark_text(align="left", baseline="bottom", x=4, y=_SIZE - 4, limit=_SIZE - 8)
    title = "Curve of the chosen set (grey: test part)"
    marks = [layer for name in ("first", "second") for layer in _mark(name)]
    return alt.layer(*layers, names.encode(text="features:N"), *marks, title=title).properties(
        width=_SIZE, height=_SIZE
    )


def _mark(name: str) -> list[Any]:
    """Return a mark at a sensitivity: a line with a handle, and a wide area to drag it by.

    The page moves the parameter whose name follows `drag_` in the name of a view.
    """
    # One row, whatever else changes, so that an element keeps the focus.
    one = alt.Chart().transform_aggregate(n="count()")
    place, ends = alt.value(alt.expr(f"{_SIZE} * {name}")), {"y": alt.value(0)}
    down = {**ends, "y2": alt.value(_SIZE)}
    line = one.mark_rule(strokeDash=[4, 3], strokeWidth=2, color="#333")
    handle = one.mark_point(filled=True, size=110, color="#333", opacity=1)
    area = one.mark_rule(strokeWidth=24, strokeOpacity=0)
    return [
        line.encode(x=place, **down),
        handle.encode(x=place, **ends),
        area.encode(x=place, **down).properties(name=f"drag_{name}"),
    ]


def _best() -> Any:
    """Return the names of the sets that are best at the two marks, of equals the largest area."""
    rows = []
    for place, mark in enumerate(("first", "second")):
        # Vega-Lite joins aggregates, so their names have to differ.
        best = alt.Chart().transform_aggregate(
            [{"op": "argmax", "field": f"at_{mark}", "as": f"best_{mark}"}]
        )
        said = (
            f"'Best at the {mark} sensitivity (' + format({mark}, '.2f') + '): ' + "
            f"datum.best_{mark}.features + ', ' + format(datum.best_{mark}.at_{mark}, '.3f')"
        )
        text = best.transform_calculate(said=said).mark_text(align="left", x=0, y=10 + 18 * place)
        rows.append(text.encode(text="said:N"))
    return alt.layer(*rows).properties(width=2 * _SIZE, height=36, view={"stroke": None})
