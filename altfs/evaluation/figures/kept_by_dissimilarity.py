"""Quality of the first alternative against its dissimilarity from the original set."""

from __future__ import annotations

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.names import LATER_RUNS, search_name, selector_name, size_name
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.tables.kept import widest

_TITLE = "What being different costs"
_ORIGINAL, _FIRST, _DRAWN = "original", "1st alternative", "random sets"
_LINE = ["dataset", "selector"]


@figures.add(place=1, needs=("kept",))
def kept_by_dissimilarity(results: Results, tables: Tables) -> Chart:
    """Draw what first alternatives keep, from the original sets to the random ones."""
    asked = widest(tables, measure="train_objective", set_index=1)
    rows = asked[asked["alternative"].notna()] if len(asked) else asked
    if len(rows):
        has_floor = bool(rows["random"].notna().any())
        known = rows["random" if has_floor else "share"].notna()
        rows = rows[known & rows["dissimilarity"].notna()]
    if rows.empty:
        return draw.absent(_TITLE, "No alternative exists.")
    search, k = rows["search"].iloc[0], rows["n_features"].iloc[0]
    points = each = _points(rows)
    many = enough(rows["dataset"].nunique())
    if many:
        points = _medians(each)
    methods = list(dict.fromkeys(points["method"]))
    x = alt.X("dissimilarity:Q", title="Dissimilarity from the original set",
              scale=alt.Scale(domain=[0, 1]))  # fmt: skip
    y = alt.Y("quality:Q", title="Training objective, relative", scale=alt.Scale(zero=False))
    fields = ("panel:N", "method:N", "set:N", "tau:N", "dissimilarity:Q", "quality:Q", "runs:N")
    base = alt.Chart().encode(
        x=x, color=draw.colour("method", "", methods), order="place:Q", tooltip=draw.tips(*fields)
    )
    drawn = _DRAWN in set(points["set"])
    shape = draw.by_shape("set", "", [_ORIGINAL, _FIRST, *[_DRAWN] * drawn])
    layers = draw.line_and_points(base, y, shape)
    # A reader may choose a dataset of many.
    shown = pd.concat([points, each], ignore_index=True) if many else points
    figure = draw.panels(layers, shown, draw.dataset_of)
    n, planned = int(rows["n"].sum()), int(asked["n_planned"].sum())
    of = "medians over datasets" if many else "each dataset by itself"
    lines = points[points["set"] != _DRAWN].assign(panel=points["dataset"])
    return draw.captioned(
        figure,
        _TITLE,
        f"Training objective (1: original set{', 0: random sets' * drawn}) and dissimilarity from "
        f"the original set: {of}, means "
        f"over folds, {size_name(k, results.sizes)}, {search_name(str(search)).lower()} search. "
        "A square per τ, which grows along the line"
        + ("; triangle: sets drawn at random." if drawn else "."),
        f"n = {n} of {planned} runs that have a 1st alternative, of "
        f"{draw.number_of(rows['dataset'], 'dataset')}.",
        LATER_RUNS if not points.loc[points["set"] == _FIRST, "same"].all() else "",
        seen=draw.described(lines, "method", "dissimilarity", "quality"),
    )


def _points(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the points of each dataset and selector: original, first alternatives, random sets."""
    rows = rows.assign(
        method=rows["selector"].map(selector_name),
        place=rows["tau"].astype(float),
        quality=_scaled(rows, rows["alternative"]),
        runs=rows["n"].astype(str) + " of " + rows["n_planned"].astype(str),
    )
    rows["same"] = whole_population(rows, _LINE, along="place")
    # Those of the smallest threshold are of the most runs.
    first = rows.sort_values("place", kind="stable").drop_duplicates(_LINE)
    original = first.assign(set=_ORIGINAL, tau="", place=-1.0, dissimilarity=0.0, quality=1.0)
    drawn = first.assign(
        set=_DRAWN, tau="", place=2.0, same=False, dissimilarity=first["random_dissimilarity"],
        quality=_scaled(first, first["random"]),
    )  # fmt: skip
    drawn = drawn[drawn["quality"].notna() & drawn["dissimilarity"].notna()]
    parts = [original, rows.assign(set=_FIRST), drawn]
    kept = [
        *_LINE,
        "method",
        "set",
        "tau",
        "place",
        "dissimilarity",
        "quality",
        "runs",
        "same",
        "n",
    ]
    return pd.concat(parts, ignore_index=True)[kept].sort_values("place", kind="stable")


def _scaled(rows: pd.DataFrame, values: pd.Series[Any]) -> pd.Series[float]:
    """Scale values to 1 at the original set, and to 0 at random sets, if there are any."""
    floor = rows["random"].fillna(0.0) if rows["random"].isna().all() else rows["random"]
    return ((values - floor) / (rows["original"] - floor)).astype(float)


def _medians(points: pd.DataFrame) -> pd.DataFrame:
    """Return the medians over six datasets or more; a line ends where there are fewer."""
    by = ["selector", "method", "set", "tau", "place"]
    groups = points.groupby(by, sort=False)
    found = groups[["dissimilarity", "quality"]].median()
    found["n"], n = groups["n"].sum(), groups["dataset"].nunique()
    found = found[enough(n)].assign(dataset="")
    found["runs"] = found["n"].astype(str) + " of " + n.astype(str) + " datasets"
    ordered: pd.DataFrame = found.reset_index().sort_values("place", kind="stable")
    same = whole_population(ordered, ["selector"], along="place")
    return ordered.assign(same=same & (ordered["set"] != _DRAWN))
