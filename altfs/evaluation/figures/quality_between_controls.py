"""Quality between random sets and original sets."""

from typing import Any

from altfs.evaluation.collect.controls import missing_controls
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, lines_by_rank, panels, titled
from altfs.evaluation.figures._focus import longest_of
from altfs.evaluation.names import LATER, search_name, selector_name
from altfs.study.catalogue import figures

_NAMES = {
    "train_objective": "Training objective",
    "test_objective": "Test objective",
    "test_mcc": "Test MCC",
    "test_r2": "Test R²",
}


@figures.add(
    "How far alternatives fall from the original set towards random ones.",
    place=130,
    needs=("controls",),
)
def quality_between_controls(results: StudyResults, tables: Tables) -> Chart:
    """Draw quality relative to random sets and to the original set, by rank."""
    table = tables["controls"]
    has_floor = bool(table["relative_median"].notna().any()) if len(table) else False
    value = "relative" if has_floor else "of_ceiling"
    rows = table[table["tau"].isna() & table["set_index"].notna()]
    rows = rows[rows[f"{value}_median"].notna()]
    rows = longest_of(rows)
    rows = rows.assign(
        measured=[
            _NAMES.get(m, m) + (f", {model.replace('_', ' ')}" if model else "")
            for m, model in zip(rows["measure"], rows["model"], strict=True)
        ]
    )
    order = list(dict.fromkeys(rows["measured"]))
    parts: Any = rows.groupby(["n_features", "selector", "search"], sort=False)
    charts = []
    for (k, selector, search), part in parts:
        title = f"{selector_name(selector)}, {search_name(search)}, k = {k}"
        charts.append(
            lines_by_rank(part, value, "measured", order, has_floor).properties(title=title)
        )
    axis = "0 = random valid sets, 1 = original set" if has_floor else "divided by the original's"
    return titled(
        panels(charts, 3),
        "Quality between random sets and the original set, by number of alternative",
        f"Median over datasets of the mean over folds and τ ({axis}), with its 95 % interval.",
        LATER,
        "Datasets whose original sets are no better than random ones do not count."
        if has_floor
        else "",
        *missing_controls(results),
    )
