"""Quality between random sets and original sets."""

import pandas as pd

from altfs.evaluation.collect.controls import missing_controls
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.figures._charts import Chart, Tables, lines_by_rank, panels_of, titled
from altfs.evaluation.figures._focus import longest_of
from altfs.evaluation.names import LATER, METRICS, OBJECTIVES, search_name, selector_name
from altfs.study.catalogue import figures

_NAMES = {**OBJECTIVES, **{f"test_{name}": f"Test {shown}" for name, shown in METRICS.items()}}


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
    rows = longest_of(rows[rows[f"{value}_median"].notna()])
    measured = [
        _NAMES.get(m, m) + (f", {model.replace('_', ' ')}" if model else "")
        for m, model in zip(rows["measure"], rows["model"], strict=True)
    ]
    order = list(dict.fromkeys(measured))

    def panel(own: pd.DataFrame, k: int, selector: str, search: str) -> Chart:
        title = f"{selector_name(selector)}, {search_name(search)}, k = {k}"
        return lines_by_rank(own, value, "measured", order, has_floor).properties(title=title)

    by = ["n_features", "selector", "search"]
    axis = "0 = random valid sets, 1 = original set" if has_floor else "divided by the original's"
    return titled(
        panels_of(rows.assign(measured=measured), by, panel, 3),
        "Quality between random sets and the original set, by number of alternative",
        f"Median over datasets of the mean over folds and τ ({axis}), with its 95 % interval.",
        LATER,
        "Datasets whose original sets are no better than random ones do not count."
        if has_floor
        else "",
        *missing_controls(results),
    )
