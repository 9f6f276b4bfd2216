"""The explorer of fronts: all sets at two sensitivities, and the curve of the chosen one."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import size_name
from altfs.evaluation.results import Results
from altfs.kinds.fronts.explorer import MARKS, SIZE, at_marks, sliders, views
from altfs.kinds.fronts.kind import has_curves
from altfs.kinds.fronts.points import CURVE_KEY, curve_points, panel_of

_TITLE = "Explorer of fronts"
# The largest number of sets of a front, and of all fronts, that a page can show quickly.
_MOST, _MOST_OF_ALL = 1_000, 5_000


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
    tested = alt.param(name="tested", value=False, bind=alt.binding_checkbox(name="Test curve "))
    transform = [alt.FilterTransform("datum.front === front"), *at_marks()]
    chart = alt.vconcat(views("Height", on_page=True), _best(), data=points, transform=transform)
    chart = chart.add_params(front, *sliders(), tested)
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
    caps = [size_name(size, results.sizes) for size in shown["n_features"]]
    left_out = ""
    if len(shown) < len(whole):
        left_out = (
            f"{len(shown):,} of {len(whole):,} sets are here, those of the largest area; "
            "tables/front_points.parquet has all of them."
        )
    data = pd.DataFrame(
        {
            "front": panel_of(shown.assign(cap=caps), "search", "cap"),
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


def _best() -> Any:
    """Return the names of the sets that are best at the two marks, of equals the largest area."""
    rows = []
    for place, mark in enumerate(MARKS):
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
    return alt.layer(*rows).properties(width=2 * SIZE, height=36, view={"stroke": None})
