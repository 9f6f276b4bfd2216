"""Fronts of quality against dissimilarity."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.fronts.kind import has_family_fronts
from altfs.kinds.fronts.points import FAMILY_KEY, family_points, panel_of

_TITLE = "Quality against dissimilarity, without a threshold"
_STEPS = 50


@figures.add(place=162, applies=has_family_fronts)
def quality_dissimilarity_front(results: Results, tables: Tables) -> Chart:
    """Draw the quality of the best family with at least some dissimilarity, on both parts."""
    data = steps(results)
    if data.empty:
        return draw.absent(_TITLE, "No front exists.")
    order = list(dict.fromkeys(data["search"]))
    line = alt.Chart().mark_line(interpolate="step-before", strokeWidth=1.5).encode(
        x=alt.X("dissimilarity:Q", title="Dissimilarity of the family",
                scale=alt.Scale(domain=[0, 1])),
        y=alt.Y("quality:Q", title="Quality / largest quality", scale=alt.Scale(zero=False)),
        color=draw.colour("search", "Search", order),
        strokeDash=alt.StrokeDash("part:N", title="Part"),
        tooltip=draw.tips("panel:N", "search:N", "part:N", "dissimilarity:Q", "quality:Q"),
    )  # fmt: skip
    return draw.panelled(
        [line],
        data,
        lambda rows: panel_of(rows, "k"),
        ("search", "dissimilarity", "quality"),
        _TITLE,
        "Quality of the best family that is at least so dissimilar, relative to that of the best "
        "family of all: means over folds, for the most alternatives. The family is chosen on the "
        "training part.",
        f"n = fronts of {draw.number_of(data['dataset'], 'dataset')}.",
    )


def steps(results: Results) -> pd.DataFrame:
    """Return the relative quality of the best family for each least dissimilarity and part."""
    points = family_points(results)
    most = points.groupby(FAMILY_KEY[:-2])["n_alternatives"].transform("max")
    points = points[points["n_alternatives"] == most]
    rows, both = [], len(set(points["aggregation"])) > 1
    for key, front in points.groupby([*FAMILY_KEY, "fold"], sort=False):
        dataset, selector, search, n_features, _, aggregation, _ = key
        named = f"{search}, {aggregation}" if both else search
        run = {"dataset": dataset, "selector": selector, "search": named, "k": f"k = {n_features}"}
        for part, column in (("training", "objectives"), ("test", "test_objectives")):
            if not front[column].notna().all():
                continue
            pairs = sorted((apart, quality) for quality, apart in front[column])
            largest = pairs[0][1]
            for step in range(_STEPS + 1):
                # The first family that is dissimilar enough is the best one.
                reached = next((q for a, q in pairs if a >= step / _STEPS - 1e-9), None)
                if reached is not None and largest > 0:
                    rows.append({**run, "part": part, "dissimilarity": step / _STEPS,
                                 "quality": reached / largest})  # fmt: skip
    by = ["dataset", "selector", "search", "k", "part", "dissimilarity"]
    if not rows:
        return pd.DataFrame(columns=[*by, "quality"])
    return pd.DataFrame(rows).groupby(by, sort=False)["quality"].mean().reset_index()
