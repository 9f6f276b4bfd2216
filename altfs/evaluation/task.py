"""The last task of a study: tables, figures and the report."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from altfs.study.plan import Plan, load_plan
from altfs.study.store import write_atomically, write_table

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from altfs.evaluation.helper import Place
    from altfs.evaluation.report.figure_parts import Drawing


class Outcome(NamedTuple):
    """What a report was made of.

    Attributes
    ----------
    path : Path
        The page.
    missing : str
        What is missing, in a sentence; empty if the study is complete.
    foreign : list of str
        Files among the results that belong to no task and were not read.
    """

    path: Path
    missing: str
    foreign: list[str]


def evaluate(**arguments: Any) -> None:
    """Make tables, figures and the report of a finished study.

    Reads the files of the plan, never whatever lies in the folder.
    """
    _make(load_plan(arguments["study"]), allow_missing=False)


def report(results: str | Path, progress: Callable[[int, int], None] | None = None) -> Outcome:
    """Make tables, figures and the report from what there is of a study.

    Parameters
    ----------
    results : str or Path
        The results folder, wherever it lies now.
    progress : callable, optional
        Called with the number of shards read and of those there are.

    Raises
    ------
    ConfigError
        If the folder holds no study.
    StaleResultError
        If a file is damaged, edited or not of its place, by name.
    """
    from altfs.study.session import open_study

    return _make(open_study(results), allow_missing=True, progress=progress)


def _make(
    plan: Plan, *, allow_missing: bool, progress: Callable[[int, int], None] | None = None
) -> Outcome:
    from altfs.evaluation.helper import place_for
    from altfs.study.inventory import files_to_evaluate

    with place_for(len(files_to_evaluate(plan))) as place:
        return _made_at(place, plan, allow_missing, progress)


def _made_at(
    place: Place, plan: Plan, allow_missing: bool, progress: Callable[[int, int], None] | None
) -> Outcome:
    from altfs.evaluation.figures import each_figure, what_is_missing
    from altfs.evaluation.load import foreign_files, load_results
    from altfs.evaluation.report.dataset_files import write_dataset_files
    from altfs.evaluation.report.packing import pack_feature_sets
    from altfs.evaluation.report.page import Content, make_page
    from altfs.evaluation.report.summary import summarise_study
    from altfs.evaluation.tables import make_tables
    from altfs.study.ledger import Ledger
    from altfs.study.reported import forget_evaluation, note_evaluation, table_metadata

    folder = Path(plan.results)
    ledger = Ledger(plan.results)
    foreign = place.submit(foreign_files, plan)
    results = load_results(
        plan, ledger, place=place, allow_missing=allow_missing, progress=progress
    )
    ledger.save_if_allowed()
    outcome = Outcome(folder / "report.html", what_is_missing(results), foreign.result())
    tables = make_tables(results, place)
    forget_evaluation(plan)
    metadata = table_metadata(plan)
    stored = place.submit(_store_tables, folder / "tables", tables, metadata)
    drawn = {
        name: place.submit(_draw, folder / "figures" / name, chart.to_json(indent=None))
        for name, chart in each_figure(results, tables)
    }
    if results.table is not None:
        write_table(folder / "tables" / "feature_sets.parquet", results.table, metadata)
    files = write_dataset_files(plan, results)
    packed = pack_feature_sets(results)
    stored.result()
    page = make_page(
        Content(
            title=plan.config.name,
            summary=summarise_study(plan, results, outcome.missing, outcome.foreign),
            datasets=results.datasets,
            packed=packed,
            tables=tables,
            drawings={name: drawing.result() for name, drawing in drawn.items()},
            files=files,
        )
    )
    _write_bytes(outcome.path, page.encode())
    note_evaluation(plan)
    return outcome


def _store_tables(folder: Path, tables: dict[str, pd.DataFrame], metadata: dict[str, Any]) -> None:
    import pyarrow as pa

    for name, frame in tables.items():
        stored = pa.Table.from_pandas(frame, preserve_index=False)
        write_table(folder / f"{name}.parquet", stored, metadata)
        _write_bytes(folder / f"{name}.csv", frame.to_csv(index=False).encode())


_ROOM = '"padding": {"left": 28, "top": 5, "right": 28, "bottom": 12}'


def _draw(path: Path, specification: str) -> Drawing:
    """Write a figure: Vega takes its time, so the other process does it where there is one."""
    import vl_convert

    from altfs.evaluation.report.figure_parts import Drawing

    # On the page a browser measures letters; a file has room for fonts that are wider.
    on_paper = f"{{{_ROOM}, {specification.removeprefix('{')}"
    svg = _with_own_ids(vl_convert.vegalite_to_svg(on_paper), path.name)
    _write_bytes(path.with_name(f"{path.name}.svg"), svg.encode())
    _write_bytes(path.with_name(f"{path.name}.pdf"), vl_convert.vegalite_to_pdf(on_paper))
    return Drawing(svg, specification)


def _with_own_ids(svg: str, figure: str) -> str:
    """Name colour gradients by the figure: Vega counts all that its process has ever drawn.

    Examples
    --------
    >>> _with_own_ids('<g id="gradient_7"/><rect fill="url(#gradient_7)"/>', "status")
    '<g id="gradient_status_0"/><rect fill="url(#gradient_status_0)"/>'
    """
    numbers: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        return f"gradient_{figure}_{numbers.setdefault(found[1], len(numbers))}"

    return re.sub(r"\bgradient_(\d+)\b", named, svg)


def _write_bytes(path: Path, content: bytes) -> None:
    def write(partial: Path) -> None:
        partial.write_bytes(content)

    write_atomically(path, write)
