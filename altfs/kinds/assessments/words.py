"""Assessments in sentences of at most twenty words, for the report."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd


def sentences(table: pd.DataFrame) -> Iterator[str]:
    """Yield what the table of assessments says of original sets and of alternatives.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": "d", "set_index": [0, 1], "n_near": [5.0, 5.0],
    ...                       "n_rivals": [2.0, 2.0]})
    >>> [*sentences(table)]
    ['Sets nearly as good as the best: 5; of these, 2 are alternatives (1 dataset).']
    """
    originals = table[table["set_index"] == 0]
    some = _with(originals, "n_near")
    if len(some):
        rivals = ""
        if "n_rivals" in some and some["n_rivals"].notna().any():
            rivals = f"; of these, {_range(some['n_rivals'])} are alternatives"
        yield f"Sets nearly as good as the best: {_range(some['n_near'])}{rivals} ({_of(some)})."
    some = _with(table[table["set_index"] > 0], "equivalent")
    if len(some):
        share, all_told = some["equivalent"].mean(), _mean(some, "tells_all")
        yield (
            f"Of the alternatives, {share:.0%} are statistically equivalent sets, and "
            f"{all_told:.0%} tell as much ({_of(some)})."
        )
    some = _with(originals, "price")
    if len(some):
        yield f"Original sets pay {_range(some['price'], '.2g')} for wishes ({_of(some)})."
    some = _with(originals, "information")
    if len(some):
        bits = _range(some["information"], ".2f")
        parity = f"; parity {_range(some['parity'], '.2f')}" if "parity" in some else ""
        yield f"Original sets tell {bits} bits about the sensitive attribute{parity} ({_of(some)})."


def _with(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows that have a value of a column; none without the column."""
    known: pd.DataFrame = rows[rows[name].notna()] if name in rows else rows.iloc[:0]
    return known


def _mean(rows: pd.DataFrame, name: str) -> float:
    return float(rows[name].mean()) if name in rows and rows[name].notna().any() else 0.0


def _range(values: pd.Series[float], form: str = ",.0f") -> str:
    low, high = format(values.min(), form), format(values.max(), form)
    return low if low == high else f"{low} to {high}"


def _of(rows: pd.DataFrame) -> str:
    n = rows["dataset"].nunique()
    return f"{n} dataset{'s' * (n != 1)}"
