"""Stability over folds by number of alternative."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures._focus import longest_of
from altfs.evaluation.names import LATER, search_name, selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.tables import rows_of

_TITLE = "Stability of feature sets over folds, by number of alternative"
_KEYS = ["dataset", "selector", "search", "n_features", "n_alternatives", "set_index"]


@figures.add(place=140, per_size=True, needs=("stability", "stability_overview"))
def stability_by_alternative(results: Results, tables: Tables) -> Chart:
    """Draw Nogueira's stability over folds, by rank of the alternative."""
    rows = rows_of(tables, "stability_overview", measure="nogueira", sets="by rank")
    rows = rows[rows["tau"].isna()].assign(dataset="")
    each = rows_of(tables, "stability", sets="by rank")
    each = each[each["nogueira"].notna()]
    many = enough(each["dataset"].nunique())
    if not many:
        values = each.groupby(_KEYS)["nogueira"]
        rows = values.agg(median="median", n="size").reset_index()
        rows = rows.assign(n_datasets=1, median_low=None, median_high=None)
    if rows.empty:
        return draw.absent(_TITLE, "No two folds have a set.")
    rows = longest_of(rows)
    rows = rows.assign(
        method=rows["selector"].map(selector_name),
        run=rows["search"].map(search_name),
        set_index=rows["set_index"].astype(int),
    )
    line = ["dataset", "selector", "search", "n_features"]
    rows = rows.assign(same=whole_population(rows, line))

    def label(part: pd.DataFrame) -> Any:
        sizes = pd.Series([size_name(k, results.sizes) for k in part["n_features"]], part.index)
        return draw.apart(part["run"] + ", " + sizes, part["dataset"])

    kept = [*line, "method", "run", "set_index", "n", "n_datasets", "same", "median", "median_low",
            "median_high"]  # fmt: skip
    of = "Median over datasets and τ, with its 95 % interval over datasets." if many else (
        "For each dataset, the median over τ.")  # fmt: skip
    return draw.captioned(
        draw.panels(_lines(rows), rows[kept], label, shared_y=True),
        _TITLE,
        "Nogueira's measure: 1 = the same set in every fold, 0 = as drawn at random.",
        of,
        LATER,
        f"n = {draw.number_of(each['dataset'], 'dataset')}, {each['n_folds'].max()} folds.",
        seen=draw.described(rows.assign(panel=label(rows)), "method", "set_index", "median"),
    )


def _lines(rows: pd.DataFrame) -> list[Any]:
    """Draw medians with their intervals by rank, a line for each method."""
    order = list(dict.fromkeys(rows["method"]))
    hue = draw.colour("method", "", order)
    base = alt.Chart().encode(x=draw.rank_axis(), color=hue, tooltip=draw.tips(
        "panel:N", "method:N", "set_index:O", "median:Q", "median_low:Q", "median_high:Q",
        "n:Q", "n_datasets:Q"))  # fmt: skip
    y = alt.Y("median:Q", title="Stability", scale=alt.Scale(zero=False))
    # Shapes have the domain of the colours, so that both share a legend.
    layers: list[Any] = draw.line_and_points(base, y, draw.by_shape("method", "", order))
    # Few datasets have no interval, and an axis needs values.
    if rows["median_low"].notna().any():
        interval = alt.Y("median_low:Q", title="Stability")
        layers.append(base.mark_rule(opacity=0.7).encode(y=interval, y2="median_high:Q"))
    return layers
