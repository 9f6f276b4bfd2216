"""Collected results, which tasks write for those of tables, figures and the page."""

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from altfs.evaluation.collect.combine import Collected, Portion, combine_portions
from altfs.evaluation.collect.results import StudyResults
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
    """Write the results of each dataset, and what combines them."""
    for name, portion in collected.portions.items():
        store_portion(plan, name, portion)
    store_combined(plan, collected)


def store_portion(
    plan: Plan, dataset: str, portion: Portion, learned: dict[str, Any] | None = None
) -> None:
    """Write the feature sets of a dataset with their scores, what else it has, and the notes.

    A dataset without rows gets no file of them. `learned` are the files that were found whole.
    """
    metadata = table_metadata(plan)
    notes, sets, *more = plan.collected_portion(dataset)
    if portion.table is None:
        Path(sets).unlink(missing_ok=True)
    else:
        write_table(Path(sets), portion.table, metadata)
    for path, table in zip(more, _further(plan, portion), strict=True):
        write_table(Path(path), table, metadata)
    write_text(
        Path(notes), json.dumps({**portion.notes, "learned": learned or {}}, indent=1) + "\n"
    )


def _further(plan: Plan, found: Portion | StudyResults) -> Iterator[Any]:
    """Yield the fronts and the explanations, as far as the study has them."""
    if has_fronts(plan.config):
        yield FRONT_SCHEMA.empty_table() if found.fronts is None else found.fronts
    if has_explanations(plan.config):
        rows = found.explanations
        yield EXPLANATION_SCHEMA.empty_table() if rows is None else rows


def stored_portion(plan: Plan, dataset: str) -> Portion:
    """Read the results of a dataset."""
    notes, sets, *_ = map(Path, plan.collected_portion(dataset))
    return Portion(
        _table(sets) if sets.exists() else None,
        _table(plan.portion_fronts_path(dataset)) if has_fronts(plan.config) else None,
        _table(plan.portion_explanations_path(dataset)) if has_explanations(plan.config) else None,
        json.loads(notes.read_text("utf-8")),
    )


def _table(path: str | Path) -> Any:
    return pq.read_table(path, partitioning=None).replace_schema_metadata(None)


def stored_portions(plan: Plan) -> dict[str, Portion]:
    """Read the results of all datasets."""
    return {entry.name: stored_portion(plan, entry.name) for entry in plan.config.datasets}


def store_combined(plan: Plan, collected: Collected) -> None:
    """Write the feature sets of all datasets, what else they have, and the notes."""
    metadata = table_metadata(plan)
    results = collected.results
    _, sets, *more = plan.combined_paths()
    write_table(Path(sets), results.table, metadata)
    for path, table in zip(more, _further(plan, results), strict=True):
        is_front = path == plan.front_points_path()
        write_table(Path(path), table.select(_OF_POINTS) if is_front else table, metadata)
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
    return combine_portions(plan, stored_portions(plan), notes["foreign"])
