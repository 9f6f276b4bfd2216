"""Training and test objective of each search."""

from altfs.catalogue import figures, names_solvers
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.figures.objective_by_evaluations import setting_of
from altfs.evaluation.names import OBJECTIVES
from altfs.evaluation.results import Results


@figures.add(place=124, per_size=True, needs=("solvers",), applies=names_solvers)
def overfitting_by_solver(results: Results, tables: Tables) -> Chart:
    """Draw the mean training and test objective of each search, and their distance."""
    rows = tables["solvers"]
    rows = rows[rows["measure"].isin(list(OBJECTIVES))]
    rows = rows.assign(part=rows["measure"].map(OBJECTIVES))
    parts = list(OBJECTIVES.values())
    base = alt.Chart().encode(
        x=alt.X("value:Q", title="Objective", scale=alt.Scale(zero=False)),
        y=alt.Y("search:N", title=None, sort=sorted(rows["search"].unique())),
    )
    points = base.mark_point(filled=True, size=40, opacity=1).encode(
        color=draw.colour("part", "", parts),
        shape=draw.by_shape("part", "", parts),
        tooltip=draw.tips("panel:N", "search:N", "part:N", "value:Q", "behind:Q"),
    )
    lines = base.mark_line(color="#999").encode(detail="search:N")
    shown = rows.assign(panel=setting_of(rows))
    return draw.captioned(
        draw.panels([lines, points], rows, setting_of, free_x=True),
        "Training and test objective by search",
        "The mean objective of the runs of each search, over the cases of a dataset and then over "
        "datasets.",
        seen=draw.described(shown, "search", "part", "value"),
    )
