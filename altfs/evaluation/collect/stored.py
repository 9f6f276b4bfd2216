"""Collected results, which one task writes for those of tables, figures and the page."""

import hashlib
import json
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from altfs.evaluation.collect.load import Collected, results_of
from altfs.evaluation.collect.results import SET_KEY, StudyResults, as_sorted_frame
from altfs.prediction.metrics import METRICS
from altfs.study.catalogue import has_explanations, has_fronts
from altfs.study.inventory import files_to_evaluate
from altfs.study.ledger import stamp_of
from altfs.study.plan import Plan, load_plan
from altfs.study.reported import table_metadata
from altfs.study.store import EXPLANATION_SCHEMA, FRONT_SCHEMA, write_table, write_text

# The columns of a shard that describe a set of a front.
_OF_POINTS = [
    "dataset", "fold", "selector", "tau", "search", "n_features", "n_alternatives", "aggregation",
    "point", "set_index", "selected", "feature_names", "train_objective", "test_objective",
    "status", "objectives", "test_objectives",
]  # fmt: skip


def store_collected(plan: Plan, collected: Collected) -> None:
    """Write the feature sets of each dataset with their scores, all of them, and the notes.

    A dataset without rows gets no file.
    """
    metadata = table_metadata(plan)
    results = collected.results
    write_table(Path(plan.all_sets_path()), results.table, metadata)
    if has_fronts(plan.config):
        fronts = FRONT_SCHEMA.empty_table() if results.fronts is None else results.fronts
        write_table(Path(plan.front_points_path()), fronts.select(_OF_POINTS), metadata)
    if has_explanations(plan.config):
        found = results.explanations
        explanations = EXPLANATION_SCHEMA.empty_table() if found is None else found
        write_table(Path(plan.explanation_rows_path()), explanations, metadata)
    table = with_scores(results)
    owners = results.feature_sets["dataset"]
    for entry in plan.config.datasets:
        rows = np.flatnonzero(owners == entry.name)
        if len(rows):
            # The rows of a dataset lie together.
            path = Path(plan.dataset_sets_path(entry.name))
            write_table(path, table.slice(rows[0], len(rows)), metadata)
    # A file is replaced as a whole, so its stamp tells one version from another.
    stamps = [(file, stamp_of(file)) for file in files_to_evaluate(plan)]
    seen = "".join(f"{file} {stamp}\n" for file, stamp in stamps)
    content = {
        "files": sum(stamp is not None for _, stamp in stamps),
        "sha256": hashlib.sha256(seen.encode()).hexdigest(),
        **collected.notes,
    }
    write_text(Path(plan.collected_path()), json.dumps(content, indent=1) + "\n")


def stored_results(study: str) -> Collected:
    """Read the collected results of a study; a worker reads them once for all of its tasks."""
    plan = load_plan(study)
    return _read(study, str(stamp_of(plan.collected_path())))


@lru_cache(maxsize=1)
def _read(study: str, _stamp: str) -> Collected:
    plan = load_plan(study)
    notes = json.loads(Path(plan.collected_path()).read_text("utf-8"))
    paths = [plan.dataset_sets_path(entry.name) for entry in plan.config.datasets]
    parts = [pq.read_table(path, partitioning=None) for path in paths if Path(path).exists()]
    parts = [part.replace_schema_metadata(None) for part in parts]
    whole = pa.concat_tables(parts).combine_chunks()
    table = whole.select(pq.read_schema(plan.all_sets_path()).names)
    frame, order = as_sorted_frame(table, **plan.orders())
    fronts = None
    if has_fronts(plan.config):
        fronts = pq.read_table(plan.front_points_path(), partitioning=None)
    explanations = None
    if has_explanations(plan.config):
        explanations = pq.read_table(plan.explanation_rows_path(), partitioning=None)
    predictions = _predictions(plan, frame, whole)
    more = (fronts, explanations)
    results = results_of(plan, frame, table.take(order), predictions, notes, more)
    return Collected(results, notes)


def _predictions(
    plan: Plan, frame: pd.DataFrame, table: pa.Table
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return a row per feature set and model, and those by further metrics, from their columns."""
    parts: list[list[pd.DataFrame]] = [[], []]
    for model, metric in product(plan.model_entries, (None, *METRICS)):
        end = "score" if metric is None else metric
        columns = {f"{model}_{part}_{end}": f"{part}_score" for part in ("train", "test")}
        if not set(columns) <= set(table.column_names):
            continue
        scores = table.select(["metric", *columns]).to_pandas().rename(columns=columns)
        if metric is not None:
            scores["metric"] = metric
        scored = frame[SET_KEY].assign(model=model).join(scores)
        parts[metric is not None].append(scored[scored["test_score"].notna()])
    joined = pd.concat(parts[0], ignore_index=True)
    further = pd.concat(parts[1], ignore_index=True) if parts[1] else pd.DataFrame()
    return joined.astype({"model": "category", "metric": "category"}), further


def with_scores(results: StudyResults) -> Any:
    """Return the table of feature sets with a column for each model's scores on each part.

    The columns are ``{model}_train_score`` and ``{model}_test_score``, and the ``metric`` of
    the scores; null if there is no score. Scores by a further metric are in
    ``{model}_train_{metric}`` and ``{model}_test_{metric}``.
    """
    table: Any = results.table
    metric = pd.Series(None, index=results.feature_sets.index, dtype=object)
    for model, rows in results.scores().items():
        metric = metric.where(metric.notna(), rows["metric"].astype(object))
        for name in ("train_score", "test_score"):
            values = pa.array(rows[name].to_numpy(float), from_pandas=True)
            table = table.append_column(f"{model}_{name}", values)
    keys, further = results.feature_sets[SET_KEY], results.further
    groups = further.groupby(["model", "metric"], observed=True) if len(further) else ()
    for (owner, metric_name), rows in groups:
        own = keys.merge(rows, on=SET_KEY, how="left")
        for part in ("train", "test"):
            column = pa.array(own[f"{part}_score"].to_numpy(float), from_pandas=True)
            table = table.append_column(f"{owner}_{part}_{metric_name}", column)
    return table.append_column("metric", pa.array(metric, pa.string(), from_pandas=True))
