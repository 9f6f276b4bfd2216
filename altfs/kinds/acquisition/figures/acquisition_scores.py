"""Accuracy and MCC against what a row costs on average, a line per method."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.acquisition.kind import has_acquisition

_TITLE = "Scores of measured rows against their cost"
_MEASURES = {"accuracy": "accuracy", "mcc": "MCC"}


@figures.add(place=163, needs=("acquisition",), applies=has_acquisition)
def acquisition_scores(results: Results, tables: Tables) -> Chart:
    """Draw scores against mean cost; a point is a limit."""
    table = tables["acquisition"]
    rows = table[table["limit"] != "mean"]
    if rows.empty:
        return draw.absent(_TITLE, "No row is measured.")
    keys = ["dataset", "method", "mode", "limit", "cost"]
    data = rows.melt(keys, [*_MEASURES], "measure", "value").sort_values("cost", kind="stable")
    order = list(dict.fromkeys(rows["method"]))
    base = alt.Chart().encode(
        x=alt.X("cost:Q", title="Mean cost of a row"),
        y=alt.Y("value:Q", title="Score", scale=alt.Scale(zero=False)),
        color=draw.colour("method", "", order),
        tooltip=draw.tips("panel:N", "method:N", "limit:N", "cost:Q", "value:Q"),
    )
    points = base.mark_point(filled=True, size=36, opacity=1)
    layers = [
        base.mark_line(strokeWidth=1.5).encode(detail="mode:N"),
        points.encode(shape=draw.by_shape("method", "", order)),
    ]
    return draw.panelled(
        layers, data, lambda rows: rows["dataset"] + ", " + rows["measure"].map(_MEASURES),
        ("method", "cost", "value"), _TITLE,
        "Rows of test parts, whose values are measured one by one. A point is a budget or a "
        "price: the mean cost of a row that it leads to, and the score of the answers.",
        f"n = {int(rows['n'].max())} rows or fewer of each dataset.",
        free_x=True,
    )  # fmt: skip
