"""The last tasks of a study: tables, figures and the page, from the collected results."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import vl_convert
from altair.utils.schemapi import debug_mode

from altfs._processes import Runner, serially
from altfs.catalogue import figures
from altfs.evaluation.figures import make_figure
from altfs.evaluation.figures._charts import HEIGHT, LETTERS, WIDTH
from altfs.evaluation.names import COLOURS, selector_colours
from altfs.evaluation.report.citations import citation
from altfs.evaluation.report.methods import methods
from altfs.evaluation.report.overview import views
from altfs.evaluation.report.packing import PACKINGS, pack_feature_sets
from altfs.evaluation.report.page import Content, Drawing, page_within
from altfs.evaluation.report.summary import summarise_study
from altfs.evaluation.results import read_results
from altfs.evaluation.tables import make_table
from altfs.kinds.base import kinds
from altfs.study.design import Design, Origin
from altfs.study.store import csv_text, write_atomically, write_table, write_text


def table(results: str, name: str) -> None:
    """Make one table."""
    study = read_results(results)
    frame = make_table(name, study)
    parquet, csv = map(Path, study.design.table_paths(name))
    stored = pa.Table.from_pandas(frame, preserve_index=False)
    write_table(parquet, stored, study.design.table_metadata())
    write_text(csv, csv_text(frame))


def figure(results: str, name: str) -> None:
    """Make one figure: as SVG, as PDF, and as the Vega-Lite specification that the page draws."""
    study = read_results(results)
    selectors = [one.name for one in study.design.selectors]
    # The tests hold the figures against Vega-Lite's schema, which takes a fifth of the time.
    with debug_mode(False):
        chart = make_figure(name, study, _read_tables(study.design, figures.get(name).needs))
        drawn = with_shared_scales(specification_of(chart, validate=False), selectors)
    # A browser measures the letters of the page; a file has room for wider fonts.
    on_paper = {"padding": _ROOM, **drawn}
    svgs = [svg_of(json.dumps(one), name) for one in (on_paper, in_a_column(on_paper))]
    paths = study.design.figure_paths(name, "svg", "json", "pdf", "column.pdf")
    svg_path, json_path, *pdf_paths = map(Path, paths)
    write_text(svg_path, svgs[0])
    write_text(json_path, json.dumps(drawn, ensure_ascii=False))
    for path, svg, most in zip(pdf_paths, svgs, (_TEXT, _COLUMN), strict=True):
        write_atomically(path, partial(_write_pdf, svg, most))


def save_figure(chart: Any, path: Path) -> None:
    """Write a figure as SVG, as PDF or as its Vega-Lite specification, as the file is named."""
    drawn = specification_of(chart)
    if path.suffix == ".json":
        return write_text(path, json.dumps(drawn, ensure_ascii=False))
    svg = svg_of(json.dumps({"padding": _ROOM, **drawn}), path.stem)
    if path.suffix == ".pdf":
        return write_atomically(path, partial(_write_pdf, svg, math.inf))
    write_text(path, svg)


def page(results: str, origin: Origin, run: Runner = serially) -> None:
    """Make the page, from results, tables and figures; `run` makes calls for single datasets."""
    study = read_results(results)
    design = study.design
    drawings = {}
    for name in design.figures:
        paths = design.figure_paths(name, "svg", "json")
        drawing = Drawing(*(Path(path).read_text("utf-8") for path in paths))
        # A figure that does not apply is a sentence in its files, and not on the page.
        if not json.loads(drawing.specification)["usermeta"].get("absent"):
            drawings[name] = drawing
    there, stored = set(study.sets["dataset"].astype(str)), _read_tables(design, design.tables)
    if len(stored.get("overview", ())):
        # Pairs begin with the model of the first screen.
        is_other = stored["pairwise"]["model"] != stored["overview"]["model"].iloc[0]
        order = is_other.sort_values(kind="stable").index
        stored["pairwise"] = stored["pairwise"].loc[order].reset_index(drop=True)
    selectors = [one.name for one in design.selectors]
    configuration = json.loads("\n".join(origin.configuration) or "{}")
    content = Content(
        title=design.name,
        summary=summarise_study(study, origin),
        datasets=study.datasets,
        packed=pack_feature_sets(study, PACKINGS[-1]),
        tables=stored,
        drawings=drawings,
        files={
            name: [
                ("Feature sets (Parquet)", design.inside(design.dataset_sets_path(name))),
                ("Data (Parquet)", design.inside(design.data_path(name))),
            ]
            for name in design.dataset_names
            if name in there
        },
        sizes=design.sizes,
        views=[*views(stored, selectors, design.sizes, run)],
        methods=methods(design, configuration, origin.facts.get("Commit", "")),
        citation=citation(design),
        first_tables={
            name: " ".join(kind.sentences(stored[name], study))
            for kind in kinds.all()
            for name in kind.first_tables
            if name in stored
        },
    )
    write_text(Path(design.report_path()), page_within(content, study))


def _read_tables(design: Design, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    frames = {}
    for name in names:
        stored = pq.read_table(design.table_paths(name)[0], partitioning=None)
        # Integers of which some are missing must not become decimal numbers.
        integers = [field.name for field in stored.schema if pa.types.is_integer(field.type)]
        lacking = stored.select([c for c in integers if stored[c].null_count])
        frame = lacking.to_pandas(types_mapper=lambda _: pd.Int64Dtype())
        frames[name] = stored.to_pandas().assign(**frame)
    return frames


# The widths of a page's text and of one of its two columns, in points.
_TEXT, _COLUMN = 504, 252
_ROOM = {"left": 14, "top": 5, "right": 12, "bottom": 5}


def specification_of(chart: Any, validate: bool = True) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure of any number of rows.

    Altair refuses more than 5,000, and figures have the rows of every dataset that can be chosen.
    """
    with alt.data_transformers.enable("default", max_rows=None):
        specification: dict[str, Any] = chart.to_dict(validate=validate)
    for view in specification.get("vconcat", [specification]):
        if len(view.get("facet", {}).get("sort", ())) > 1:
            _name_axes_once(view)
    # The schema of Vega-Lite leaves out this part of Vega: the space between two legends.
    specification["config"].setdefault("legend", {})["layout"] = {"top": {"margin": 22}}
    return specification


