"""Features that are measured of each row, rows sorted by their paths."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import has_acquisition
from altfs.kinds.acquisition.measured_rows import steps_of

_TITLE = "What is measured of each row"
# Rows of a panel, of the first fold.
_MOST = 80


@figures.add(place=165, applies=has_acquisition)
def acquisition_paths(results: Results, tables: Tables) -> Chart:
    """Draw rows x features, with the step at which a feature is measured."""
    steps = steps_of(results)
    taken = steps[steps["feature"].notna() & (steps["fold"] == steps["fold"].min())]
    if taken.empty:
        return draw.absent(_TITLE, "No row is measured.")
    parts = []
    for _, rows in taken.groupby(["dataset", "method"], sort=False):
        rows = rows[rows["limit"] == rows["limit"].iloc[-1]]
        paths = rows.groupby("row")["feature_name"].agg(tuple)
        order = paths.iloc[:_MOST].sort_values(kind="stable").index
        place = {row: i for i, row in enumerate(order)}
        parts.append(rows.assign(place=rows["row"].map(place)).dropna(subset="place"))
    data = pd.concat(parts, ignore_index=True)
    data = data.assign(step=data["step"] + 1, feature=data["feature_name"])
    data = data[["dataset", "method", "row", "place", "feature", "step"]]
    cells = alt.Chart().mark_rect().encode(
        x=alt.X("feature:N", title=None, sort=alt.EncodingSortField("step", op="mean")),
        y=alt.Y("place:O", axis=None),
        color=draw.shades("step", "Step", sorted(data["step"].unique().tolist())),
        tooltip=draw.tips("panel:N", "row:O", "feature:N", "step:O"),
    )  # fmt: skip
    return draw.panelled(
        [cells], data, lambda rows: rows["dataset"] + ", " + rows["method"],
        ("feature", "place", "step"), _TITLE,
        "Each line is a row of the first fold's test part, of up to 80, with the last limit. Dark "
        "to light: the order of its measurements.",
        f"n = {int(data.groupby(['dataset', 'method'])['row'].nunique().max())} rows or fewer.",
        form="{:.0f}", free_x=True,
    )  # fmt: skip
