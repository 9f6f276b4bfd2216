"""Collected results, which tasks write for those of tables, figures and the page."""

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from altfs.evaluation.collect.combine import Collected, Portion, combine_portions
from altfs.study.plan import Plan, load_plan
from altfs.study.state import stamp_of, table_metadata
from altfs.study.store import write_table, write_text


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
    for path, name in zip(more, plan.long_tables, strict=True):
        write_table(Path(path), portion.more[name], metadata)
    write_text(
        Path(notes), json.dumps({**portion.notes, "learned": learned or {}}, indent=1) + "\n"
    )


def stored_portion(plan: Plan, dataset: str) -> Portion:
    """Read the results of a dataset."""
    notes, sets, *_ = map(Path, plan.collected_portion(dataset))
    return Portion(
        _table(sets) if sets.exists() else None,
        {name: _table(plan.portion_table_path(dataset, name)) for name in plan.long_tables},
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
    for path, name in zip(more, plan.long_tables, strict=True):
        write_table(Path(path), results.more[name], metadata)
    # A file is replaced as a whole, so its stamp tells one version from another.
    files = (file for name in plan.facts for file in plan.evaluated(name))
    stamps = [(file, stamp_of(file)) for file in files]
    seen = "".join(f"{file} {stamp}\n" for file, stamp in stamps)
    content = {
        "files": sum(stamp is not None for _, stamp in stamps),
        "sha256": hashlib.sha256(seen.encode()).hexdigest(),
        **collected.notes,
    }
    write_text(Path(plan.collected_path()), json.dumps(content, indent=1) + "\n")


def stored_results(plan: Plan) -> Collected:
    """Read the collected results of a study; a worker reads them once for all of its tasks."""
    return _read(plan.results, str(stamp_of(plan.collected_path())))


@lru_cache(maxsize=1)
def _read(results: str, _stamp: str) -> Collected:
    plan = load_plan(results)
    notes = json.loads(Path(plan.collected_path()).read_text("utf-8"))
    return combine_portions(plan, stored_portions(plan), notes["foreign"])
