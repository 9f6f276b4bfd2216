"""The tasks that collect the files of a study into the tables that the evaluation reads.

``tables/feature_sets.parquet`` has a row for each feature set, and ``tables/scores.parquet`` one
for each score of a set by a model and a metric. A kind of answer may have a table of its own. The
design of the study and the notes on its files are beside them.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from altfs._files import read_json
from altfs._options import finite_or_named
from altfs._processes import Runner, serially
from altfs.datasets import sources
from altfs.errors import StaleResultError
from altfs.kinds.base import kinds
from altfs.prediction.metrics import METRICS
from altfs.searches import searches
from altfs.searches.request import stored_size
from altfs.selectors import selectors
from altfs.solvers import solvers
from altfs.study.config import SelectorEntry, StudyConfig
from altfs.study.design import DatasetDesign, Design, RunDesign, SearchDesign, SelectorDesign
from altfs.study.plan import Plan, load_plan
from altfs.study.reader import File, Reader
from altfs.study.state import Ledger, forget_evaluation
from altfs.study.store import (
    RUN_COLUMNS,
    SHARD_SCHEMA,
    read_metadata,
    stale,
    stamp_of,
    write_table,
    write_text,
)
from altfs.study.task import Place, Task, hash_of
from altfs.study.tasks import DataTask, PredictTask, SearchTask, StoredScore, task_types

# Its work is its iterations, each of which evaluates a set at most.
_CLIMBER = "hill_climbing"
_KEY = [*(name for name, _ in RUN_COLUMNS), "set_index"]
_SCORES = pa.schema(
    [
        # A row of the table of feature sets.
        ("set", pa.int32()),
        ("model", pa.string()),
        ("metric", pa.string()),
        ("train_score", pa.float64()),
        ("test_score", pa.float64()),
    ]
)


class Portion(NamedTuple):
    """The results of one dataset."""

    #: A row per feature set in the order of its key, with scores; None if no shard exists.
    table: pa.Table | None
    #: The rows of each kind of answer that the study has, by the name of its table.
    more: dict[str, pa.Table]
    #: For JSON: ``dataset`` (a record, None without the dataset's file), ``notes`` (what could not
    #: be computed), ``missing`` (what has not been computed yet), ``learning`` (CPU seconds of
    #: each selector, None if they are not known), and ``learned`` (files that were found whole).
    notes: dict[str, Any]


def collect(results: str, dataset: str) -> None:
    """Read the files of a dataset of the plan, and no other files, and store the results."""
    plan = load_plan(results)
    portion = _read(plan, dataset)
    forget_evaluation(plan)
    _store_portion(plan, dataset, portion)


def combine(results: str) -> None:
    """Combine the collected results of all datasets."""
    plan = load_plan(results)
    forget_evaluation(plan)
    _combine(plan)


def collect_all(
    plan: Plan,
    run: Runner = serially,
    *,
    allow_missing: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Read the files of a study and store the results, as both tasks do.

    Parameters
    ----------
    plan : Plan
        The plan of the study. Other files in its folder are not read.
    run : callable, optional
        Makes calls, of which there is one per dataset (:func:`altfs._processes.processes`).
    allow_missing : bool, default=True
        Leave out what has not been computed yet, and list it in ``missing``.
    progress : callable, optional
        Called with the number of shards of the datasets that were read, and of all shards.

    Raises
    ------
    StaleResultError
        Names the first file that is missing (unless that is allowed), damaged, edited, out of
        date or of another task, or that repeats or lacks rows. Then nothing is written. Also if
        there is no shard.
    """
    names = plan.orders()["dataset"]
    counts = [sum(1 for _ in plan.places(name)) for name in names]
    calls = [(_read, plan, name, allow_missing) for name in names]
    portions: list[Portion] = []
    for portion in run(calls):
        portions.append(portion)
        if progress:
            progress(sum(counts[: len(portions)]), sum(counts))
    if all(portion.table is None for portion in portions):
        raise StaleResultError(f"'{plan.results}' holds no shard yet, run the study first")
    forget_evaluation(plan)
    for name, portion in zip(names, portions, strict=True):
        _store_portion(plan, name, portion)
    _combine(plan)


