"""The stored results of a study, read from whole files of the right tasks."""

import os
from collections.abc import Callable
from functools import partial
from itertools import product
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
    joined,
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
from altfs.study.layout import ShardKey
from altfs.study.ledger import Ledger
from altfs.study.plan import Plan, shard_hash
from altfs.study.store import task_hash


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
    counts = {entry.name: len(list(plan.shard_keys(entry.name))) for entry in plan.config.datasets}
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
    keys = list(plan.shard_keys(name))
    table, files = reader.read("shard", [(plan.shard_path(k), shard_hash(plan, k)) for k in keys])
    shards: list[tuple[ShardKey, int]] = []
    notes = []
    for key, file in zip(keys, files, strict=True):
        if file is None:
            reader.say("shard", key.dataset, key.fold, selector=key.selector, search=key.search)
            continue
        shards.append((key, file.n_rows))
        for column, reason in file.metadata["notes"].items():
            notes.append((column, reason, 1, file.n_rows))
    trained = _read_predictions(plan, name, reader)
    if table is not None:
        _check_places(plan, shards, table, settings)
        frame, order = as_sorted_frame(table, **plan.orders())
        table = table.take(order)
        scores = match_predictions(frame, table, trained, [*plan.model_entries], reader.lacking)
        table = with_scores(frame, table, *scores)
    explanations = _read_explanations(plan, name, reader, notes)
    told = {
        "dataset": _overview(plan, reader, name),
        "notes": counted(notes),
        "missing": reader.missing,
        "learning": learning_seconds(plan, name),
    }
    return Portion(table, joined(reader.fronts), explanations, told)


def foreign_files(plan: Plan) -> list[str]:
    """Return files in the folders of results that no task of the plan makes."""
    ours = {plan.shard_path(key) for key in plan.shard_keys()}
    ours |= {plan.explanation_path(key) for key in plan.explanation_keys()}
    ours |= {plan.prediction_path(*key) for key in _prediction_keys(plan, *plan.facts)}
    found = (
        f"{inside}/{name}"
        for folder in ("shards", "explanations", "predictions")
        for inside, _, names in os.walk(f"{plan.results}/{folder}")
        for name in names
        if name.endswith(".parquet") and not name.startswith(".")
    )
    return sorted(path for path in found if path not in ours)


def _check_places(
    plan: Plan, shards: list[tuple[ShardKey, int]], table: pa.Table, settings: pd.DataFrame
) -> None:
    """Check that every shard holds exactly the rows of its place, each of them once."""
    keys = [key for key, _ in shards]
    lengths = np.array([length for _, length in shards])
    sizes = settings.groupby(["selector", "tau", "search"]).size().to_dict()
    expected = np.array([sizes[key.selector, key.tau, key.search] for key in keys])
    _refuse(plan.shard_path, keys, np.flatnonzero(lengths != expected), "lacks or repeats rows")
    owner = _check_owners(plan.shard_path, shards, table)
    inner = [c for c in SET_KEY if c not in ShardKey._fields]
    repeated = table.select(inner).to_pandas().assign(owner=owner).duplicated().to_numpy()
    _refuse(plan.shard_path, keys, owner[repeated], "repeats a feature set")


def _check_owners(
    path_of: Callable[[ShardKey], str], files: list[tuple[ShardKey, int]], table: pa.Table
) -> npt.NDArray[np.int64]:
    """Check that each row is of its file's place; return the number of the file of each row."""
    keys = [key for key, _ in files]
    owner = np.repeat(np.arange(len(keys)), [length for _, length in files])
    for column in ShardKey._fields:
        held = table[column]
        right = pa.array([getattr(key, column) for key in keys], held.type).take(pa.array(owner))
        wrong = pc.not_equal(held, right).fill_null(True).to_numpy()
        _refuse(path_of, keys, owner[wrong], f"holds rows of another {column}")
    return owner


def _refuse(
    path_of: Callable[[ShardKey], str], keys: list[ShardKey], wrong: Any, what: str
) -> None:
    """Raise an error that names the first of the wrong files, if there are any."""
    if len(wrong):
        path = path_of(keys[wrong[0]])
        raise StaleResultError(f"'{path}' {what}, delete it and run the study again.")


def _prediction_keys(plan: Plan, *names: str) -> list[tuple[str, int, str]]:
    return list(product(names, range(plan.config.folds), plan.model_entries))


def _read_predictions(plan: Plan, dataset: str, reader: Reader) -> pa.Table | None:
    keys = _prediction_keys(plan, dataset)
    paths = [(plan.prediction_path(*key), task_hash(plan.predict_arguments(*key))) for key in keys]
    table, files = reader.read("predictions", paths)
    for (name, fold, model), file in zip(keys, files, strict=True):
        if file is None:
            reader.say("prediction", name, fold, model=model)
    return table


def _read_explanations(
    plan: Plan, dataset: str, reader: Reader, notes: list[Any]
) -> pa.Table | None:
    """Read the explanations of single rows, and add their notes."""
    keys = list(plan.explanation_keys(dataset))
    paths = [(plan.explanation_path(k), task_hash(plan.explain_arguments(k))) for k in keys]
    table, files = reader.read("explanations", paths)
    owners: list[tuple[ShardKey, int]] = []
    for key, file in zip(keys, files, strict=True):
        if file is None:
            detail = {"selector": key.selector, "search": key.search}
            reader.say("explanation", key.dataset, key.fold, **detail)
            continue
        owners.append((key, file.n_rows))
        for column, reason in file.metadata["notes"].items():
            notes.append((column, reason, 1, file.n_rows))
    if table is not None:
        _check_owners(plan.explanation_path, owners, table)
    return table


def _overview(plan: Plan, reader: Reader, name: str) -> dict[str, Any] | None:
    facts = plan.facts[name]
    table, [file] = reader.read_dataset(plan.data_path(name), facts.digest, facts.identity)
    if table is None or file is None:
        reader.say("dataset", name, -1)
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
