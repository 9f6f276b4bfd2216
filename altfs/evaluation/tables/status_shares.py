"""Shares of statuses at a glance."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from altfs.evaluation.collect.results import RUN_KEY, SETTING, StudyResults, text_columns_as_text
from altfs.evaluation.collect.roles import without_random
from altfs.evaluation.tables.status import shares
from altfs.study.catalogue import tables

# What a run is if its sets end in several ways: the last of these that occurs.
_WORST_LAST = ("optimal", "feasible", "unknown", "infeasible")


_GROUPINGS: dict[str, list[str]] = {
    "overall": [],
    "selector": ["selector"],
    "selector and search": ["selector", "search", "aggregation"],
    "search and alternatives": ["search", "aggregation", "n_alternatives"],
}


@tables.add("The same at a glance, per feature set and per search run.", place=40)
def status_shares(results: StudyResults) -> pd.DataFrame:
    """Return the shares at a glance, counted per feature set and per search run.

    A run is infeasible if one of its sets is, else unknown if one is, else
    feasible if one is, else optimal.
    """
    sets = results.feature_sets
    sought = results.once(without_random).feature_sets
    runs = search_runs(sets)
    sought_runs = search_runs(sought)
    ranked = sets[sets["aggregation"] == "none"]
    counted = [
        *((grouping, "feature set", sets if "search" in by else sought, by)
          for grouping, by in _GROUPINGS.items()),
        *((grouping, "search run", runs if "search" in by else sought_runs, by)
          for grouping, by in _GROUPINGS.items()),
        # In simultaneous search a set has no rank.
        ("alternative", "feature set", ranked, ["selector", "search", "n_features", "set_index"]),
        ("tau", "feature set", sets, ["selector", "search", "n_features", "tau"]),
        ("tau", "search run", runs, ["selector", "search", "n_features", "tau"]),
    ]  # fmt: skip
    parts = []
    for grouping, unit, rows, by in counted:
        table = shares(rows, by).reset_index(drop=not by)
        table.insert(len(by), "n_planned", _planned(results, table, by, unit))
        plain = text_columns_as_text(table)
        parts.append(plain.assign(grouping=grouping, counted=unit))
    joined = pd.concat(parts, ignore_index=True)
    keys = [c for c in SETTING if c in joined.columns]
    whole = [c for c in keys if c in ("n_features", "n_alternatives", "set_index")]
    # Where a column was not grouped by, it is empty.
    joined[whole] = joined[whole].astype("Int64")
    values = [c for c in joined.columns if c not in (*keys, "grouping", "counted")]
    return joined[["grouping", "counted", *keys, *values]]


def _planned(
    results: StudyResults, table: pd.DataFrame, by: list[str], unit: str
) -> npt.NDArray[np.int64] | int:
    """Count how many sets, or runs, each row of a table stands for in the complete study."""
    source = results if "search" in by else results.once(without_random)
    # A run in the place of its first set.
    kept = source.settings["set_index"].eq(0) if unit == "search run" else slice(None)
    part = replace(source, settings=source.settings[kept])
    return part.planned(table, by) if by else len(part.settings) * part.n_runs


def search_runs(sets: pd.DataFrame) -> pd.DataFrame:
    """Return a row per search run: its key and status."""
    order = pd.CategoricalDtype(list(_WORST_LAST), ordered=True)
    rank = sets["status"].astype(order).cat.codes
    worst = sets.assign(rank=rank).groupby(RUN_KEY, observed=True)["rank"].max().reset_index()
    return worst.assign(status=np.array(_WORST_LAST, dtype=object)[worst.pop("rank")])
