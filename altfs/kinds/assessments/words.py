"""Assessments in sentences of at most twenty words, for the report."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd


def sentences(table: pd.DataFrame) -> Iterator[str]:
    """Yield what the table of assessments says of original sets and of alternatives.

    Examples
    --------
    >>> table = pd.DataFrame({"dataset": "d", "set_index": [0, 1], "n_near": [5.0, 5.0],
    ...                       "n_near_alternatives": [2.0, 2.0]})
    >>> [*sentences(table)]
    ['At least 5 sets are nearly best, 2 of them alternatives (1 dataset).']
    """
    originals = table[table["set_index"] == 0]
    some = _with(originals, "n_near")
    if len(some):
        of_them, near = _with(some, "n_near_alternatives"), ""
        if len(of_them):
            near = f", {_range(of_them['n_near_alternatives'])} of them alternatives"
        yield f"At least {_range(some['n_near'])} sets are nearly best{near} ({_of(some)})."
    some = _with(table[table["set_index"] > 0], "equivalent")
    # Where no feature passes the tests, there is nothing to be equivalent to.
    some = some[some["n_equivalent"] > 0] if len(some) else some
    if len(some):
        share = some["equivalent"].mean()
        yield f"Of the alternatives, {share:.0%} are statistically equivalent sets ({_of(some)})."
    some = _with(originals, "price")
    if len(some):
        yield f"Original sets pay {_range(some['price'], '.2g')} for wishes ({_of(some)})."
    some = _with(originals, "information")
    if len(some):
        bits, chance = (_range(some[name], ".2f") for name in ("information", "chance_information"))
        yield f"Originals have {bits} bits about the attribute, {chance} by chance ({_of(some)})."
        if "parity" in some:
            parity, chance = (_range(some[name], ".2f") for name in ("parity", "chance_parity"))
            yield f"Parity between its groups is {parity}, {chance} by chance ({_of(some)})."


def _with(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the rows that have a value of a column; none without the column."""
    known: pd.DataFrame = rows[rows[name].notna()] if name in rows else rows.iloc[:0]
    return known


def _range(values: pd.Series[float], form: str = ",.1f") -> str:
    low, high = (format(end, form).removesuffix(".0") for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def _of(rows: pd.DataFrame) -> str:
    n = rows["dataset"].nunique()
    return f"{n} dataset{'s' * (n != 1)}"
