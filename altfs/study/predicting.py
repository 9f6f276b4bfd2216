"""Predictions: a model trained on every distinct feature set of a fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from altfs._clock import cpu_clock
from altfs.prediction.base import models
from altfs.prediction.metrics import score_by
from altfs.problem import FeatureIndices
from altfs.study.store import PREDICTION_SCHEMA, read_current, read_metadata, write_result

if TYPE_CHECKING:
    from altfs.study.tasks import PredictTask

# A killed job loses at most this much work. The content of files does not depend on it.
_SECONDS_BETWEEN_SAVES = 30.0


def make_predictions(task: PredictTask, sets: Iterable[FeatureIndices]) -> None:
    """Train one model on every distinct feature set without a score, and store all scores."""
    output = Path(task.path)
    checkpoint = output.with_name(f".{output.name}.checkpoint")
    scores: dict[FeatureIndices, list[dict[str, Any]]] = {}
    cpu_seconds, before = 0.0, cpu_clock()
    for path in (output, checkpoint):
        if (table := read_current(path, task.hash)) is not None:
            scores |= _by_set(table.to_pylist())
            cpu_seconds = max(cpu_seconds, read_metadata(path).get("cpu_seconds", 0.0))
    distinct = sorted(set(sets))
    missing = [s for s in distinct if s not in scores]
    print(f"{len(distinct)} feature sets, {len(missing)} of them new")

    def save(path: Path) -> None:
        table = _table(row for s in sorted(scores) for row in scores[s])
        spent = cpu_seconds + cpu_clock() - before
        write_result(path, task.kind, task.hash, (table, {}), spent)

    saved = monotonic()
    for rows in _trained(task, missing):
        scores |= _by_set(rows)
        if monotonic() - saved > _SECONDS_BETWEEN_SAVES:
            save(checkpoint)
            saved = monotonic()
    save(output)
    checkpoint.unlink(missing_ok=True)


def prediction_table(task: PredictTask, sets: Iterable[FeatureIndices]) -> pa.Table:
    """Train one model on every feature set, and return the scores."""
    return _table(row for rows in _trained(task, sets) for row in rows)


def _by_set(rows: Iterable[dict[str, Any]]) -> dict[FeatureIndices, list[dict[str, Any]]]:
    grouped: dict[FeatureIndices, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(tuple(row["selected"]), []).append(row)
    return grouped


def _table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=PREDICTION_SCHEMA)


def _trained(task: PredictTask, sets: Iterable[FeatureIndices]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of each set: one for each metric."""
    train, test = task.parts()
    model = models.make(task.component.type, task.component.options)
    for chosen in sets:
        start = perf_counter()
        columns = list(chosen)
        estimator = model.estimator(train.target_type, train.seed)
        estimator.fit(train.rows_for(estimator)[:, columns], train.y)
        predicted = [
            (part.y, estimator.predict(part.rows_for(estimator, as_in=train)[:, columns]))
            for part in (train, test)
        ]
        rows = []
        for metric in task.metrics:
            train_score, test_score = (float(score_by(metric, *pair)) for pair in predicted)
            rows.append(
                {
                    "dataset": task.dataset,
                    "fold": task.fold,
                    "model": task.model,
                    "selected": columns,
                    "metric": metric,
                    "train_score": train_score,
                    "test_score": test_score,
                    "seconds": perf_counter() - start,
                }
            )
        yield rows
