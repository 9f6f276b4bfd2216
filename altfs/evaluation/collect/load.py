"""The stored results of a study, read from whole files of the right tasks."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from altfs.errors import StaleResultError
from altfs.evaluation.collect.combine import (
    Collected,
    Portion,
    combine_portions,
    counted,
    planned_settings,
)
from altfs.evaluation.collect.learning import learning_seconds
from altfs.evaluation.collect.reader import Progress, Reader
from altfs.evaluation.collect.results import (
    SET_KEY,
    as_sorted_frame,
    match_predictions,
)
from altfs.evaluation.collect.scored import with_scores
from altfs.kinds.base import kinds
from altfs.study.plan import Plan
from altfs.study.state import Ledger
from altfs.study.task import Place, RunsTask
from altfs.study.tasks import DataTask, PredictTask, task_types


def collect_results(
    plan: Plan, ledger: Ledger, *, allow_missing: bool = False, progress: Progress | None = None
) -> Collected:
    """Read the files of a study.

    Parameters
    ----------
    plan : Plan
        The plan of the study. Other files in its folder are not read.
    ledger : Ledger
        Files that it knows to be whole are not digested again. It learns the others; the
        caller saves it.
    allow_missing : bool, default=False
        Leave out what has not been computed yet, and list it in ``missing``.
    progress : callable, optional
        Called with the number of shards read and of all shards.

    Raises
    ------
    StaleResultError
        Names the first file that is missing (unless that is allowed), damaged, edited, out of
        date or of another task, or that repeats or lacks rows.
    """
    counts = {entry.name: len(list(plan.places(entry.name))) for entry in plan.config.datasets}
    portions: dict[str, Portion] = {}
    before = 0
    for name, count in counts.items():
        told = partial(_tell, progress, before, sum(counts.values())) if progress else None
        portions[name] = collect_dataset(
            plan, name, Reader(ledger, allow_missing, told), planned_settings(plan)
        )
        before += count
    return combine_portions(plan, portions, foreign_files(plan))


def _tell(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


def collect_dataset(plan: Plan, name: str, reader: Reader, settings: pd.DataFrame) -> Portion:
    """Read the files of one dataset, given the rows that each fold has in the complete study."""
    shards = list(plan.shards(name))
    notes: list[tuple[str, str, int, int]] = []
    table, owners = _read(reader, shards, notes)
    tasks = list(plan.tasks_on(name))
    trained, _ = reader.read([task for task in tasks if isinstance(task, PredictTask)])
    if table is not None:
        _check_places(owners, table, settings)
        frame, order = as_sorted_frame(table, **plan.orders())
        table = table.take(order)
        scores = match_predictions(frame, table, trained, [*plan.model_entries], reader.lacking)
        table = with_scores(frame, table, *scores)
    more = {}
    for kind in kinds.all():
        if kind.table not in plan.long_tables:
            continue
        own = [
            task
            for task in tasks
            if isinstance(task, RunsTask) and isinstance(task, kind.task_types())
        ]
        rows, places = _read(reader, own, notes)
        if rows is not None:
            _check_owners(places, rows)
        found = [] if rows is None else [rows]
        found += [part for column in kind.columns() for part in reader.others.get(column.name, [])]
        schema = kind.table_schema()
        more[kind.table] = pa.concat_tables(
            [schema.empty_table(), *(part.select(schema.names) for part in found)]
        )
    told = {
        "dataset": _overview(plan, reader, name),
        "notes": counted(notes),
        "missing": reader.missing,
        "learning": learning_seconds(plan, name),
    }
    return Portion(table, more, told)


#: The tasks whose files exist, each with the number of its rows.
Owners = list[tuple[RunsTask, int]]


def _read(
    reader: Reader, tasks: Sequence[RunsTask], notes: list[tuple[str, str, int, int]]
) -> tuple[pa.Table | None, Owners]:
    """Read the files of tasks, and add their notes."""
    table, files = reader.read(tasks)
    owners = []
    for task, file in zip(tasks, files, strict=True):
        if file is not None:
            owners.append((task, file.n_rows))
            notes += [
                (column, why, 1, file.n_rows) for column, why in file.metadata["notes"].items()
            ]
    return table, owners


def foreign_files(plan: Plan) -> list[str]:
    """Return files in the folders of results that no task of the plan makes."""
    evaluated = [task for task in task_types() if task.evaluated and task.kind != "dataset"]
    found = (
        f"{inside}/{name}"
        for folder in (task.pattern.partition("/")[0] for task in evaluated)
        for inside, _, names in os.walk(f"{plan.results}/{folder}")
        for name in names
        if name.endswith(".parquet") and not name.startswith(".")
    )
    return sorted(path for path in found if path not in plan.tasks)


def _check_places(owners: Owners, table: pa.Table, settings: pd.DataFrame) -> None:
    """Check that every shard holds exactly the rows of its place, each of them once."""
    tasks = [task for task, _ in owners]
    lengths = np.array([length for _, length in owners])
    sizes = settings.groupby(["selector", "tau", "search"]).size().to_dict()
    expected = np.array([sizes[task.selector, task.tau, task.search] for task in tasks])
    _refuse(tasks, np.flatnonzero(lengths != expected), "lacks or repeats rows")
    owner = _check_owners(owners, table)
    inner = [c for c in SET_KEY if c not in Place._fields]
    repeated = table.select(inner).to_pandas().assign(owner=owner).duplicated().to_numpy()
    _refuse(tasks, owner[repeated], "repeats a feature set")


def _check_owners(owners: Owners, table: pa.Table) -> npt.NDArray[np.int64]:
    """Check that each row is of its file's place; return the number of the file of each row."""
    tasks = [task for task, _ in owners]
    owner = np.repeat(np.arange(len(tasks)), [length for _, length in owners])
    for column in Place._fields:
        held = table[column]
        right = pa.array([getattr(t, column) for t in tasks], held.type).take(pa.array(owner))
        wrong = pc.not_equal(held, right).fill_null(True).to_numpy()
        _refuse(tasks, owner[wrong], f"holds rows of another {column}")
    return owner


def _refuse(tasks: Sequence[RunsTask], wrong: Any, what: str) -> None:
    """Raise an error that names the first of the wrong files, if there are any."""
    if len(wrong):
        path = tasks[wrong[0]].path
        raise StaleResultError(f"'{path}' {what}, delete it and run the study again.")


def _overview(plan: Plan, reader: Reader, name: str) -> dict[str, Any] | None:
    task = next(task for task in plan.tasks_on(name) if isinstance(task, DataTask))
    table, [file] = reader.read([task])
    if table is None or file is None:
        return None
    metadata = file.metadata
    info = metadata["info"]
    return {
        "dataset": name,
        "origin": info["origin"],
        "rows": table.num_rows,
        "features": table.num_columns - 1,
        "target": metadata["target"],
        "target_type": metadata["target_type"],
        "constant_features": len(info["constant"]),
        "duplicated_features": len(info["duplicated"]),
        "encoded_columns": len(info["encodings"]),
        "sha256": info["sha256"],
        "relevant": info.get("relevant", []),
    }
