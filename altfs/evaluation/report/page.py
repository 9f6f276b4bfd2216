"""The page: answers, facts, figures, datasets and tables of a study in one document."""

import hashlib
import json
import math
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup, escape

import altfs
from altfs.catalogue import figures, tables
from altfs.evaluation.names import (
    METRICS,
    SELECTORS,
    in_words,
    selector_name,
    tau_in_words,
    value_in_words,
)
from altfs.evaluation.report.columns import LEFT_TO_FILES, Column, described
from altfs.evaluation.report.files import asset
from altfs.evaluation.report.glossary import Glossary
from altfs.evaluation.report.members import features_of_datasets
from altfs.evaluation.report.overview import View
from altfs.evaluation.report.packing import PACKINGS, PackedSets, all_deflated, packed_within
from altfs.evaluation.report.summary import Summary
from altfs.evaluation.results import Results
from altfs.evaluation.rules import enough
from altfs.evaluation.tables.overview import OBJECTIVE

# A script needs those before it.
_SCRIPTS = ("payload", "store", "overview", "figures", "tables", "datasets", "main")

# The number of figures, and the tables, that are shown at once; the others are behind an index.
_FIGURES, _TABLES = 5, ("overview", "gaps", "pairwise")

# A wider table leaves more columns to its files.
_MOST_COLUMNS = 16
_OF_ENDS = "In brackets: the 95 % interval. In parentheses: the smallest and the largest value."
# Columns of the setting of a row.
_SETTINGS = ("n_features", "n_alternatives", "tau", "set_index", "max_overlap", "n_total")

# The number of rows without scripts and in print; scripts replace them by all rows.
_STATIC_ROWS = 12
MOST_BYTES = 5_000_000  # Of a page, if fewer feature sets in it are enough for that.
_LABELS = {"gaps": "Why sets do not exist", "missing": "Missing files"}
# The largest number of rows of a table in the page; further rows are only in its files.
MOST_ROWS = 20_000


class Drawing(NamedTuple):
    """A figure as SVG, and its Vega-Lite specification as JSON."""

    svg: str
    specification: str


@dataclass(frozen=True)
class Content:
    """The parts of a page."""

    title: str  # The study's name.
    summary: Summary  # The facts of the study.
    datasets: pd.DataFrame  # A row per dataset.
    packed: PackedSets  # The feature sets.
    tables: Mapping[str, pd.DataFrame]
    drawings: Mapping[str, Drawing]  # The figures by name.
    #: The downloads of each dataset: a text, and a path relative to the page.
    files: Mapping[str, Sequence[tuple[str, str]]]
    sizes: Mapping[int, str] = field(default_factory=dict)  # The configured entry of each.
    views: Sequence[View] = ()  # The tables of the first screen, those of single datasets too.
    #: Further tables of the first screen, with what they say.
    first_tables: Mapping[str, str] = field(default_factory=dict)
    methods: str = ""  # A paragraph of a paper.
    citation: str = ""  # BibTeX entries.


class Parts(NamedTuple):
    """Texts that a page inflates, by name, and its tables and figures for the template."""

    encoded: Mapping[str, str]
    tables: Mapping[str, dict[str, Any]]
    figures: Sequence[dict[str, str]]


def parts_of(content: Content) -> Parts:
    """Return the parts of a page that do not depend on its feature sets."""
    shown = {name: _in_page(name, table) for name, table in content.tables.items()}
    drawn = {f"figure:{n}": d.specification for n, d in content.drawings.items()}
    tabled = {f"table:{n}": _json(_columns(one)) for n, one in shown.items()}
    explain = _glossary(content).explain
    module: Any = _templates().get_template("views.html").module
    part = module.view_part
    viewed: dict[str, str] = {}
    for view in content.views:
        if not view.ready:
            name = f"views:{view.dataset}"
            viewed[name] = viewed.get(name, "") + str(part(view, True, explain)).strip()
    texts = {"vega": vega_bundle(), **drawn, **tabled, **viewed}
    said = content.first_tables
    return Parts(
        all_deflated({name: text.encode() for name, text in texts.items()}),
        {n: {**_table(n, one), "said": said.get(n, "")} for n, one in shown.items()},
        [figure_part(name, drawing) for name, drawing in content.drawings.items()],
    )


