"""Reading the stored results of a study: only whole files, and only the right ones."""

import os
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.evaluation.collect.reader import Progress, Reader, Wanted, missing_table
from altfs.evaluation.collect.results import (
    RUN_KEY,
    SET_KEY,
    StudyResults,
    as_sorted_frame,
    match_predictions,
)
from altfs.searches.request import sizes_of
from altfs.study.layout import ShardKey
from altfs.study.ledger import Ledger
from altfs.study.plan import Plan, shard_hash
from altfs.study.store import task_hash

_SHARD_KEY = list(ShardKey._fields)


class Collected(NamedTuple):
    """The results of a study, and what else its report tells.

    Attributes
    ----------
    results : StudyResults
    notes : dict
        For JSON: ``datasets`` (a record each), ``notes`` (what could not be computed),
        ``missing`` (what is not there yet), and ``foreign`` (files of no task, not read).
    """

    results: StudyResults
    notes: dict[str, Any]


def load_results(
    plan: Plan, ledger: Ledger, *, allow_missing: bool = False, progress: Progress | None = None
) -> StudyResults:
    """Read the files of a study; the results alone of :func:`collect_results`."""
    return collect_results(plan, ledger, allow_missing=allow_missing, progress=progress).results


def collect_results(
    plan: Plan, ledger: Ledger, *, allow_missing: bool = False, progress: Progress | None = None
) -> Collected:
    """Read the files of a study.

    Parameters
    ----------
    plan : Plan
        Says which files there have to be; what else lies in the folder is not read.
    ledger : Ledger
        Files that it knows to be whole are not digested again; it learns those
        that are read here. Saving it is up to the caller.
    allow_missing : bool, default=False
        Leave out what has not been computed yet, and say so in ``missing``.
    progress : callable, optional
        Called with the number of shards read and of those there are.

    Raises
    ------
    StaleResultError
        Names the first file that is missing (unless that is allowed), damaged,
        edited, out of date, another task's, or that repeats or lacks rows.
    """
    reader = Reader(ledger, allow_missing)
    keys = list(plan.shard_keys())
    found = reader.read(
        (Wanted(plan.shard_path(key), shard_hash(plan, key), "shard") for key in keys), progress
    )
    shards: list[tuple[ShardKey, int]] = []
    notes = []
    for key, file in zip(keys, found.files, strict=True):
        if file is None:
            reader.say("shard", key.dataset, key.fold, selector=key.selector, search=key.search)
            continue
        shards.append((key, file.n_rows))
        for column, reason in file.metadata["notes"].items():
            notes.append((column, reason, 1, file.n_rows))
    table = found.table
    if table is None:
        raise StaleResultError(f"'{plan.results}' holds no shard yet, run the study first.")
    del found
    _check_places(plan, shards, table, planned_settings(plan))
    frame, order = as_sorted_frame(table, **plan.orders())
    table = table.take(order)
    predictions = match_predictions(
        frame, table, _read_predictions(plan, reader), plan.config.models, reader.lacking
    )
    overview = [_overview(plan, reader, entry.name) for entry in plan.config.datasets]
    counted = pd.DataFrame(notes, columns=["column", "reason", "shards", "rows"])
    told = {
        "datasets": [row for row in overview if row],
        "notes": counted.groupby(["column", "reason"], as_index=False).sum().to_dict("records"),
        "missing": reader.missing,
        "foreign": foreign_files(plan),
    }
    return Collected(results_of(plan, frame, table, predictions, told), told)


def results_of(
    plan: Plan,
    frame: pd.DataFrame,
    table: pa.Table,
    predictions: pd.DataFrame,
    notes: Mapping[str, Any],
) -> StudyResults:
    """Put together the results of a study from what was collected."""
    return StudyResults(
        feature_sets=frame,
        predictions=predictions,
        datasets=pd.DataFrame(notes["datasets"]),
        notes=pd.DataFrame(notes["notes"], columns=["column", "reason", "shards", "rows"]),
        settings=planned_settings(plan),
        n_runs=len(plan.config.datasets) * plan.config.folds,
        missing=missing_table(notes["missing"]),
        table=table,
        seed=plan.config.seed,
        search_types={name: entry.type for name, entry in plan.search_entries.items()},
        target_types={name: fact.target_type for name, fact in plan.facts.items()},
    )


