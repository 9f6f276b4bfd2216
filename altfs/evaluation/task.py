"""The last tasks of a study: collected results, tables, figures and the page.

The rules call the first five functions. ``altfs report`` calls the sixth, which makes
everything from the results that exist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import vl_convert

from altfs.evaluation.collect.combine import Collected, combine_portions, planned_settings
from altfs.evaluation.collect.load import collect_dataset, collect_results, foreign_files
from altfs.evaluation.collect.reader import Reader
from altfs.evaluation.collect.results import StudyResults
from altfs.evaluation.collect.stored import (
    store_collected,
    store_combined,
    store_portion,
    stored_portions,
    stored_results,
)
from altfs.evaluation.figures import make_figure
from altfs.evaluation.report.packing import PACKINGS, pack_feature_sets
from altfs.evaluation.report.page import Content, Drawing, page_within
from altfs.evaluation.report.summary import summarise_study
from altfs.evaluation.tables import make_table, make_tables
from altfs.study.catalogue import figures
from altfs.study.plan import Plan, load_plan
from altfs.study.session import open_study
from altfs.study.state import Ledger, forget_evaluation, note_evaluation, table_metadata
from altfs.study.store import write_atomically, write_table, write_text


class Outcome(NamedTuple):
    """The files and the gaps of a report."""

    #: The page.
    path: Path
    #: A sentence about what is missing; empty if the study is complete.
    missing: str
    #: Files among the results that belong to no task and were not read.
    foreign: list[str]


def collect(results: str, dataset: str) -> None:
    """Read the files of a dataset of the plan, and no other files, and store the results."""
    plan = load_plan(results)
    ledger = Ledger(plan.results)
    portion = collect_dataset(plan, dataset, Reader(ledger), planned_settings(plan))
    forget_evaluation(plan)
    # Tasks that run at the same time cannot all save the ledger.
    store_portion(plan, dataset, portion, ledger.learned())


def combine(results: str) -> None:
    """Combine the collected results of all datasets."""
    plan = load_plan(results)
    # Looking through thousands of folders waits for the disk.
    with ThreadPoolExecutor(1) as aside:
        foreign = aside.submit(foreign_files, plan)
        portions = stored_portions(plan)
    ledger = Ledger(plan.results)
    for portion in portions.values():
        ledger.learn(portion.notes["learned"])
    ledger.save_if_allowed()
    forget_evaluation(plan)
    store_combined(plan, combine_portions(plan, portions, foreign.result()))


def table(results: str, name: str) -> None:
    """Make one table."""
    plan = load_plan(results)
    _store_table(plan, name, make_table(name, stored_results(plan).results))


def figure(results: str, name: str) -> None:
    """Make one figure, from results and the tables that it needs."""
    plan = load_plan(results)
    known = _read_tables(plan, figures.get(name).needs)
    _draw(plan, name, stored_results(plan).results, known)


def page(results: str) -> None:
    """Make the page, from results, tables and figures, and note the files."""
    plan = load_plan(results)
    drawings = {}
    for name in plan.figures:
        paths = plan.figure_paths(name, "svg", "json")
        drawings[name] = Drawing(*(Path(path).read_text("utf-8") for path in paths))
    known = _read_tables(plan, plan.tables)
    _make_page(plan, stored_results(plan), known, drawings)


def report(results: str | Path, progress: Callable[[int, int], None] | None = None) -> Outcome:
    """Make tables, figures and the page from the existing results of a study.

    Parameters
    ----------
    results : str or Path
        The results folder.
    progress : callable, optional
        Called with the number of shards read and of all shards.

    Raises
    ------
    ConfigError
        If the folder holds no study.
    StaleResultError
        If a file is damaged, edited or not of its place, by name.
    """
    plan = open_study(results)
    collected = _collect(plan, allow_missing=True, progress=progress)
    found = collected.results
    made = make_tables(found, plan.tables)
    for name, frame in made.items():
        _store_table(plan, name, frame)
    drawings = {name: _draw(plan, name, found, made) for name in plan.figures}
    _make_page(plan, collected, made, drawings)
    return Outcome(Path(plan.report_path()), found.gap(), collected.notes["foreign"])


def _collect(
    plan: Plan, *, allow_missing: bool, progress: Callable[[int, int], None] | None = None
) -> Collected:
    ledger = Ledger(plan.results)
    collected = collect_results(plan, ledger, allow_missing=allow_missing, progress=progress)
    ledger.save_if_allowed()
    forget_evaluation(plan)
    store_collected(plan, collected)
    return collected


def _store_table(plan: Plan, name: str, frame: pd.DataFrame) -> None:
    parquet, csv = (Path(path) for path in plan.table_paths(name))
    write_table(parquet, pa.Table.from_pandas(frame, preserve_index=False), table_metadata(plan))
    write_text(csv, frame.to_csv(index=False))


def _read_tables(plan: Plan, names: Iterable[str]) -> dict[str, pd.DataFrame]:
    found = {}
    for name in names:
        stored = pq.read_table(plan.table_paths(name)[0], partitioning=None)
        # Integers of which some are missing must not become decimal numbers.
        integers = [field.name for field in stored.schema if pa.types.is_integer(field.type)]
        lacking = stored.select([c for c in integers if stored[c].null_count])
        frame = lacking.to_pandas(types_mapper=lambda _: pd.Int64Dtype())
        found[name] = stored.to_pandas().assign(**frame)
    return found


_ROOM = {"left": 5, "top": 5, "right": 12, "bottom": 5}


def _draw(
    plan: Plan, name: str, results: StudyResults, known: Mapping[str, pd.DataFrame]
) -> Drawing:
    """Write a figure as SVG, as PDF, and as the Vega-Lite specification that the page draws."""
    made = specification_of(make_figure(name, results, known))
    specification = json.dumps(made, ensure_ascii=False)
    # A browser measures the letters of the page; a file has room for wider fonts.
    on_paper = {"padding": _ROOM, **made}
    svg, column = (svg_of(json.dumps(drawn), name) for drawn in (on_paper, in_a_column(on_paper)))
    paths = map(Path, plan.figure_paths(name, "svg", "json", "pdf", "column.pdf"))
    svg_path, json_path, *pdf_paths = paths
    write_text(svg_path, svg)
    write_text(json_path, specification)
    for path, drawn in zip(pdf_paths, (svg, column), strict=True):
        write_atomically(path, partial(_write_pdf, drawn))
    return Drawing(svg, specification)


def specification_of(chart: Any) -> dict[str, Any]:
    """Return the Vega-Lite specification of a figure of any number of rows.

    Altair refuses more than 5,000, and figures have the rows of every dataset that can be chosen.
    """
    with alt.data_transformers.enable("default", max_rows=None):
        made: dict[str, Any] = chart.to_dict()
    return made


def _write_pdf(svg: str, path: Path) -> None:
    path.write_bytes(vl_convert.svg_to_pdf(_in_points(svg)))


def _in_points(svg: str) -> str:
    """Scale a drawing, as the converter takes pixels, of 1/96 inch, for points, of 1/72 inch."""

    def scaled(found: re.Match[str]) -> str:
        return f'width="{0.75 * float(found[1]):g}" height="{0.75 * float(found[2]):g}" viewBox'

    return re.sub(r'width="([\d.]+)" height="([\d.]+)" viewBox', scaled, svg, count=1)


def in_a_column(specification: Mapping[str, Any]) -> dict[str, Any]:
    """Put the panels of a specification below one another, which is the width of a column."""
    legend = {"columns": 2, "layout": {"bottom": {"direction": "vertical"}}}
    config = specification["config"]
    narrow = {**specification, "config": {**config, "legend": {**config["legend"], **legend}}}
    # The rows of the figure are shared, as copying them would take longer than drawing them.
    if "vconcat" in narrow:
        narrow["vconcat"] = [_in_one_column(view) for view in narrow["vconcat"]]
    return _in_one_column(narrow)


def _in_one_column(view: Mapping[str, Any]) -> dict[str, Any]:
    return {**view, "columns": 1} if "columns" in view else {**view}


def svg_of(specification: str, figure: str) -> str:
    """Draw a specification; colour gradients are named by the figure.

    Vega numbers the gradients of all figures of its process.
    """
    svg: str = vl_convert.vegalite_to_svg(specification)
    numbers: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        return f"gradient_{figure}_{numbers.setdefault(found[1], len(numbers))}"

    return re.sub(r"\bgradient_(\d+)\b", named, svg)


def _make_page(
    plan: Plan,
    collected: Collected,
    made: Mapping[str, pd.DataFrame],
    drawings: Mapping[str, Drawing],
) -> None:
    results = collected.results
    there = set(results.feature_sets["dataset"].astype(str))
    content = Content(
        title=plan.config.name,
        summary=summarise_study(plan, results, collected.notes["foreign"]),
        datasets=results.datasets,
        packed=pack_feature_sets(results, PACKINGS[-1]),
        tables=made,
        drawings=drawings,
        files={
            entry.name: [
                ("Feature sets (Parquet)", plan.inside(plan.dataset_sets_path(entry.name))),
                ("Data (Parquet)", plan.inside(plan.data_path(entry.name))),
            ]
            for entry in plan.config.datasets
            if entry.name in there
        },
        sizes=results.sizes,
    )
    write_text(Path(plan.report_path()), page_within(content, results))
    note_evaluation(plan)
