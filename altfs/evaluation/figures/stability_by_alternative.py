"""Stability over folds by number of alternative."""

from typing import Any

from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, lines_by_rank, panels, titled
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
    parts: Any = rows.groupby(["search", "n_features"], sort=False)
    charts = [
        lines_by_rank(part, "", "method", order, False).properties(
            title=f"{search_name(search)}, k = {k}"
        )
        for (search, k), part in parts
    ]
    return titled(
        panels(charts, 2),
        "Stability of feature sets over folds, by number of alternative",
        "Nogueira's measure: 1 = the same set in every fold, 0 = as drawn at random.",
        "Median over datasets and τ, with its 95 % interval over datasets.",
        LATER,
    )
