"""Shards of searches that need more than a quality: a seed, or constraints.

They are made beside :mod:`altfs.study.sharding`, not in it, because a shard's
hash covers the code that made it: shards that need nothing of this stay as they
are when it changes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import max_overlap
from altfs.quality import Quality
from altfs.searches._seeded import SeededSearch
from altfs.searches.base import Search, searches
from altfs.selectors.base import Qualities
from altfs.solvers.base import Limits
from altfs.study import sharding
from altfs.study.constraining import constraints_for
from altfs.study.folds import load_planned_dataset
from altfs.study.store import (
    SCHEMA_VERSION,
    SHARD_SCHEMA,
    content_digest,
    library_versions,
    task_hash,
    write_table,
)


def is_special(arguments: Mapping[str, Any]) -> bool:
    """Whether a shard is made here and not by :func:`altfs.study.sharding.make_shard`."""
    component = searches.get(arguments["search"]["type"])
    return "constraints" in arguments or issubclass(component, SeededSearch)


def make_shard(arguments: Mapping[str, Any]) -> None:
    """Run every (n_features, n_alternatives, aggregation) of any shard and store it."""
    if not is_special(arguments):
        sharding.make_shard(arguments)
        return
    qualities = qualities_of(arguments)
    rows: list[dict[str, Any]] = []
    search = _search(arguments)
    limits = Limits(**arguments["limits"])
    entry = arguments["search"]
    for k in arguments["n_features"]:
        overlap = max_overlap(arguments["tau"], k)
        constraints = constraints_of(arguments, qualities.train, k)
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
                rows += sharding._rows(arguments, qualities, result, overlap)
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
    return sharding._qualities(json.dumps({n: arguments[n] for n in names}, sort_keys=True))


def constraints_of(arguments: Mapping[str, Any], quality: Quality, n_features: int) -> Constraints:
    """The constraints of a shard's runs of one size."""
    if "constraints" not in arguments:
        return NO_CONSTRAINTS
    dataset = load_planned_dataset(arguments["files"]["data"], arguments["digest"])
    limits = Limits(**arguments["limits"])
    return constraints_for(
        arguments["constraints"], dataset.feature_names, quality, n_features, limits
    )


def draw_seed(arguments: Mapping[str, Any]) -> int:
    """The seed of a shard's random search, out of the study's.

    Datasets, folds and taus have seeds of their own. Selectors have not: where
    nothing forbids it, their qualities are compared with those of the same sets.
    """
    names = ("seed", "dataset", "fold", "tau")
    text = json.dumps([arguments[name] for name in names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def _search(arguments: Mapping[str, Any]) -> Search:
    component = searches.get(arguments["search"]["type"])
    if issubclass(component, SeededSearch):
        return component(draw_seed(arguments))
    return component()