def _read(plan: Plan, dataset: str, allow_missing: bool = False) -> Portion:
    return collect_dataset(plan, dataset, Reader(Ledger(plan.results), allow_missing))


def collect_dataset(plan: Plan, name: str, reader: Reader) -> Portion:
    """Read the files of one dataset."""
    table, files = reader.read(list(plan.shards(name)))
    noted: list[File[Any]] = [*files]
    tasks = list(plan.tasks_on(name))
    trained, _ = reader.read([task for task in tasks if isinstance(task, PredictTask)])
    if table is not None:
        _check_places(files, table, plan)
        table = with_scores(plan, _in_order(table, plan), trained, reader.lacking)
    more = {}
    for kind in kinds.all():
        if kind.table not in plan.long_tables:
            continue
        types = kind.task_types()
        of_kind = [task for task in tasks if isinstance(task, types)]
        rows, places = reader.read(of_kind)
        noted += places
        if rows is not None:
            _check_owners(places, rows)
        parts = [] if rows is None else [rows]
        parts += [part for column in kind.columns() for part in reader.others.get(column.name, [])]
        schema = kind.table_schema()
        more[kind.table] = pa.concat_tables(
            [schema.empty_table(), *(part.select(schema.names) for part in parts)]
        )
    return Portion(table, more, {
        "dataset": _overview(plan, reader, name),
        "notes": _counted(
            (column, why, 1, file.n_rows)
            for file in noted
            for column, why in file.metadata["notes"].items()
        ),
        "missing": reader.missing,
        "learning": learning_seconds(plan, name),
        # Tasks that run at the same time cannot all save the ledger.
        "learned": reader.ledger.take_learned(),
    })  # fmt: skip


def foreign_files(plan: Plan) -> list[str]:
    """Return files in the folders of results that no task of the plan makes."""
    evaluated = [task for task in task_types() if task.evaluated and task.kind != "dataset"]
    files = (
        f"{inside}/{name}"
        for folder in (task.pattern.partition("/")[0] for task in evaluated)
        for inside, _, names in os.walk(f"{plan.results}/{folder}")
        for name in names
        if name.endswith(".parquet") and not name.startswith(".")
    )
    planned = {t.path for task in plan.tasks.values() for t in task.members(plan)}
    return sorted(path for path in files if path not in planned)


def _check_places(files: Sequence[File[SearchTask]], table: pa.Table, plan: Plan) -> None:
    """Check that every shard holds exactly the rows of its place, each of them once."""
    tasks, lengths, _ = zip(*files, strict=True)
    sizes: dict[tuple[str, str, str], int] = {}
    for run in plan.runs:
        place = run.selector, run.tau, run.search
        sizes[place] = sizes.get(place, 0) + run.n_alternatives + 1
    expected = np.array([sizes[task.selector, task.tau, task.search] for task in tasks])
    _refuse(tasks, np.flatnonzero(np.array(lengths) != expected), "lacks or repeats rows")
    owner = _check_owners(files, table)
    inner = [c for c in _KEY if c not in Place._fields]
    repeated = table.select(inner).to_pandas().assign(owner=owner).duplicated().to_numpy()
    _refuse(tasks, owner[repeated], "repeats a feature set")


def _check_owners(files: Sequence[File[Any]], table: pa.Table) -> npt.NDArray[np.int64]:
    """Check that each row is of its file's place; return the number of the file of each row."""
    tasks, lengths, _ = zip(*files, strict=True)
    owner = np.repeat(np.arange(len(tasks)), lengths)
    # Those in its path.
    for column in tasks[0].wildcards:
        held = table[column]
        right = pa.array([getattr(t, column) for t in tasks], held.type).take(pa.array(owner))
        wrong = pc.not_equal(held, right).fill_null(True).to_numpy()
        _refuse(tasks, owner[wrong], f"holds rows of another {column}")
    return owner


def _refuse(tasks: Sequence[Task], wrong: Any, what: str) -> None:
    """Raise an error that names the first of the wrong files, if there are any."""
    if len(wrong):
        raise stale(tasks[wrong[0]].path, what)


