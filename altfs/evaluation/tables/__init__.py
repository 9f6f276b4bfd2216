"""Tidy tables of the feature sets and their quality, by all settings. One file each."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from altfs.catalogue import tables
from altfs.evaluation.results import Results, by_target, text_columns_as_text

Tables = Mapping[str, pd.DataFrame]


def make_table(name: str, results: Results) -> pd.DataFrame:
    """Make one table of the evaluation.

    The column ``target_type`` separates rows of classification and of regression datasets. In
    a study of one kind tables have no such column.

    Parameters
    ----------
    name : str
        A name of the catalogue; docs/tables.md describes the columns.
    results : Results
    """
    component = tables.get(name)
    parts = {"": results} if component.whole else results.once(by_target)
    by_kind = {kind: text_columns_as_text(p.once(component.make)) for kind, p in parts.items()}
    first = next(iter(by_kind.values()))
    if len(by_kind) == 1:
        return first
    filled = [table.assign(target_type=kind) for kind, table in by_kind.items() if len(table)]
    joined = pd.concat(filled or [first.assign(target_type="")], ignore_index=True)
    return joined[["target_type", *(c for c in joined.columns if c != "target_type")]]


def rows_of(tables: Tables, name: str, **values: Any) -> pd.DataFrame:
    """Return the rows of a table with these values; none without the table or a column."""
    table = tables.get(name)
    if table is None or not set(values) <= set(table.columns):
        return pd.DataFrame()
    for column, value in values.items():
        table = table[table[column] == value]
    return table
