"""Quality between random sets and original sets."""

from typing import Any

import pandas as pd

from altfs.catalogue import figures
from altfs.evaluation.figures import _charts as draw
from altfs.evaluation.figures._charts import Chart, Tables
from altfs.evaluation.figures._focus import longest_of, search_names
from altfs.evaluation.names import LATER, METRICS, OBJECTIVES, selector_name, size_name
from altfs.evaluation.results import Results, by_dataset
from altfs.evaluation.rules import enough, whole_population
from altfs.evaluation.stats.controls import missing_controls
from altfs.evaluation.tables.controls import controls

_NAMES = {**OBJECTIVES, **{f"test_{name}": f"Test {shown}" for name, shown in METRICS.items()}}
_TITLE = "Quality between random sets and the original set, by number of alternative"
_LINE = ["dataset", "selector", "search", "n_features", "measured"]


@figures.add(place=4, per_size=True, needs=("controls",))
def quality_between_controls(results: Results, tables: Tables) -> Chart:
    """Draw quality relative to random sets and to the original set, by rank."""
    table = tables["controls"].assign(dataset="")
    if not enough(results.sets["dataset"].nunique()):
        parts = by_dataset(results).items()
        frames = [controls(part).assign(dataset=name) for name, part in parts]
        table = pd.concat(frames, ignore_index=True)
    has_floor = bool(table["relative_median"].notna().any()) if len(table) else False
    value = "relative" if has_floor else "of_ceiling"
    rows = table[table["tau"].isna() & table["set_index"].notna()]
    rows = rows[rows[f"{value}_median"].notna()]
    if rows.empty or not has_floor:
        words = missing_controls(results) or ["No original set is better than random ones."]
        return draw.absent(_TITLE, " ".join(words))
    rows = longest_of(rows)
    measured = [
        _NAMES.get(m, m) + (f", {model.replace('_', ' ')}" if model else "")
        for m, model in zip(rows["measure"], rows["model"], strict=True)
    ]
    rows = rows.assign(
        measured=measured, run=search_names(rows), set_index=rows["set_index"].astype(int)
    )
    rows = rows.assign(same=whole_population(rows, _LINE))

    searches = list(rows["run"].unique())
    several = len(searches) > 1

    def label(part: pd.DataFrame) -> Any:
        words = [
            ", ".join([selector_name(s), *([run] if several else []), size_name(k, results.sizes)])
            for s, run, k in part[["selector", "run", "n_features"]].itertuples(index=False)
        ]
        return draw.apart(pd.Series(words, part.index), part["dataset"])

    axis = "0 = random valid sets, 1 = original set" if has_floor else "divided by the original's"
    title = "Relative quality" if has_floor else "Quality / original's"
    kept = [*_LINE, "run", "set_index", "n", "n_datasets", "same",
            *(f"{value}_{s}" for s in ("median", "median_low", "median_high"))]  # fmt: skip
    many = enough(rows["n_datasets"].max())
    of = "Median over datasets, with its 95 % interval," if many else "Each dataset by itself,"
    lines = draw.lines_by_rank(rows, value, "measured", title, has_floor)
    return draw.captioned(
        draw.panels(lines, rows[kept], label),
        _TITLE,
        f"{', '.join(searches)} search. {of} of means over folds and τ ({axis}).",
        LATER,
        "Datasets whose original sets are no better than random ones do not count."
        if has_floor
        else "",
        f"n = {rows['n_datasets'].max() if many else rows['dataset'].nunique()} datasets.",
        *missing_controls(results),
        seen=draw.described(
            rows.assign(panel=label(rows)), "measured", "set_index", f"{value}_median"
        ),
    )