def planned_settings(plan: Plan) -> pd.DataFrame:
    """Return every row that a fold of a dataset has in the complete study."""
    rows = [
        # Results are stored by the largest size of a range.
        (selector, tau, search.name, sizes_of(k)[-1], a, aggregation, i)
        for selector in plan.selector_entries
        for tau, sizes in plan.sizes_by_tau.items()
        for search in plan.search_entries.values()
        for k in sizes
        for a in search.n_alternatives
        for aggregation in tuple(search.aggregation) or ("none",)
        for i in range(a + 1)
    ]
    columns = ["selector", "tau", "search", *SET_KEY[SET_KEY.index("n_features") :]]
    return pd.DataFrame(rows, columns=columns)


def foreign_files(plan: Plan) -> list[str]:
    """Return files in the folders of shards and predictions that no task of the plan makes."""
    config = plan.config
    ours = {plan.shard_path(key) for key in plan.shard_keys()}
    ours |= {
        plan.prediction_path(entry.name, fold, model)
        for entry in config.datasets
        for fold in range(config.folds)
        for model in config.models
    }
    found = (
        f"{inside}/{name}"
        for folder in ("shards", "predictions")
        for inside, _, names in os.walk(f"{plan.results}/{folder}")
        for name in names
        if name.endswith(".parquet") and not name.startswith(".")
    )
    return sorted(path for path in found if path not in ours)


def _check_places(
    plan: Plan,
    shards: list[tuple[ShardKey, int]],
    table: pa.Table,
    settings: pd.DataFrame,
) -> None:
    """Check that every shard holds exactly the rows of its place, each of them once."""
    sizes = settings.groupby(["selector", "tau", "search"]).size().to_dict()
    lengths = np.array([length for _, length in shards])
    expected = np.array([sizes[key.selector, key.tau, key.search] for key, _ in shards])
    _refuse(plan, shards, lengths != expected, "lacks or repeats rows")
    owner = np.repeat(np.arange(len(shards)), lengths)
    for position, column in enumerate(_SHARD_KEY):
        codes, names = pd.factorize(np.array([key[position] for key, _ in shards], dtype=object))
        held = table[column].combine_chunks().dictionary_encode()
        places = pd.Index(names).get_indexer(held.dictionary.to_pandas().astype(object))
        found = np.append(places, -1)[held.indices.fill_null(len(places))]
        wrong = found != codes[owner]
        _refuse(plan, shards, np.bincount(owner[wrong], minlength=len(shards)) > 0,
                f"holds rows of another {column}")  # fmt: skip
    inner = [c for c in RUN_KEY if c not in _SHARD_KEY] + ["set_index"]
    rows = table.select(inner).to_pandas().assign(owner=owner)
    repeated = rows.duplicated().to_numpy()
    _refuse(plan, shards, np.bincount(owner[repeated], minlength=len(shards)) > 0,
            "repeats a feature set")  # fmt: skip


def _refuse(plan: Plan, shards: list[tuple[ShardKey, int]], wrong: Any, what: str) -> None:
    if wrong.any():
        path = plan.shard_path(shards[int(np.flatnonzero(wrong)[0])][0])
        raise StaleResultError(f"'{path}' {what}, delete it and run the study again.")


def _read_predictions(plan: Plan, reader: Reader) -> list[pa.Table]:
    config = plan.config
    names = [entry.name for entry in config.datasets]
    keys = list(product(names, range(config.folds), config.models))
    wanted = (
        Wanted(plan.prediction_path(*key), task_hash(plan.predict_arguments(*key)), "predictions")
        for key in keys
    )
    found = reader.read(wanted)
    for (name, fold, model), file in zip(keys, found.files, strict=True):
        if file is None:
            reader.say("prediction", name, fold, model=model)
    return [] if found.table is None else [found.table]


def _overview(plan: Plan, reader: Reader, name: str) -> dict[str, Any]:
    facts = plan.facts[name]
    table, [file] = reader.read_dataset(plan.data_path(name), facts.digest, facts.identity)
    if table is None or file is None:
        reader.say("dataset", name, -1)
        return {}
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
    }
