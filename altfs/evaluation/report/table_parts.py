"""Tables of the page: the first rows as HTML, all of them as columns for the scripts."""

from __future__ import annotations

import html
from typing import Any

import pandas as pd

from altfs.evaluation.report.phrases import caption_of

# What is there without scripts and in print; scripts put all rows in their place.
_STATIC_ROWS = 20
# More rows than this are in the table's files alone.
MOST_ROWS = 20_000


def table_part(name: str, table: pd.DataFrame) -> str:
    """The section of a table.

    Parameters
    ----------
    name : str
        Also its anchor.
    table : DataFrame
    """
    label = html.escape(name.replace("_", " ").capitalize())
    anchor = html.escape(name)
    links = " · ".join(
        f'<a href="tables/{anchor}.{kind}" download aria-label="{label} as {words}">{words}</a>'
        for kind, words in (("csv", "CSV"), ("parquet", "Parquet"))
    )
    opening = (
        f'<section id="{anchor}" class="table" aria-labelledby="{anchor}-title">'
        f'<h3 id="{anchor}-title">{label}</h3><p>{html.escape(caption_of(name))} {links}</p>'
    )
    if table.empty:
        return f"{opening}<p>Nothing to report.</p></section>"
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{html.escape(str(c))}'
        "</button></th>"
        for c in table.columns
    )
    rows = "".join(
        "<tr>" + "".join(_cell(value) for value in row) + "</tr>"
        for row in table.head(_STATIC_ROWS).itertuples(index=False)
    )
    known = (
        f"<p>The first {MOST_ROWS} of {len(table)} rows; the files have all of them.</p>"
        if len(table) > MOST_ROWS
        else ""
    )
    return (
        f'{opening}{known}<p class="controls" hidden><label>Only rows with '
        f'<input type="search" aria-label="Filter {label}"></label> '
        f'<span class="count" role="status"></span></p>'
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        '<button class="more" type="button" hidden>Show more rows</button></section>'
    )


def columns_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Name, kind and values of each column, for JSON; six significant digits are kept."""
    first = table.head(MOST_ROWS)
    return [
        {
            "name": str(name),
            "numeric": bool(
                pd.api.types.is_numeric_dtype(first[name].dtype)
                and not pd.api.types.is_bool_dtype(first[name].dtype)
            ),
            "values": [_value(value) for value in first[name]],
        }
        for name in first.columns
    ]


def facts_of(datasets: pd.DataFrame) -> list[dict[str, Any]]:
    """What is known of each dataset, for JSON."""
    return [
        {str(name): _value(value) for name, value in row.items()}
        for row in datasets.to_dict("records")
    ]


def _value(value: Any) -> Any:
    if value is None or value is pd.NA or value != value:
        return None
    if isinstance(value, str | bool):
        return value
    if isinstance(value, float):
        # There is no infinity in JSON.
        return float(f"{value:.6g}") if abs(value) < float("inf") else str(value)
    try:
        return int(value)
    except (TypeError, ValueError):
        return str(value)


def _cell(value: Any) -> str:
    plain = _value(value)
    if plain is None:
        return "<td></td>"
    if isinstance(plain, float):
        return f'<td class="number">{plain:.4g}</td>'
    if isinstance(plain, int) and not isinstance(plain, bool):
        return f'<td class="number">{plain}</td>'
    return f"<td>{html.escape(str(plain))}</td>"
