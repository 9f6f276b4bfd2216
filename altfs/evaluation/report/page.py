"""The page: what the study says, shows and links, put into one document."""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import pandas as pd

import altfs
from altfs.evaluation.charts import COLOURS, METRICS, SELECTORS
from altfs.evaluation.report.answer import Answer
from altfs.evaluation.report.figure_parts import Drawing, figure_part, vega_bundle
from altfs.evaluation.report.packing import PackedSets, deflated
from altfs.evaluation.report.summary import Summary
from altfs.evaluation.report.table_parts import columns_of, facts_of, table_part
from altfs.evaluation.report.words import answers

# In the order in which they need one another.
_SCRIPTS = (
    "payload", "store", "statistics", "recipes", "one_dataset", "figures", "tables", "datasets",
    "main",
)  # fmt: skip


@dataclass(frozen=True)
class Content:
    """What a page is made of.

    Attributes
    ----------
    title : str
        The study's name.
    summary : Summary
        What was run.
    datasets : DataFrame
        A row per dataset.
    packed : PackedSets
        The feature sets.
    tables : mapping of str to DataFrame
    drawings : mapping of str to Drawing
        The figures by name.
    files : mapping of str to list of (str, str)
        Of each dataset: what can be downloaded, and from where (relative to the page).
    """

    title: str
    summary: Summary
    datasets: pd.DataFrame
    packed: PackedSets
    tables: Mapping[str, pd.DataFrame]
    drawings: Mapping[str, Drawing]
    files: Mapping[str, Sequence[tuple[str, str]]]


def make_page(content: Content) -> str:
    """Put a study on one page.

    Parameters
    ----------
    content : Content
        Tables and figures with any names: those without a caption are shown under
        their name.

    Returns
    -------
    str
        An HTML document that needs no other file, and a policy in it that
        forbids it to ask for one.
    """
    packed = content.packed
    bundle = vega_bundle()
    script = "(() => {\n'use strict';\n" + "".join(asset(f"{n}.js") for n in _SCRIPTS) + "})();\n"
    study = {
        **packed.header,
        "title": f"altfs: {content.title}",
        "names": SELECTORS,
        "metrics": METRICS,
        "colours": COLOURS,
        "facts": facts_of(content.datasets),
        "files": content.files,
    }
    payloads = {
        "vega": _deflated(bundle),
        **{f"sets:{name}": chunk for name, chunk in packed.chunks.items()},
        **{f"figure:{n}": _deflated(d.specification) for n, d in content.drawings.items()},
        **{f"table:{n}": _deflated(_json(columns_of(t))) for n, t in content.tables.items()},
    }
    summary = content.summary
    parts = {
        "POLICY": policy(script, bundle),
        "TITLE": html.escape(f"altfs: {content.title}"),
        "STYLE": asset("page.css"),
        "GAP": f'<p class="gap" role="note">{html.escape(summary.gap)}</p>' if summary.gap else "",
        "ANSWERS": _answers(answers(content.tables)),
        "SUMMARY": "".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
            for name, text in summary.facts.items()
        ),
        "DETAILS": "".join(_detail(name, lines) for name, lines in summary.details.items()),
        "FIGURES": "".join(figure_part(name, d) for name, d in content.drawings.items()),
        "SETS": html.escape(sets_in_page(packed.header)),
        "DATASETS": "".join(
            f'<li><a href="#dataset={html.escape(name)}">{html.escape(name)}</a></li>'
            for name in packed.chunks
        ),
        "TABLES": "".join(table_part(name, table) for name, table in content.tables.items()),
        "VERSION": altfs.__version__,
        "STUDY": _json(study),
        "PAYLOADS": "\n".join(
            f'<script type="application/octet-stream" data-payload="{html.escape(name)}">'
            f"{text}</script>"
            for name, text in payloads.items()
        ),
        "SCRIPT": script,
    }
    return re.sub(r"\{\{([A-Z]+)\}\}", lambda match: parts[match[1]], asset("page.html"))


def asset(name: str) -> str:
    """A file of the page."""
    return resources.files(__package__).joinpath("assets", name).read_text("utf-8")


def policy(*scripts: str) -> str:
    """A Content-Security-Policy: exactly these scripts run, and nothing is ever asked for.

    Styles may be inline, because Vega sets them on what it draws.
    """
    digests = " ".join(
        f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
        for text in scripts
    )
    return (
        f"default-src 'none'; script-src {digests}; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; base-uri 'none'"
    )


def sets_in_page(header: Mapping[str, Any]) -> str:
    """Which feature sets are in the page, in a sentence."""
    if header["features_of"] == "all":
        return "All feature sets of the study are in this page."
    return (
        f"The feature sets of fold {header['fold']} at k = {header['n_features']} are in this "
        "page; every other set is in the Parquet file that the dataset's view links."
    )


def _answers(found: Sequence[Answer]) -> str:
    if not found:
        return "<p>There is nothing to say yet.</p>"
    topics: dict[str, list[Answer]] = {}
    for answer in found:
        topics.setdefault(answer.topic, []).append(answer)
    return "".join(
        f'<h3>{html.escape(topic)}</h3><ul class="answers">'
        + "".join(
            f'<li>{html.escape(a.text)} <a href="#{html.escape(a.table)}">'
            f"Table {html.escape(a.table.replace('_', ' '))}</a></li>"
            for a in own
        )
        + "</ul>"
        for topic, own in topics.items()
    )


def _detail(name: str, lines: Sequence[str]) -> str:
    items = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in lines)
    return (
        f"<details><summary>{html.escape(name)} ({len(lines)})</summary><ul>{items}</ul></details>"
    )


def _deflated(text: str) -> str:
    return deflated(text.encode())


def _json(value: Any) -> str:
    """JSON that can stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
