"""The table of the first screen: what the first alternative keeps, by selector and threshold."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from altfs.evaluation.names import search_name, selector_name, size_name
from altfs.evaluation.report.phrases import share
from altfs.evaluation.results import rows_of_target
from altfs.evaluation.rules import enough
from altfs.evaluation.tables import Tables
from altfs.evaluation.tables.kept import widest

#: The share of the accent colour behind 100 %, in percent; text stays readable on it.
_DARKEST = 35


class Cell(NamedTuple):
    """A cell: its text, how many of the planned sets exist, and the percentage of its shade."""

    text: str
    found: str
    shade: int


class KeptTable(NamedTuple):
    """A table of cells with its caption, the heads of columns, and rows by their labels.

    A head is what differs, in words, and tau.
    """

    caption: str
    heads: list[tuple[str, str]]
    rows: dict[str, list[Cell]]


def kept_table(tables: Tables, sizes: Mapping[int, str]) -> list[KeptTable]:
    """Return what first alternatives keep, a table for classification and one for regression.

    Fewer than six datasets have a row each. More have a row per selector, of medians.
    """
    kinds = sorted(set(tables["kept"].get("target_type", [""]))) if "kept" in tables else []
    made = []
    for kind in kinds:
        own = {"kept": rows_of_target(kind, tables["kept"])}
        rows = widest(own, measure="train_objective", set_index=1)
        if len(rows):
            made.append(_table(str(kind), rows, size_name(rows["n_features"].iloc[0], sizes)))
    return made


def _table(kind: str, rows: pd.DataFrame, size: str) -> KeptTable:
    search, taus = rows["search"].iloc[0], sorted(rows["tau"].unique(), key=float)
    many = enough(rows["dataset"].nunique())
    found: dict[str, list[Cell]] = {}
    groups: Any = rows.groupby(["selector"] if many else ["selector", "dataset"], sort=False)
    for key, own in groups:
        name = ", ".join([selector_name(key[0]), *key[1:]])
        found[name] = [_cell(own[own["tau"] == tau], many) for tau in taus]
    over = "median over datasets" if many else "each dataset by itself"
    caption = (
        f"Training objective of the first alternative in % of the original's; {over}, mean over "
        f"folds, {size}, {search_name(str(search)).lower()} search. Columns: the features that "
        "differ at least. Below each value: runs that have the alternative."
    )
    heads = [(differing(rows[rows["tau"] == tau]), f"τ = {tau}") for tau in taus]
    return KeptTable(f"{kind.capitalize()}: {caption}" if kind else caption, heads, found)


def differing(rows: pd.DataFrame) -> str:
    """Say how many features of two sets differ at least; nothing of sets of several sizes."""
    k, overlap = rows["n_features"].iloc[0], rows["max_overlap"].iloc[0]
    return f"{k - int(overlap)} of {k}" if overlap == overlap else ""


def _cell(rows: pd.DataFrame, many: bool) -> Cell:
    known = rows["share"].dropna()
    there, planned = int(rows["n"].sum()), int(rows["n_planned"].sum())
    counted = f"{there} of {planned}"
    if not len(known):
        return Cell("none", counted, 0)
    if many and not enough(len(known)):
        return Cell(f"{len(known)} datasets", counted, 0)
    value = float(known.median())
    return Cell(share(value), counted, round(_DARKEST * min(max(value, 0), 1)))
