"""Stability over folds by number of alternative."""

import pandas as pd

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, lines_by_rank, panels_of, titled
from altfs.evaluation.figures._focus import longest_of
from altfs.evaluation.names import LATER, search_name, selector_name
from altfs.evaluation.tables import rows_of
from altfs.study.catalogue import figures


@figures.add(
    "How much later alternatives depend on the fold.", place=140, needs=("stability_overview",)
)
def stability_by_alternative(results: StudyResults, tables: Tables) -> Chart:
    """Draw Nogueira's stability over folds, by rank of the alternative."""
    rows = rows_of(tables, "stability_overview", measure="nogueira", sets="by rank")
    rows = longest_of(rows[rows["tau"].isna()])
    rows = rows.assign(method=rows["selector"].map(selector_name))
    order = list(dict.fromkeys(rows["method"]))

    def panel(own: pd.DataFrame, search: str, k: int) -> Chart:
        title = f"{search_name(search)}, k = {k}"
        return lines_by_rank(own, "", "method", order, False).properties(title=title)

    return titled(
        panels_of(rows, ["search", "n_features"], panel, 2),
        "Stability of feature sets over folds, by number of alternative",
        "Nogueira's measure: 1 = the same set in every fold, 0 = as drawn at random.",
        "Median over datasets and τ, with its 95 % interval over datasets.",
        LATER,
    )
