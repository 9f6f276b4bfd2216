"""Parts that charts of fronts of families share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, alt
from altfs.kinds.fronts.points import FAMILY_KEY, panel_of


def family_chart(data: pd.DataFrame, second: str, title: str, axis: str, which: str) -> Chart:
    """Draw the quality of the best families over their second objective.

    `which` says in words which families count at a value of that objective.
    """
    if data.empty:
        return draw.absent(title, "No front exists.")
    order = list(dict.fromkeys(data["search"]))
    scale = alt.Scale(domain=[0, 1]) if second == "dissimilarity" else alt.Scale(domainMin=0)
    rises = "step-before" if second == "dissimilarity" else "step-after"
    line = alt.Chart().mark_line(interpolate=rises, strokeWidth=1.5).encode(
        x=alt.X(f"{second}:Q", title=axis, scale=scale),
        y=alt.Y("quality:Q", title="Quality / largest quality", scale=alt.Scale(zero=False)),
        color=draw.colour("search", "Search", order),
        strokeDash=alt.StrokeDash("part:N", title="Part"),
        tooltip=draw.tips("panel:N", "search:N", "part:N", f"{second}:Q", "quality:Q"),
    )  # fmt: skip
    return draw.panelled(
        [line],
        data,
        lambda rows: panel_of(rows, "k"),
        ("search", second, "quality"),
        title,
        f"Quality of the best family {which}, relative to that of the best family of all: means "
        "over folds, for the most alternatives. The family is chosen on the training part.",
        f"n = fronts of {draw.number_of(data['dataset'], 'dataset')}.",
    )


def steps_of(
    points: pd.DataFrame, second: str, grid: Sequence[float], counts: Callable[[float, float], bool]
) -> pd.DataFrame:
    """Return the relative quality of the best family at each value of a grid, in each part.

    A family counts at a value if `counts` says so of its second objective and the value. Folds
    without such a family do not count there.
    """
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
            # That of the largest training quality comes first, and has the reference.
            families = [(quality, value) for quality, value in front[column]]
            largest = families[0][0]
            for value in grid:
                reached = next((q for q, other in families if counts(other, value)), None)
                if reached is not None and largest > 0:
                    rows.append({**run, "part": part, second: value, "quality": reached / largest})
    by = ["dataset", "selector", "search", "k", "part", second]
    if not rows:
        return pd.DataFrame(columns=[*by, "quality"])
    return pd.DataFrame(rows).groupby(by, sort=False)["quality"].mean().reset_index()
