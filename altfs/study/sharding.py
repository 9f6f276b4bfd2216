"""The task that makes a shard: one search at one tau on one fold."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any

import pyarrow as pa

from altfs.constraints import Constraints
from altfs.dissimilarity import max_overlap
from altfs.quality import Quality
from altfs.results import SearchResult
from altfs.searches.base import Search
from altfs.selectors.base import Qualities, selectors
from altfs.solvers.base import Limits
from altfs.study.folds import fold_parts, load_planned_dataset
from altfs.study.scoring import read_scores
from altfs.study.store import (
    SCHEMA_VERSION,
    SHARD_SCHEMA,
    content_digest,
    library_versions,
    task_hash,
    write_table,
)


def make_shard(
    arguments: Mapping[str, Any],
    search: Search,
    constraints_of: Callable[[Quality, int], Constraints],
) -> None:
    """Run every (n_features, n_alternatives, aggregation) of a shard and store it.

    Parameters
    ----------
    arguments : mapping
        Of the task.
    search : Search
    constraints_of : callable
        The constraints of the runs of one size, by what makes a set good and that size.
    """
    qualities = qualities_of(arguments)
    entry = arguments["search"]
    limits = Limits(**arguments["limits"])
    rows: list[dict[str, Any]] = []
    for k in arguments["n_features"]:
        overlap = max_overlap(arguments["tau"], k)
        constraints = constraints_of(qualities.train, k)
        for n_alternatives in entry["n_alternatives"]:
            for aggregation in entry["aggregation"] or ["none"]:
                result = search.search(
                    qualities.train,
                    n_features=k,
                    n_alternatives=n_alternatives,
                    max_overlap=overlap,
                    aggregation=aggregation,
                    limits=limits,
                    constraints=constraints,
                )
                rows += _rows(arguments, qualities, result, overlap)
    table = pa.Table.from_pylist(rows, schema=SHARD_SCHEMA)
    metadata = {
        "kind": "shard",
        "schema_version": SCHEMA_VERSION,
        "task_hash": task_hash(arguments),
        "digest": content_digest(table),
        "task": {name: value for name, value in arguments.items() if name != "files"},
        "versions": library_versions(),
        "notes": {"test_objective": qualities.note} if qualities.note else {},
    }
    write_table(Path(arguments["output"]), table, metadata)


def qualities_of(arguments: Mapping[str, Any]) -> Qualities:
    """What the selector of a shard learned on its fold."""
    names = ("digest", "fold", "folds", "seed", "selector", "files")
    return _qualities(json.dumps({n: arguments[n] for n in names}, sort_keys=True))


@lru_cache(maxsize=4)
def _qualities(key: str) -> Qualities:
    """What the selector learned on a fold.

    All shards of a fold and selector share it, and with it the feature sets
    that a wrapper has already evaluated.
    """
    wanted = json.loads(key)
    fold = (wanted["digest"], wanted["fold"], wanted["folds"], wanted["seed"])
    train, test = fold_parts(wanted["files"]["data"], *fold)
    read_scores(train, wanted["files"]["scores"], "train")
    read_scores(test, wanted["files"]["scores"], "test")
    component = selectors.get(wanted["selector"]["type"])
    options = component.Options.model_validate(wanted["selector"]["options"])
    return component(options).fit(train, test)


def _rows(
    arguments: Mapping[str, Any], qualities: Qualities, result: SearchResult, overlap: int
) -> list[dict[str, Any]]:
    dataset = load_planned_dataset(arguments["files"]["data"], arguments["digest"])
    names = dataset.feature_names
    rows = []
    for i, chosen in enumerate(result.sets):
        rows.append(
            {
                "dataset": arguments["dataset"],
                "fold": arguments["fold"],
                "selector": arguments["selector"]["name"],
                "tau": arguments["tau"],
                "search": arguments["search"]["name"],
                "n_features": result.n_features,
                "n_alternatives": result.n_alternatives,
                "aggregation": result.aggregation,
                "set_index": i,
                "max_overlap": overlap,
                "selected": list(chosen),
                "feature_names": [names[j] for j in chosen],
                "train_objective": _number(result.objectives[i]),
                "test_objective": _test_objective(qualities, chosen),
                "bound": _number(result.bound[i]),
                "run_objective": _number(result.run_objective),
                "run_bound": _number(result.run_bound),
                "status": str(result.status[i]),
                "solver": result.solvers[i],
                "work": result.work[i],
                "seconds": result.seconds[i],
            }
        )
    return rows


def _test_objective(qualities: Qualities, chosen: tuple[int, ...]) -> float | None:
    if not chosen or qualities.test is None:
        return None
    return _number(qualities.test.evaluate(chosen))


def _number(value: float) -> float | None:
    return None if isnan(value) else value
