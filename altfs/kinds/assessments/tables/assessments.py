"""Alternatives nearly as good as the best set, equivalent sets, and a sensitive attribute."""

from __future__ import annotations

import numpy as np
import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import SETTING, Results
from altfs.kinds.assessments.kind import has_assessments
from altfs.kinds.assessments.schema import ASSESSMENT_SCHEMA

_KEYS = ["dataset", *SETTING]
_MEDIANS = ["n_near", "n_near_alternatives", "n_equivalent"]
_TOLD = ["information", "parity", "odds"]
_MEANS = [
    *("equivalent", "tells_all", "price"),
    *(name for told in _TOLD for name in (told, f"chance_{told}")),
]
_COLUMNS = [*_KEYS, "n_folds", *_MEDIANS, *_MEANS]


@tables.add(place=199, applies=has_assessments)
def assessments(results: Results) -> pd.DataFrame:
    """Summarise the assessments of sets by their rank.

    Returns
    -------
    DataFrame
        A row per dataset, run and rank. ``n_folds`` folds were assessed. ``n_near``,
        ``n_near_alternatives`` and ``n_equivalent`` are medians over folds;
        of numbers that are only bounded they are the lower bounds. The others
        are means over the folds that have the set.
    """
    rows = results.more.get("assessed_sets", ASSESSMENT_SCHEMA.empty_table()).to_pandas()
    if rows.empty:
        return pd.DataFrame(columns=_COLUMNS)
    counts = {"near_at_least": "n_near", "alternatives_at_least": "n_near_alternatives"}
    rows = rows.rename(columns=counts)
    values = rows[_KEYS].assign(
        n_folds=rows["fold"], **{name: rows[name].astype(float) for name in [*_MEDIANS, *_MEANS]}
    )
    how = {
        "n_folds": "nunique",
        **dict.fromkeys(_MEDIANS, "median"),
        **dict.fromkeys(_MEANS, "mean"),
    }
    table: pd.DataFrame = values.groupby(_KEYS, sort=False, as_index=False, observed=True).agg(how)
    empty = [name for name in [*_MEDIANS, *_MEANS] if not np.isfinite(table[name]).any()]
    return table.drop(columns=empty)