def make_page(content: Content, parts: Parts | None = None) -> str:
    """Return a study as an HTML document that needs no other file.

    A policy in the page forbids requests. A table or figure without a caption has its name.
    `parts` are those of :func:`parts_of`, for several pages of the same tables and figures.
    """
    packed, parts = content.packed, parts or parts_of(content)
    bundle = vega_bundle()
    # The table that a dataset has at first.
    said = {view.dataset: view for view in reversed(content.views) if view.answers}
    script = "(() => {\n'use strict';\n" + "".join(asset(f"{n}.js") for n in _SCRIPTS) + "})();\n"
    study = {
        **packed.header,
        "title": f"altfs: {content.title}",
        "names": SELECTORS,
        "metrics": METRICS,
        "best": {name: view.answers[0].selector for name, view in said.items()},
        "advised": {n: view.answers[-1].key.removeprefix("Up to ") for n, view in said.items()},
        "facts": facts_of(content.datasets),
        "files": content.files,
        "views": [view.key.split("|") for view in content.views],
    }
    payloads = {
        **parts.encoded,
        **{f"sets:{name}": chunk for name, chunk in packed.chunks.items()},
    }
    glossary = _glossary(content)
    names = [*_TABLES, *content.first_tables]
    template = _templates().get_template("page.html")
    page: str = template.render(
        policy=Markup(policy(script, bundle)),
        title=content.title,
        style=Markup(asset("page.css")),
        summary=content.summary,
        views=[view for view in content.views if view.ready],
        features=features_of_datasets(content.tables, content.sizes),
        first_tables=[parts.tables[name] for name in content.first_tables],
        figures=parts.figures[:_FIGURES], more_figures=parts.figures[_FIGURES:],
        terms=glossary.terms, explain=glossary.explain, methods=content.methods,
        citation=content.citation,
        sets=packed.header,
        datasets=study["facts"], said=said,
        tables=[parts.tables[name] for name in _TABLES if name in parts.tables],
        more_tables=[one for name, one in parts.tables.items() if name not in names],
        version=altfs.__version__,
        study=Markup(_json(study)),
        payloads=payloads, script=Markup(script),
    )  # fmt: skip
    return page


def _glossary(content: Content) -> Glossary:
    headers = content.packed.header["datasets"].values()
    scored = {METRICS.get(chunk["metric"], "") for chunk in headers}
    return Glossary(content.summary.selectors, scored)


@cache
def _templates() -> jinja2.Environment:
    # Texts of the study are escaped; scripts, styles and drawings are not.
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(asset), autoescape=True, undefined=jinja2.StrictUndefined
    )


def page_within(content: Content, results: Results, most_bytes: int = MOST_BYTES) -> str:
    """Return the page with as many of the feature sets of `results` as its size allows.

    `content` has the fewest sets. A page with these may still be larger.
    """
    parts = parts_of(content)
    page = make_page(content, parts)
    room = most_bytes - len(page.encode()) + content.packed.n_bytes()
    for packing in PACKINGS[:-1]:
        packed = packed_within(results, packing, room)
        if packed is not None:
            return make_page(replace(content, packed=packed), parts)
    return page


def figure_part(name: str, drawing: Drawing) -> dict[str, str]:
    """Return the parts of a figure for the template; scripts replace the SVG document."""
    # Identifiers of an SVG document are unique in it, but not on a page.
    own = re.sub(r'(id="|url\(#|href="#)', lambda match: f"{match[1]}{name}-", drawing.svg)
    # The parts of an image are not read out, and nothing asks for their classes. These, default
    # values, and digits that no screen shows are most of the text.
    own = re.sub(r' (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"', "", own)
    own = re.sub(r' opacity="1"', "", own)
    numbers = re.compile(r"(\.\d\d)\d+")
    own = re.sub(r' (?:transform|d|x2|y2)="[^"]*"', lambda one: numbers.sub(r"\1", one[0]), own)
    words = json.loads(drawing.specification).get("usermeta", {})
    caption = "\n".join(words.get("notes", ())) or caption_of(name)
    seen = words.get("seen") or caption
    own = own.replace("<svg ", f'<svg role="img" aria-label="{escape(seen)}" ', 1)
    title = words.get("title", caption_of(name))
    said = _with_links(caption)
    finding = words.get("finding", "")
    return {"name": name, "title": title, "caption": said, "seen": seen, "svg": Markup(own),
            "finding": finding}  # fmt: skip