def _in_order(table: pa.Table, plan: Plan) -> pa.Table:
    """Sort feature sets: names as they are configured, tau by size, aggregations by letter."""
    orders = {**plan.orders(), "tau": sorted(plan.sizes_by_tau, key=float)}
    keys = []
    for name in _KEY:
        column = table[name].combine_chunks()
        if pa.types.is_string(column.type):
            values = orders.get(name) or sorted(column.unique().to_pylist())
            column = pc.index_in(column, pa.array(values, pa.string()))
        keys.append(np.asarray(column))
    return table.take(np.lexsort(keys[::-1]))


def with_scores(
    plan: Plan,
    table: pa.Table,
    trained: pa.Table | None,
    lacking: Callable[[str, int, str, int], None],
) -> pa.Table:
    """Return the feature sets of a dataset with a column for each model's scores on each part.

    The columns are ``{model}_train_score`` and ``{model}_test_score``, and the ``metric`` of
    the scores; null if there is no score. Scores by a further metric are in
    ``{model}_train_{metric}`` and ``{model}_test_{metric}``. `trained` has a row for each distinct
    set of a fold, model and metric. `lacking` is called with dataset, fold, model and the number of
    feature sets without a score.
    """
    dataset = table["dataset"][0].as_py()
    first, *further = plan.metrics(dataset)
    models = sorted(plan.model_entries)
    exists = np.asarray(pc.greater(pc.list_value_length(table["selected"]), 0))
    places, folds = pd.Index(_places(table)), table["fold"].to_numpy()
    columns = ["model", "metric", "train_score", "test_score"]
    scores = pd.DataFrame(columns=["place", *columns])
    if trained is not None:
        scores = trained.select(columns).to_pandas().assign(place=_places(trained))
    scored = np.zeros(len(table), dtype=bool)
    # The first metric of all models comes first.
    for model, metric in (*product(models, [first]), *product(models, sorted(further))):
        rows = scores[(scores["model"] == model) & (scores["metric"] == metric)].set_index("place")
        if metric == first:
            there = places.isin(rows.index)
            scored |= there
            for fold, n in zip(*np.unique(folds[exists & ~there], return_counts=True), strict=True):
                lacking(dataset, int(fold), model, int(n))
        for part in ("train", "test"):
            values = rows[f"{part}_score"].reindex(places).to_numpy(float)
            end = "score" if metric == first else metric
            name = f"{model}_{part}_{end}"
            table = table.append_column(name, pa.array(values, from_pandas=True))
    metrics = pa.array([first if one else None for one in scored], pa.string())
    return table.append_column("metric", metrics)


def _places(table: pa.Table) -> npt.NDArray[Any]:
    """Return fold and features of each row, as one text."""
    fold, flat = (table[name].combine_chunks() for name in ("fold", "selected"))
    numbers = pa.ListArray.from_arrays(flat.offsets, pc.cast(flat.values, pa.string()))
    parts = (pc.cast(fold, pa.string()), pc.binary_join(numbers, ","))
    return np.asarray(pc.binary_join_element_wise(*parts, "|").to_numpy(zero_copy_only=False))


def learning_seconds(plan: Plan, dataset: str) -> dict[str, float | None]:
    """Return the CPU seconds of each selector's qualities and scores on all folds of a dataset.

    A score counts for every selector that reads it. A selector is None if the files do not say
    all of its seconds, or if it learns in every search.
    """

    @cache
    def of_score(fold: int, score: StoredScore) -> float | None:
        whole = plan.score_task(dataset, fold, score)
        return _added(map(_seconds, (whole, *whole.columns())))

    def of_selector(fold: int, selector: str) -> float | None:
        learning = _seconds(plan.quality_task(dataset, fold, selector))
        return _added([learning, *(of_score(fold, score) for score in plan.scores_of(selector))])

    return {
        name: _added(of_selector(fold, name) for fold in range(plan.config.folds.number))
        if plan.stores_quality(name)
        else None
        for name in plan.selectors_on(dataset)
    }


