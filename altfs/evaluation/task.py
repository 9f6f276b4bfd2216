"""The last task of a study: tables, figures and the report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from altfs.evaluation.captions import CAPTIONS
from altfs.study.plan import Plan, load_plan
from altfs.study.store import library_versions, write_atomically, write_table

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from altfs.evaluation.frames import StudyResults


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
    from altfs.evaluation.figures import make_figures, what_is_missing
    from altfs.evaluation.load import foreign_files, load_results
    from altfs.evaluation.report import make_report
    from altfs.evaluation.tables import make_tables
    from altfs.study.ledger import Ledger

    folder = Path(plan.results)
    ledger = Ledger(plan.results)
    results = load_results(plan, ledger, allow_missing=allow_missing, progress=progress)
    ledger.save_if_allowed()
    outcome = Outcome(folder / "report.html", what_is_missing(results), foreign_files(plan))
    tables = make_tables(results)
    _store_tables(plan, results, tables)
    drawn = {
        name: _draw(folder / "figures" / name, chart)
        for name, chart in make_figures(results, tables).items()
    }
    page = make_report(
        title=plan.config.name,
        summary=_summary(plan, results, outcome),
        tables=tables,
        figures=drawn,
        captions=CAPTIONS,
    )
    _write_bytes(outcome.path, page.encode())
    return outcome


def _store_tables(plan: Plan, results: StudyResults, tables: dict[str, pd.DataFrame]) -> None:
    import pyarrow as pa

    metadata = {"kind": "table", "plan": plan.hash, "versions": library_versions()}
    folder = Path(plan.results) / "tables"
    if results.table is not None:
        write_table(folder / "feature_sets.parquet", results.table, metadata)
    for name, frame in tables.items():
        stored = pa.Table.from_pandas(frame, preserve_index=False)
        write_table(folder / f"{name}.parquet", stored, metadata)
        _write_bytes(folder / f"{name}.csv", frame.to_csv(index=False).encode())


def _draw(path: Path, chart: Any) -> str:
    import vl_convert

    specification = chart.to_json()
    svg = str(vl_convert.vegalite_to_svg(specification))
    _write_bytes(path.with_name(f"{path.name}.svg"), svg.encode())
    _write_bytes(path.with_name(f"{path.name}.pdf"), vl_convert.vegalite_to_pdf(specification))
    return svg


def _write_bytes(path: Path, content: bytes) -> None:
    def write(partial: Path) -> None:
        partial.write_bytes(content)

    write_atomically(path, write)


def _summary(plan: Plan, results: StudyResults, outcome: Outcome) -> dict[str, Any]:
    config = plan.config
    absent = results.missing
    n_absent = int((absent["kind"] == "shard").to_numpy() @ absent["n"].to_numpy(int)) if len(
        absent
    ) else 0  # fmt: skip
    n_shards = sum(1 for _ in plan.shard_keys()) - n_absent
    return {
        "Datasets": ", ".join(entry.name for entry in config.datasets),
        "Folds": f"{config.folds} (seed {config.seed})",
        "Selectors": ", ".join(entry.name for entry in config.selectors),
        "Feature-set sizes": ", ".join(map(str, config.n_features)),
        "Dissimilarity thresholds": ", ".join(plan.sizes_by_tau),
        "Searches": "; ".join(
            f"{entry.name} ({', '.join(map(str, entry.n_alternatives))} alternatives"
            + (f", {', '.join(entry.aggregation)})" if entry.aggregation else ")")
            for entry in config.searches
        ),
        "Prediction models": ", ".join(config.models),
        "Results": f"{len(results.feature_sets)} feature sets in {n_shards} shards",
        **({"Missing": outcome.missing} if outcome.missing else {}),
        **({"Not of this study, not read": ", ".join(outcome.foreign)} if outcome.foreign else {}),
        "Versions": ", ".join(f"{k} {v}" for k, v in library_versions().items()),
    }
