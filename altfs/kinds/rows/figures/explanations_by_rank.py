"""Share and sufficiency of explanations of single rows by their rank."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables, alt
from altfs.evaluation.results import Results
from altfs.kinds.rows.figures._explained import (
    NOTHING_EXPLAINED,
    chosen_run,
    lines_of_methods,
    with_methods,
)
from altfs.kinds.rows.kind import has_explanations

_TITLE = "Explanations of single rows by rank"
_MEASURES = {"share": "share of the attribution", "sufficient": "sufficient", "r2": "R² alone"}


@figures.add(place=145, needs=("explanations",), applies=has_explanations)
def explanations_by_rank(results: Results, tables: Tables) -> Chart:
    """Draw share and sufficiency by rank, a line per method."""
    table = tables["explanations"]
    if table.empty:
        return draw.absent(_TITLE, NOTHING_EXPLAINED)
    rows, words = chosen_run(table)
    long = with_methods(rows).melt(
        ["dataset", "method", "set_index", "n", "same_without"], [*_MEASURES], "measure", "value"
    )
    data = long[long["value"].notna()].reset_index(drop=True)
    data["largest"] = (1 - data.pop("same_without")).where(data["measure"] == "sufficient")
    low = min(0.0, float(data["value"].min())) if len(data) else 0.0
    largest = alt.Chart().mark_line(color="#767676", strokeDash=[4, 3])
    layers = [
        *lines_of_methods(data, "value", "Share of rows or attribution", "largest:Q", "n:Q",
                          scale=(low, 1)),
        largest.encode(x=draw.rank_axis(), y="largest:Q", detail="method:N"),
    ]  # fmt: skip
    return draw.panelled(
        layers,
        data,
        _panel,
        ("method", "set_index", "value"),
        _TITLE,
        "Mean share of a row's attribution that an explanation has; and the share of explained "
        "rows for which it is sufficient: the model predicts the class from it alone, and not "
        "without any feature. Dashed: the rows that are not predicted without any feature. Of "
        "numbers it is the R² of what the model says from it alone.",
        words,
        f"n = {int(rows.groupby(['dataset', 'selector'])['n_rows'].first().max())} rows or fewer "
        f"of {draw.number_of(data['dataset'], 'dataset')}.",
    )


def _panel(rows: pd.DataFrame) -> pd.Series:
    return rows["dataset"] + ", " + rows["measure"].map(_MEASURES)
