"""Shares of statuses, per feature set and per search run; random sets only in rows of a search."""

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import RUN_KEY, SETTING, Results, text_columns_as_text
from altfs.evaluation.stats.roles import without_random
from altfs.evaluation.stats.summaries import with_planned
from altfs.evaluation.tables.status import shares

# The status of a run is the last of these that one of its sets has.
_WORST_LAST = ("optimal", "feasible", "unknown", "infeasible")
_GROUPINGS: dict[str, list[str]] = {
    "overall": [],
    "selector": ["selector"],
    "selector and search": ["selector", "search", "aggregation"],
    "search and alternatives": ["search", "aggregation", "n_alternatives"],
}


@tables.add(place=40)
def status_shares(results: Results) -> pd.DataFrame:
    """Return the shares at a glance, counted per feature set and per search run.

    A run is infeasible if one of its sets is, else unknown if one is, else
    feasible if one is, else optimal.
    """
    without = results.once(without_random)
    sets, sought = results.sets, without.sets
    units = {"feature set": (sets, sought), "search run": (search_runs(sets), search_runs(sought))}
    setting = ["selector", "search", "n_features"]
    counted = [
        *((grouping, unit, by) for unit in units for grouping, by in _GROUPINGS.items()),
        ("alternative", "feature set", [*setting, "set_index"]),
        *(("tau", unit, [*setting, "tau"]) for unit in units),
    ]
    parts = []
    for grouping, unit, by in counted:
        every, not_random = units[unit]
        # Random sets count only in groups of one search.
        source, rows = (results, every) if "search" in by else (without, not_random)
        # In simultaneous search a set has no rank.
        rows = rows[rows["aggregation"] == "none"] if "set_index" in by else rows
        # The first set of a run stands for the run.
        first = source.settings[source.settings["set_index"] == 0]
        table = shares(rows, by).reset_index(drop=not by)
        table = with_planned(source, table, by, first if unit == "search run" else None)
        parts.append(text_columns_as_text(table).assign(grouping=grouping, counted=unit))
    joined = pd.concat(parts, ignore_index=True)
    keys = [c for c in SETTING if c in joined.columns]
    whole = [c for c in keys if c in ("n_features", "n_alternatives", "set_index")]
    # A column is empty in the rows of other groupings.
    joined[whole] = joined[whole].astype("Int64")
    values = [c for c in joined.columns if c not in (*keys, "grouping", "counted")]
    return joined[["grouping", "counted", *keys, *values]]


def search_runs(sets: pd.DataFrame) -> pd.DataFrame:
    """Return a row per search run: its key and status."""
    order = pd.CategoricalDtype(list(_WORST_LAST), ordered=True)
    rank = sets["status"].astype(order).cat.codes
    worst = sets.assign(rank=rank).groupby(RUN_KEY, observed=True)["rank"].max().reset_index()
    return worst.assign(status=np.array(_WORST_LAST, dtype=object)[worst.pop("rank")])