def caption_of(name: str) -> str:
    """Return the sentence of a table or figure; its name if it is not in a catalogue."""
    for catalogue in (tables, figures):
        if name in catalogue.names():
            return catalogue.get(name).caption
    return in_words(name)


def _with_links(caption: str) -> Markup:
    """Return a caption as HTML, with a link to each table that it names.

    >>> print(_with_links("<b> is in tables/b.parquet."))
    &lt;b&gt; is in <a href="tables/b.parquet" download>tables/b.parquet</a>.
    """
    link = r'<a href="\g<0>" download>\g<0></a>'
    return Markup(re.sub(r"tables/\w+\.parquet", link, str(escape(caption))))


@cache
def start_bundle() -> subprocess.Popen[str]:
    """Start to join Vega, Vega-Lite and vega-embed, in a process of its own.

    The converter holds Python's lock for a second.
    """
    join = "sys.stdout.write(vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;'))"
    command = [sys.executable, "-X", "utf8", "-c", f"import sys, vl_convert; {join}"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")


@cache
def vega_bundle() -> str:
    """Return Vega, Vega-Lite and vega-embed of vl-convert as one script without requests."""
    bundle, _ = start_bundle().communicate()
    if not bundle:
        raise RuntimeError("vl-convert does not join Vega's scripts, install its package again.")
    # The function hides its other names from the page's scripts.
    return f"(() => {{\n{bundle}\n}})();\n"


class _Shown(NamedTuple):
    """A table as the page has it, its columns, those that are told above it, and those left out."""

    table: pd.DataFrame
    columns: list[Column]
    same: list[str]
    further: list[str]


def _table(name: str, shown: _Shown) -> dict[str, Any]:
    """Return the parts of a table for the template, with its first rows as text."""
    table, columns, same, further = shown
    kept = [column for column in columns if column.name not in same]
    texts = [_texts(column, table.head(_STATIC_ROWS)) for column in kept]
    told = [(c.heading, _texts(c, table.head(1))[0][1]) for c in columns if c.name in same]
    return {
        "name": name,
        "label": _LABELS.get(name, name.replace("_", " ").capitalize()),
        "caption": caption_of(name),
        "columns": kept,
        "further": further,
        "same": [(heading, text) for heading, text in told if text not in ("", "0")],
        "rows": [*zip(*texts, strict=True)],
        "numeric": {*table.select_dtypes("number")},
        "n": len(table),
        "most": MOST_ROWS,
    }


def _columns(shown: _Shown) -> list[dict[str, Any]]:
    """Return name, heading, meaning, kind and values of each column, for JSON, with six digits.

    A column that is the same in all rows is told above the table. Intervals have their ends.
    """
    table, columns, same, _ = shown
    numeric, rows = table.select_dtypes("number").columns, table.head(MOST_ROWS)
    return [
        {"name": one.name, "heading": one.heading, "meaning": one.meaning, "same": one.name in same,
         "numeric": one.name in numeric, "values": _values(rows[one.name]),
         "ends": [_values(rows[end]) for end in _ends(one, rows)]}
        for one in columns
    ]  # fmt: skip


def _in_page(name: str, table: pd.DataFrame) -> _Shown:
    """Choose what the page has of a table; other columns are only in its files.

    Thresholds are texts in files, and numbers here. An interval has one column.
    """
    if "tau" in table:
        table = table.assign(tau=table["tau"].map(tau_in_words, "ignore").astype(float))
    if name == "gaps":
        table = _joined(table)
    if name == "overview":
        table = table.assign(measure=table["measure"].replace(OBJECTIVE, "relative_objective"))
    endings = tuple(LEFT_TO_FILES["endings"])
    # A value takes its ends with it.
    left = {f"{c}{end}" for c in LEFT_TO_FILES.get(name, ()) for end in ("", "_low", "_high")}
    wide = table.shape[1] - len(_same(table)) > _MOST_COLUMNS
    left |= {str(c) for c in table if len(table) and table[c].isna().all()}
    further = [c for c in map(str, table) if c in left or (wide and c.endswith(endings))]
    table = table.drop(columns=further)
    inner = {end for one in described(name, table) for end in _ends(one, table)}
    columns = [one._replace(meaning=f"{one.meaning} {_OF_ENDS * bool(_ends(one, table))}".strip())
               for one in described(name, table) if one.name not in inner]  # fmt: skip
    same = {*_same(table)}
    told = [one.name for one in columns if {one.name, *_ends(one, table)} <= same]
    return _Shown(table, columns, told, further)


def _joined(table: pd.DataFrame) -> pd.DataFrame:
    """Give selectors that lack the same sets one row."""
    others = [c for c in table if c != "selector"]
    named = table.assign(selector=table["selector"].astype(str).map(selector_name))
    groups = named.groupby(others, sort=False, dropna=False, observed=True)["selector"]
    # Their numbers are of each of them.
    joined = groups.agg(lambda names: f"{'each of ' * (len(names) > 1)}{', '.join(names)}")
    return joined.reset_index()[[*table]] if len(table) else table


def _ends(column: Column, table: pd.DataFrame) -> list[str]:
    """Return the columns with the ends of the intervals of a column."""
    ends = [f"{column.name}_low", f"{column.name}_high"]
    return ends if {*ends} <= {*table} else []


def _same(table: pd.DataFrame) -> list[str]:
    """Return the columns that have one value in all of several rows.

    A number other than 0 stays beside the numbers that are read with it.
    """
    if len(table) < 2:
        return []
    told = [c for c in table if c in _SETTINGS or not pd.api.types.is_numeric_dtype(table[c])
            or not table[c].fillna(0).iloc[0]]  # fmt: skip
    same = [str(c) for c in told if len(table[c].drop_duplicates()) == 1]
    return same if len(same) < table.shape[1] else []


def facts_of(datasets: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the facts of each dataset, for JSON."""
    return [
        {str(name): _value(value) for name, value in row.items()}
        for row in datasets.to_dict("records")
    ]


def _values(column: Any) -> list[Any]:
    # The page of a large study has millions of values. These kinds need no look at each.
    if not pd.api.types.is_numeric_dtype(column.dtype):
        codes, kinds = pd.factorize(column)
        words = [value_in_words(str(column.name), _value(value)) for value in kinds]
        return [None if code < 0 else words[code] for code in codes.tolist()]
    whole = isinstance(column.dtype, np.dtype) and column.dtype.kind in "iub"
    return [*column.tolist()] if whole else [*map(_value, column.tolist())]


def _value(value: Any) -> Any:
    if isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return float(f"{value:.6g}")
        # JSON has no infinity.
        return None if math.isnan(value) else str(value)
    if pd.isna(value):
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        return str(value)


def _texts(column: Column, rows: pd.DataFrame) -> list[tuple[bool, str]]:
    """Return whether values of a column are numbers, and their texts, as the page's scripts do."""
    names = [column.name, *_ends(column, rows)]
    plain = [value_in_words(column.name, _value(value)) for n in names for value in rows[n]]
    sizes = [abs(v) for v in plain if isinstance(v, int | float) and v]
    decimals = max((len(f"{v:.3g}".partition(".")[2]) for v in sizes if v < 100), default=0)
    largest = max(sizes, default=0.0)
    if largest < 0.05:
        decimals = 4 if largest >= 0.002 else -1
    elif largest >= 100 and any(size % 1 for size in sizes):
        decimals = -1
    decimals = min(decimals, 3 if largest >= 0.05 else 4)

    def text(value: Any) -> tuple[bool, str]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False, "" if value is None else str(value)
        least = 10.0**-decimals
        if decimals >= 3 and 0 < abs(value) < least / 2:
            return True, f"<{least:g}" if value > 0 else f">−{least:g}"
        few = f"{value:,.0f}" if value % 1 == 0 or abs(value) >= 1000 else f"{value:.3g}"
        return True, (few if decimals < 0 else f"{value:,.{decimals}f}").replace("-", "−")

    texts = [text(value) for value in plain[: len(rows)]]
    if len(names) == 1:
        return texts
    # An end that is nearly 0 is rounded.
    texts += [text(v if not v or decimals < 0 else round(v, decimals)) for v in plain[len(rows) :]]
    said = zip(*(texts[i * len(rows) : (i + 1) * len(rows)] for i in range(3)), strict=True)
    many = enough(rows["n_datasets"]) if "n_datasets" in rows else [False] * len(rows)
    return [
        (True, value + (f" [{low}, {high}]" if of_many else f" ({low} to {high})")
         * bool(low and {low, high} != {value}))
        for ((_, value), (_, low), (_, high)), of_many in zip(said, many, strict=True)
    ]  # fmt: skip


def policy(*scripts: str) -> str:
    """Return a Content-Security-Policy that allows these scripts and no request.

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


def _json(value: Any) -> str:
    """Return JSON that can stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
