"""Tidy tables: what the feature sets are worth, by everything that was varied. One file each."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from altfs.evaluation.collect.kinds import split
from altfs.evaluation.collect.results import StudyResults, text_columns_as_text
from altfs.study.catalogue import tables

Tables = Mapping[str, pd.DataFrame]


def make_table(name: str, results: StudyResults) -> pd.DataFrame:
    """Make one table of the evaluation.

    Rows of classification and of regression datasets are below one another, told apart by
    ``target_type``. In a study of one kind tables have no such column.

    Parameters
    ----------
    name : str
        Of the catalogue; docs/tables.md describes the columns.
    results : StudyResults
    """
    component = tables.get(name)
    parts = {"": results} if component.whole else results.once(split)
    made = {kind: text_columns_as_text(component.make(part)) for kind, part in parts.items()}
    first = next(iter(made.values()))
    if len(made) == 1:
        return first
    filled = [table.assign(target_type=kind) for kind, table in made.items() if len(table)]
    if not filled:
        return first
    joined = pd.concat(filled, ignore_index=True)
    return joined[["target_type", *(c for c in joined.columns if c != "target_type")]]


def make_tables(results: StudyResults) -> dict[str, pd.DataFrame]:
    """Make all tables of the evaluation, in the order of the report."""
    return {name: make_table(name, results) for name in tables.order()}


def rows_of(tables: Tables, name: str, **wanted: Any) -> pd.DataFrame:
    """Return the rows of a table with these values; none if there is no such table or column."""
    table = tables.get(name)
    if table is None or not set(wanted) <= set(table.columns):
        return pd.DataFrame()
    for column, value in wanted.items():
        table = table[table[column] == value]
    return table
