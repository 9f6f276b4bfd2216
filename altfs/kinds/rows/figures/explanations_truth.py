"""Relevant features in the explanations of single rows, where the truth of rows is known."""

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.results import Results
from altfs.kinds.rows.figures._explained import chosen_run, lines_of_methods, with_methods
from altfs.kinds.rows.kind import knows_truth_of_rows
from altfs.kinds.rows.truth import OF_ROWS

_TITLE = "Relevant features of single rows that are found"


@figures.add(place=148, needs=("truth",), applies=knows_truth_of_rows)
def explanations_truth(results: Results, tables: Tables) -> Chart:
    """Draw the share of a row's relevant features in explanations by rank, a line per method."""
    table = tables["truth"]
    table = table[table["sets"] == OF_ROWS]
    if table.empty:
        return draw.absent(_TITLE, "No row with a known truth is explained.")
    rows, words = chosen_run(table)
    columns = ["dataset", "method", "set_index", "recall", "wrong", "n"]
    data = with_methods(rows)[columns].reset_index(drop=True)
    layers = lines_of_methods(data, "recall", "Share of relevant features found", "wrong:Q", "n:Q")
    return draw.panelled(
        layers,
        data,
        draw.dataset_of,
        ("method", "set_index", "recall"),
        _TITLE,
        "Mean share of the features that made the class of a row which an explanation of the row "
        "names.",
        words,
        f"n = {draw.number_of(data['dataset'], 'dataset')} with known features of rows.",
    )