def over_datasets(portions: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return the seconds of each selector on all datasets; None if those on one are not known.

    >>> over_datasets([{"mrmr": 1.0, "rar": 2.0}, {"mrmr": 0.5, "rar": None}])
    {'mrmr': 1.5, 'rar': None}
    """
    each = list(portions)
    names = dict.fromkeys(chain.from_iterable(each))
    return {name: _added(one[name] for one in each if name in one) for name in names}


def _added(values: Iterable[float | None]) -> float | None:
    every = list(values)
    return None if None in every else sum(value for value in every if value is not None)


def _seconds(task: Task) -> float | None:
    try:
        metadata = read_metadata(Path(task.path))
    except StaleResultError:
        return None
    return metadata.get("cpu_seconds") if metadata.get("task_hash") == task.hash else None


def _overview(plan: Plan, reader: Reader, name: str) -> dict[str, Any] | None:
    task = next(task for task in plan.tasks_on(name) if isinstance(task, DataTask))
    table, files = reader.read([task])
    if table is None:
        return None
    metadata = files[0].metadata
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
        "copies": info["duplicated"],
    }


def _scores(wide: pa.Table, plan: Plan) -> Iterator[pa.Table]:
    """Yield a row for each score of a set, model by model: by first metrics, then by others."""
    models = plan.model_entries
    for model, metric in (*product(models, [""]), *product(models, METRICS)):
        names = [f"{model}_{part}_{metric or 'score'}" for part in ("train", "test")]
        if set(names) <= set(wide.column_names):
            rows = np.flatnonzero(wide[names[1]].is_valid())
            part = wide.select(["metric", *names]).take(rows)
            columns = [pa.array(rows, pa.int32()), pa.array([model] * len(rows)), part["metric"]]
            if metric:
                columns[2] = pa.array([metric] * len(rows))
            yield pa.table([*columns, part[names[0]], part[names[1]]], schema=_SCORES)


def _counted(notes: Iterable[Any]) -> list[dict[Any, Any]]:
    """Return notes of the same column and reason as one, with sums of their shards and rows."""
    table = pd.DataFrame(notes, columns=["column", "reason", "shards", "rows"])
    return table.groupby(["column", "reason"], as_index=False).sum().to_dict("records")


def design_of(plan: Plan) -> Design:
    """Return the design of a study."""
    config = plan.config
    search_options = {}
    for entry in config.searches:
        options = getattr(entry.make(), "options", None)
        values = {} if options is None else options.model_dump(mode="json")
        search_options[entry.name] = {key: finite_or_named(value) for key, value in values.items()}
    named = {entry.solver.type for entry in config.searches if entry.solver is not None}
    return Design(
        results=plan.results,
        name=config.name,
        plan=plan.hash,
        task_hash=hash_of(plan.evaluation),
        folds=config.folds.number,
        fold_words="" if config.folds.type == "stratified" else config.folds.words,
        seed=config.seed,
        # The plan has them by letter.
        datasets=tuple(
            DatasetDesign(
                name=entry.name, target_type=plan.facts[entry.name].target_type,
                n_rows=plan.facts[entry.name].n_rows, n_total=plan.facts[entry.name].n_total,
                metrics=tuple(plan.metrics(entry.name)), source=_source(sources.get(entry.type)),
            )
            for entry in config.datasets
        ),
        selectors=tuple(
            SelectorDesign(
                name=entry.name, type=entry.type, options=entry.options, streams=entry.streams,
                conditions=_has_conditions(config, entry),
                datasets=None if entry.datasets is None else tuple(entry.datasets),
                about=_first_sentence(selectors.get(entry.type)),
                source=_source(selectors.get(entry.type)),
            )
            for entry in config.selectors
        ),
        searches=tuple(
            SearchDesign(
                name=entry.name, type=entry.type, options=search_options[entry.name],
                n_alternatives=tuple(entry.n_alternatives), aggregation=tuple(entry.aggregation),
                datasets=None if entry.datasets is None else tuple(entry.datasets),
                about=_first_sentence(searches.get(entry.type)),
                source=_source(searches.get(entry.type)),
            )
            for entry in config.searches
        ),
        models=tuple(plan.model_entries),
        taus=tuple(plan.sizes_by_tau),
        sizes={stored_size(k): str(k) for k in config.n_features},
        dissimilarity=config.dissimilarity,
        # Results are stored by the largest size of a range.
        runs=tuple(
            RunDesign(*run[:3], stored_size(run.n_features), *run[4:]) for run in plan.runs
        ),
        # Other solvers by name are only called if a search names them.
        evaluating=(*sorted(name for name in named if solvers.get(name).by_name_only), _CLIMBER),
        tables=tuple(plan.tables),
        figures=tuple(plan.figures),
        long_tables=tuple(plan.long_tables),
    )  # fmt: skip


def _has_conditions(config: StudyConfig, entry: SelectorEntry) -> bool:
    """Return True if some sets of a selector are forbidden, by it or by a constraint."""
    own = selectors.get(entry.type).forbids_sets or entry.streams
    return own or any(entry.name in (c.selectors or [entry.name]) for c in config.constraints)


def _first_sentence(component: type[object]) -> str:
    """Return what a component is, as plain text and without places in a paper."""
    text = re.sub(r" \([^()]*(?:paper|Equation)[^()]*\)", "", _paragraphs(component)[0])
    return text.replace("``", "").replace("R^2", "R²")


def _source(component: type[object]) -> str:
    """Return the paragraph of the documentation that says where a method or data come from."""
    of_it = [text for text in _paragraphs(component) if text.startswith("Source: ")]
    return of_it[0].removeprefix("Source: ") if of_it else ""


def _paragraphs(component: type[object]) -> list[str]:
    # A class inherits the documentation of its base only if it has none itself.
    return [text.replace("\n", " ") for text in (inspect.getdoc(component) or "").split("\n\n")]


def _store_portion(plan: Plan, dataset: str, portion: Portion) -> None:
    """Write the feature sets of a dataset with their scores, what else it has, and the notes.

    A dataset without rows gets no file of them.
    """
    metadata = design_of(plan).table_metadata()
    notes, sets, *more = plan.collected_portion(dataset)
    if portion.table is None:
        Path(sets).unlink(missing_ok=True)
    else:
        write_table(Path(sets), portion.table, metadata)
    for path, name in zip(more, plan.long_tables, strict=True):
        write_table(Path(path), portion.more[name], metadata)
    write_text(Path(notes), json.dumps(portion.notes, indent=1) + "\n")


def _joined(paths: Iterable[str]) -> pa.Table:
    """Read stored tables as one."""
    tables = [pq.read_table(p, partitioning=None).replace_schema_metadata(None) for p in paths]
    # Datasets with other metrics have other columns.
    return pa.concat_tables(tables, promote_options="default")


def _combine(plan: Plan) -> None:
    """Write the results of all datasets, in the configured order, and the design."""
    design = design_of(plan)
    notes_path, design_path, *paths = map(Path, plan.combined_paths())
    portions = map(plan.collected_portion, plan.orders()["dataset"])
    note_paths, set_paths, *more_paths = zip(*portions, strict=True)
    each = [read_json(path) for path in note_paths]
    ledger = Ledger(plan.results)
    for note in each:
        ledger.learn(note["learned"])
    ledger.save()
    wide = _joined(filter(os.path.exists, set_paths)).combine_chunks()
    scores = pa.concat_tables([_SCORES.empty_table(), *_scores(wide, plan)])
    more = map(_joined, more_paths)
    whole = wide.select(SHARD_SCHEMA.names), scores, *more
    for path, table in zip(paths, whole, strict=True):
        write_table(path, table, design.table_metadata())
    write_text(design_path, design.dump())
    # A file is replaced as a whole, so its stamp tells one version from another.
    files = (file for name in plan.facts for file in plan.evaluated(name))
    stamps = [(file, stamp_of(file)) for file in files]
    seen = "".join(f"{file} {stamp}\n" for file, stamp in stamps)
    datasets = [note["dataset"] for note in each if note["dataset"]]
    notes = {
        "files": sum(stamp is not None for _, stamp in stamps),
        "sha256": hashlib.sha256(seen.encode()).hexdigest(),
        "datasets": [
            {k: v for k, v in row.items() if k not in ("relevant", "copies")} for row in datasets
        ],
        "notes": _counted(chain.from_iterable(note["notes"] for note in each)),
        "missing": [*chain.from_iterable(note["missing"] for note in each)],
        "learning": over_datasets(note["learning"] for note in each),
        "foreign": foreign_files(plan),
        "relevant": {row["dataset"]: row["relevant"] for row in datasets},
        "copies": {row["dataset"]: row["copies"] for row in datasets},
    }
    write_text(notes_path, json.dumps(notes, indent=1) + "\n")
