"""The task that trains a model on every distinct feature set of a fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np
import pyarrow as pa

from altfs.errors import StaleResultError
from altfs.prediction.base import models
from altfs.prediction.metrics import metric_name, prediction_score
from altfs.selectors.part import Part
from altfs.study.folds import fold_parts
from altfs.study.store import (
    PREDICTION_SCHEMA,
    SCHEMA_VERSION,
    content_digest,
    read_table,
    task_hash,
    write_table,
)

# What was trained is saved this often, so that a killed job loses little. Only
# when files are written depends on time, never what is in them.
_SECONDS_BETWEEN_SAVES = 30.0


def make_predictions(arguments: Mapping[str, Any], sets: Iterable[tuple[int, ...]]) -> None:
    """Train one model on every feature set, except where that has been done.

    Parameters
    ----------
    arguments : mapping
        Of the task.
    sets : iterable of tuple of int
        The feature sets; repetitions are trained once.
    """
    output = Path(arguments["output"])
    checkpoint = output.with_name(f".{output.name}.checkpoint")
    identity = task_hash(arguments)
    known = _known(output, identity) | _known(checkpoint, identity)
    wanted = sorted({tuple(s) for s in sets})
    missing = [s for s in wanted if s not in known]
    print(f"{len(wanted)} feature sets, {len(missing)} of them new")
    train, test = fold_parts(
        arguments["files"]["data"],
        *(arguments[name] for name in ("digest", "fold", "folds", "seed")),
    )
    saved = monotonic()
    for chosen in missing:
        known[chosen] = _train(arguments, train, test, chosen)
        if monotonic() - saved > _SECONDS_BETWEEN_SAVES:
            _save(checkpoint, identity, known)
            saved = monotonic()
    _save(output, identity, known)
    checkpoint.unlink(missing_ok=True)


def _train(
    arguments: Mapping[str, Any], train: Part, test: Part, chosen: tuple[int, ...]
) -> dict[str, Any]:
    start = perf_counter()
    columns = list(chosen)
    estimator = models.get(arguments["model"])().estimator(train.target_type, train.seed)
    estimator.fit(train.X[:, columns], train.y)
    scores = [
        prediction_score(part.target_type, part.y, estimator.predict(part.X[:, columns]))
        for part in (train, test)
    ]
    return {
        "dataset": arguments["dataset"],
        "fold": arguments["fold"],
        "model": arguments["model"],
        "selected": columns,
        "metric": metric_name(train.target_type),
        "train_score": float(np.float64(scores[0])),
        "test_score": float(np.float64(scores[1])),
        "seconds": perf_counter() - start,
    }


def _known(path: Path, identity: str) -> dict[tuple[int, ...], dict[str, Any]]:
    """What an earlier run trained with the same data, settings and code."""
    if not path.exists():
        return {}
    try:
        table, metadata = read_table(path)
    except StaleResultError:
        return {}
    current = metadata.get("task_hash") == identity
    if not current or metadata.get("digest") != content_digest(table):
        return {}
    return {tuple(row["selected"]): row for row in table.to_pylist()}


def _save(path: Path, identity: str, known: Mapping[tuple[int, ...], dict[str, Any]]) -> None:
    rows = [known[chosen] for chosen in sorted(known)]
    table = pa.Table.from_pylist(rows, schema=PREDICTION_SCHEMA)
    metadata = {
        "kind": "predictions",
        "schema_version": SCHEMA_VERSION,
        "task_hash": identity,
        "digest": content_digest(table),
    }
    write_table(path, table, metadata)
