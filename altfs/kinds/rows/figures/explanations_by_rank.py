"""Share and sufficiency of explanations of single rows by their rank."""

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables
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
        ["dataset", "method", "set_index", "n"], [*_MEASURES], "measure", "value"
    )
    data = long[long["value"].notna()].reset_index(drop=True)
    low = min(0.0, float(data["value"].min())) if len(data) else 0.0
    return draw.captioned(
        draw.panels(
            lines_of_methods(data, "value", "Share of rows or attribution", "n:Q", scale=(low, 1)),
            data,
            _panel,
        ),
        _TITLE,
        "Mean share of a row's attribution that an explanation has; and the share of rows for "
        "which it is sufficient, as the model predicts the same from it alone (of numbers, R² of "
        "what it says from it alone).",
        words,
        f"n = {int(rows.groupby(['dataset', 'selector'])['n_rows'].first().max())} rows or fewer "
        f"of {draw.number_of(data['dataset'], 'dataset')}.",
        seen=draw.described(data.assign(panel=_panel(data)), "method", "set_index", "value"),
    )


def _panel(rows: pd.DataFrame) -> pd.Series:
    return rows["dataset"] + ", " + rows["measure"].map(_MEASURES)
