"""Statuses of feature sets by setting."""

import pandas as pd

from altfs.evaluation.collect.results import SETTING, StudyResults
from altfs.study.catalogue import tables

STATUSES = ("optimal", "feasible", "infeasible", "unknown")


@tables.add("How many feature sets are proven best, found, proven not to exist, or open.", place=30)
def status(results: StudyResults) -> pd.DataFrame:
    """Count the feature sets of a setting by status, with shares.

    Counted per feature set: a simultaneous run of three sets counts three times.
    """
    table = shares(results.feature_sets, SETTING).rename(columns={"n": "n_sets"}).reset_index()
    table.insert(len(SETTING), "n_planned", results.planned(table, SETTING))
    return table


def shares(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return counts and shares of each status by groups."""
    if by:
        counts = rows.groupby([*by, "status"], observed=True).size().unstack(fill_value=0)
    else:
        counts = rows.groupby("status", observed=True).size().to_frame().T
    counts.columns = counts.columns.astype(str)
    counts = counts.reindex(columns=list(STATUSES), fill_value=0)
    counts.columns.name = None
    total = counts.sum(axis="columns")
    table = counts.add_prefix("n_")
    table.insert(0, "n", total)
    for status in STATUSES:
        table[f"share_{status}"] = counts[status] / total
    return table