def _name_axes_once(view: dict[str, Any]) -> None:
    """Give the panels of a view one title of each axis, above all of them."""
    titles: dict[str, str] = {}
    for layer in view["spec"]["layer"]:
        for axis in ("y", "x"):
            if axis in (encoding := layer.get("encoding", {})):
                titles.setdefault(axis, encoding[axis].get("title") or "")
                encoding[axis]["title"] = None
    named = [f"{arrow} {titles[axis]}" for axis, arrow in (("y", "↑"), ("x", "→")) if titles[axis]]
    words, plain = "\u2003".join(named), {"fontSize": LETTERS, "fontWeight": "normal"}
    # Vega draws no subtitle without a title.
    own = {"subtitle": words, **view["title"]} if "title" in view else {"text": words, **plain}
    view["title"] = {"anchor": "start", "offset": 8, "subtitleFontSize": LETTERS, **own}


def with_shared_scales(specification: dict[str, Any], selectors: Sequence[str]) -> dict[str, Any]:
    """Give the scales of groups one domain in all panels, and each selector its colour.

    Charts of classes and of numbers then share a legend. Selectors have the colours of the
    report's first screen.
    """
    colours = selector_colours(selectors)
    scales: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for channel, encoded in _encodings(specification):
        scale = encoded.get("scale") or {}
        if isinstance(scale.get("domain"), list) and "field" in encoded:
            scales.setdefault(encoded["field"], []).append((channel, encoded))
    for of_field in scales.values():
        values = list(dict.fromkeys(v for _, one in of_field for v in one["scale"]["domain"]))
        if not all(isinstance(value, str) for value in values):
            continue
        is_coloured = set(values) <= set(colours)
        domain = [name for name in colours if name in values] if is_coloured else values
        for channel, encoded in of_field:
            encoded["scale"]["domain"] = encoded["sort"] = domain
            if channel != "shape" and encoded["type"] == "nominal":
                encoded["scale"]["range"] = [
                    colours[name] if is_coloured else COLOURS[i % len(COLOURS)]
                    for i, name in enumerate(domain)
                ]
    return specification


def _encodings(part: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the encodings of colours and shapes of a specification, without its rows."""
    if isinstance(part, list):
        for one in part:
            yield from _encodings(one)
    elif isinstance(part, dict):
        for name, one in part.items():
            if name in ("color", "fill", "stroke", "shape") and isinstance(one, dict):
                yield name, one
            elif name not in ("datasets", "data", "usermeta", "config"):
                yield from _encodings(one)


def _write_pdf(svg: str, most: float, path: Path) -> None:
    path.write_bytes(vl_convert.svg_to_pdf(_in_points(svg, most)))


def _in_points(svg: str, most: float) -> str:
    """Scale a drawing, as the converter takes pixels, of 1/96 inch, for points, of 1/72 inch.

    A drawing that is wider than `most` points is made smaller.
    """
    size = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox')

    def scaled(match: re.Match[str]) -> str:
        scale = min(0.75, most / float(match[1]))
        width, height = scale * float(match[1]), scale * float(match[2])
        return f'width="{width:g}" height="{height:g}" viewBox'

    return size.sub(scaled, svg, count=1)


def in_a_column(specification: Mapping[str, Any]) -> dict[str, Any]:
    """Put the panels of a specification below one another, which is the width of a column."""
    legend = {"columns": 2, "layout": {"top": {"direction": "vertical"}}}
    config = specification["config"]
    narrow = {**specification, "config": {**config, "legend": {**config["legend"], **legend}}}
    # The rows of the figure are shared, as copying them would take longer than drawing them.
    if "vconcat" in narrow:
        narrow["vconcat"] = [_in_one_column(view) for view in narrow["vconcat"]]
    halved = [
        {**one, "value": max(one["value"] // 2, 1)} if one["name"] == "panels" else one
        for one in narrow.get("params", ())
    ]
    return _in_one_column({**narrow, "params": halved} if halved else narrow)


def _in_one_column(view: Mapping[str, Any]) -> dict[str, Any]:
    narrow = {**view, "columns": 1} if "columns" in view else {**view}
    # A panel that is alone has the width of two.
    if "spec" in view:
        narrow["spec"] = {**view["spec"], "width": WIDTH, "height": HEIGHT}
    return narrow


def svg_of(specification: str, figure: str) -> str:
    """Draw a specification; colour gradients are named by the figure.

    Vega numbers the gradients of all figures of its process.
    """
    svg: str = vl_convert.vegalite_to_svg(specification)
    numbers: dict[str, int] = {}

    def named(match: re.Match[str]) -> str:
        return f"gradient_{figure}_{numbers.setdefault(match[1], len(numbers))}"

    return re.sub(r"\bgradient_(\d+)\b", named, svg)
