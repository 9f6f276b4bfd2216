"""The report: one HTML page that shows figures and tables, without a network."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

import pandas as pd

# More rows than this make a page slow; the table's file has all of them.
_MOST_ROWS = 200


def make_report(
    *,
    title: str,
    summary: Mapping[str, Any],
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, str],
    captions: Mapping[str, str],
) -> str:
    """Put a study on one page.

    Parameters
    ----------
    title : str
        The study's name.
    summary : mapping
        What was run, in the order in which it is shown.
    tables : mapping of str to DataFrame
    figures : mapping of str to str
        SVG documents by name.
    captions : mapping of str to str
        A sentence for each table and figure.

    Returns
    -------
    str
        An HTML document that needs no other file.
    """
    template = resources.files("altfs.evaluation").joinpath("report.html").read_text("utf-8")
    facts = "".join(
        f"<dt>{html.escape(str(k))}</dt><dd>{html.escape(str(v))}</dd>" for k, v in summary.items()
    )
    drawn = "".join(_figure(name, svg, captions[name]) for name, svg in figures.items())
    shown = "".join(_table(name, table, captions[name]) for name, table in tables.items())
    parts = {"TITLE": html.escape(title), "SUMMARY": facts, "FIGURES": drawn, "TABLES": shown}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)


def _figure(name: str, svg: str, caption: str) -> str:
    # Identifiers inside an SVG document are unique there, but not on a page.
    own = re.sub(r'(id="|url\(#|href="#)', lambda match: f"{match[1]}{name}-", svg)
    own = own.replace("<svg ", f'<svg role="img" aria-label="{html.escape(caption)}" ', 1)
    links = " · ".join(
        f'<a href="figures/{name}.{kind}" download>{kind.upper()}</a>' for kind in ("svg", "pdf")
    )
    return (
        f'<figure id="{name}"><div class="plot" tabindex="0">{own}</div>'
        f"<figcaption>{html.escape(caption)} {links}</figcaption></figure>"
    )


def _table(name: str, table: pd.DataFrame, caption: str) -> str:
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{html.escape(str(c))}'
        "</button></th>"
        for c in table.columns
    )
    rows = "".join(
        "<tr>" + "".join(_cell(value) for value in row) + "</tr>"
        for row in table.head(_MOST_ROWS).itertuples(index=False)
    )
    more = (
        f"<p>The first {_MOST_ROWS} of {len(table)} rows; the files have all of them.</p>"
        if len(table) > _MOST_ROWS
        else ""
    )
    if table.empty:
        more = "<p>Nothing to report.</p>"
    links = " · ".join(
        f'<a href="tables/{name}.{kind}" download>{label}</a>'
        for kind, label in (("csv", "CSV"), ("parquet", "Parquet"))
    )
    return (
        f'<section id="{name}"><h3>{html.escape(name.replace("_", " ").capitalize())}</h3>'
        f"<p>{html.escape(caption)} {links}</p>{more}"
        f'<div class="wide" tabindex="0" role="region" aria-label="{html.escape(name)}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _cell(value: Any) -> str:
    if value is None or value is pd.NA or value != value:
        return '<td class="number" data-value=""></td>'
    if isinstance(value, float):
        return f'<td class="number" data-value="{float(value)!r}">{value:.4g}</td>'
    if isinstance(value, int):
        return f'<td class="number" data-value="{value}">{value}</td>'
    return f"<td>{html.escape(str(value))}</td>"
