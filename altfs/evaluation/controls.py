"""Two controls: what drawing at random gives, and what the best set gives.

A quality alone says little: the floor is the mean over random valid feature sets
of the same size, the ceiling the original feature set, both of the same dataset,
fold, selector and size. Relative quality is 0 at the floor and 1 at the ceiling.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from altfs.evaluation.frames import SET_KEY, StudyResults
from altfs.evaluation.roles import CASE, is_random, originals, random_searches
from altfs.evaluation.summaries import Summaries, labelled, measures, stacked

#: The two controls, as columns.
CONTROLS = ("floor", "ceiling")

_KEYS = ["selector", "search", "aggregation", "n_features", "n_alternatives", "tau", "set_index"]
_STATISTICS = ("q25", "median", "q75", "median_low", "median_high")


def controls_of(results: StudyResults, rows: pd.DataFrame) -> pd.DataFrame:
    """Floor and ceiling of a measure.

    Parameters
    ----------
    results : StudyResults
    rows : DataFrame
        All feature sets of the study with their ``value``, those of random searches, too.

    Returns
    -------
    DataFrame
        By dataset, fold, selector and size: ``floor``, the mean over the sets of random
        searches, of all tau and numbers of alternatives (each of them is as random as
        the others); ``ceiling``, the value of the original set. NaN where there is none.
    """
    found = rows[rows["value"].notna()]
    drawn = found[is_random(results, found)]
    floor = drawn.groupby(CASE, observed=True)["value"].mean()
    # Most rows are of other ranks, and merging is slow.
    first = found[found["set_index"] == 0]
    best = first.merge(originals(results), on=SET_KEY).set_index(CASE)["value"]
    both = pd.concat([floor.rename("floor"), best.rename("ceiling")], axis=1)
    return both.astype(float)


def compared_with_controls(results: StudyResults, rows: pd.DataFrame) -> pd.DataFrame:
    """Feature sets of searches that look for good ones, with ``floor`` and ``ceiling``.

    Where the study has a control, sets for which it is missing do not count; a control
    that the study does not have is NaN.
    """
    limits = controls_of(results, rows)
    own = rows[rows["value"].notna() & ~is_random(results, rows)].join(limits, on=CASE)
    there = [c for c in CONTROLS if limits[c].notna().any()]
    return own.dropna(subset=there)


def relative_quality(value: Any, floor: Any, ceiling: Any) -> Any:
    """Quality between floor (0) and ceiling (1), and beyond them.

    Parameters
    ----------
    value, floor, ceiling : Series or ndarray of float

    Returns
    -------
    Series or ndarray of float
        NaN where the ceiling is not above the floor: there is nothing to lose.

    Examples
    --------
    >>> values = np.array([0.9, 0.9]), np.array([0.5, 0.9]), np.array([1.0, 0.9])
    >>> [round(float(x), 3) for x in relative_quality(*values)]
    [0.8, nan]
    """
    span = ceiling - floor
    # Means of equal numbers may differ in the last digits.
    least = 1e-9 * np.maximum(np.abs(ceiling), np.abs(floor))
    return (value - floor) / np.where(span > least, span, np.nan)


def controls_table(results: StudyResults, summaries: Summaries) -> pd.DataFrame:
    """Quality between the two controls, by setting, over datasets.

    Values, floors and ceilings are averaged over the sets of a dataset first: of
    few rows, a difference of two controls can be near 0 by chance. Sets of
    simultaneous runs have no rank, ``set_index`` is empty.
    """
    floor = ", ".join(random_searches(results))
    parts = []
    for measure, model, rows in measures(results):
        own = compared_with_controls(results, rows)
        own = own.assign(set_index=own["set_index"].where(own["aggregation"] == "none", -1))
        for keys in ([k for k in _KEYS if k != "tau"], _KEYS):
            table = _between(own, keys, summaries)
            table = labelled(table, measure=measure, model=model, floor=floor)
            if "tau" not in keys:
                table.insert(list(table.columns).index("set_index"), "tau", None)
            table["set_index"] = table["set_index"].astype("Int64").mask(table["set_index"] < 0)
            parts.append(table.astype({"tau": object}))
    return stacked(parts)


def _between(own: pd.DataFrame, keys: list[str], summaries: Summaries) -> pd.DataFrame:
    groups = own.groupby([*keys, "dataset"], observed=True)
    cells = groups[["value", "floor", "ceiling"]].mean()
    cells["n"] = groups.size()
    cells = cells.reset_index()
    value, floor, ceiling = (cells[c] for c in ("value", "floor", "ceiling"))
    cells["relative"] = relative_quality(value, floor, ceiling)
    cells["above_floor"], cells["below_ceiling"] = value - floor, ceiling - value
    cells["of_ceiling"] = value / ceiling.where(ceiling > 0)
    by = cells.groupby(keys, observed=True)
    table = pd.DataFrame({"n": by["n"].sum(), "n_datasets": by.size()})
    for name in ("value", "floor", "ceiling"):
        table[f"{name}_mean"] = by[name].mean()
    # Datasets whose best sets are no better than random ones.
    known = cells["floor"].notna() & cells["ceiling"].notna()
    table["n_without_span"] = (
        (known & cells["relative"].isna()).groupby([cells[k] for k in keys], observed=True).sum()
    )
    for name in ("relative", "above_floor", "below_ceiling", "of_ceiling"):
        own_columns = [f"{name}_{statistic}" for statistic in _STATISTICS]
        table = table.join(summaries.of(cells, keys, name, f"{name}_").reindex(columns=own_columns))
    return table


def missing_controls(results: StudyResults) -> list[str]:
    """What the study has no control from, in sentences for a figure or the notes."""
    said = []
    if not random_searches(results):
        said.append("The study has no search of type random, so there is no floor.")
    if originals(results).empty:
        said.append("The study has no sequential search, so there is no ceiling.")
    return said


def notes_table(results: StudyResults) -> pd.DataFrame:
    """What could not be computed; also which control is missing."""
    n_sets = len(results.feature_sets)
    rows = [
        {"column": "controls", "reason": reason, "shards": 0, "rows": n_sets}
        for reason in missing_controls(results)
    ]
    columns = ["column", "reason", "shards", "rows"]
    return pd.DataFrame([*results.notes.to_dict("records"), *rows], columns=columns)
