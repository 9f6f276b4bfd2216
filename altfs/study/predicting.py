"""Predictions: a model trained on every distinct feature set of a fold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from altfs._clock import cpu_clock
from altfs.prediction.base import models
from altfs.prediction.metrics import score_by, score_of_counts
from altfs.prediction.set_trees import SetTrees
from altfs.problem import FeatureIndices
from altfs.study.store import (
    PREDICTION_SCHEMA,
    read_current,
    read_metadata,
    stale,
    write_result,
)

if TYPE_CHECKING:
    from altfs.study.tasks import ModelTask, PredictPartTask, PredictTask

# A killed job loses at most this much work. The content of files does not depend on it.
_SECONDS_BETWEEN_SAVES = 30.0
# Sets whose compiled trees are grown in one call.
_SETS_OF_A_CHUNK = 16


def make_predictions(
    task: ModelTask,
    sets: Iterable[FeatureIndices],
    n_alike: int = 1,
    whole: PredictTask | None = None,
) -> None:
    """Train one model on every distinct feature set without a score, and store all scores.

    A part of the sets takes the scores that the `whole` file already has. `n_alike` is how
    many such tasks count when the worth of compiling trees is judged.
    """
    output = Path(task.path)
    checkpoint = output.with_name(f".{output.name}.checkpoint")
    cpu_seconds, before = 0.0, cpu_clock()
    scores: dict[FeatureIndices, list[dict[str, Any]]] = {}
    for path in (output, checkpoint):
        if (table := read_current(path, task.hash)) is not None:
            scores |= _by_set(table.to_pylist())
            cpu_seconds = max(cpu_seconds, read_metadata(path).get("cpu_seconds", 0.0))
    distinct = sorted(set(sets))
    if whole is not None and (table := read_current(Path(whole.path), whole.hash)) is not None:
        earlier = _by_set(table.to_pylist())
        scores = {s: earlier[s] for s in distinct if s in earlier} | scores
    missing = [s for s in distinct if s not in scores]
    print(f"{len(distinct)} feature sets, {len(missing)} of them new")

    def save(path: Path) -> None:
        spent = cpu_seconds + cpu_clock() - before
        write_result(path, task.kind, task.hash, (_sorted_table(scores), {}), spent)

    saved = monotonic()
    for rows in _trained(task, missing, n_alike):
        scores |= _by_set(rows)
        if monotonic() - saved > _SECONDS_BETWEEN_SAVES:
            save(checkpoint)
            saved = monotonic()
    save(output)
    checkpoint.unlink(missing_ok=True)


def join_predictions(task: PredictTask, parts: Sequence[PredictPartTask]) -> None:
    """Store the scores of all parts, and those that the file already has, in one file."""
    before = cpu_clock()
    scores: dict[FeatureIndices, list[dict[str, Any]]] = {}
    if (table := read_current(Path(task.path), task.hash)) is not None:
        scores |= _by_set(table.to_pylist())
    for part in parts:
        if (table := read_current(Path(part.path), part.hash)) is None:
            raise stale(part.path, part.other)
        scores |= _by_set(table.to_pylist())
    print(f"{len(scores)} feature sets of {len(parts)} parts")
    table = _sorted_table(scores)
    write_result(Path(task.path), task.kind, task.hash, (table, {}), cpu_clock() - before)


def prediction_table(task: ModelTask, sets: Sequence[FeatureIndices]) -> pa.Table:
    """Train one model on every feature set by scikit-learn alone, and return the scores."""
    return _table(row for rows in _trained(task, sets) for row in rows)


def _by_set(rows: Iterable[dict[str, Any]]) -> dict[FeatureIndices, list[dict[str, Any]]]:
    grouped: dict[FeatureIndices, list[dict[str, Any]]] = {}
    for row in rows:
        grouped.setdefault(tuple(row["selected"]), []).append(row)
    return grouped


def _sorted_table(scores: dict[FeatureIndices, list[dict[str, Any]]]) -> pa.Table:
    return _table(row for s in sorted(scores) for row in scores[s])


def _table(rows: Iterable[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=PREDICTION_SCHEMA)


def _trained(
    task: ModelTask, sets: Sequence[FeatureIndices], n_alike: int = 0
) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of some sets, a row for each metric of a set.

    Trees may be compiled for `n_alike` such tasks; if it is 0, scikit-learn grows all of them.
    """
    train, test = task.parts()
    model = models.make(task.component.type, task.component.options)
    estimator = model.estimator(train.target_type, train.seed)
    X = train.rows_for(estimator), test.rows_for(estimator, as_in=train)
    trees = None
    if n_alike and train.target_type != "regression":
        y = np.concatenate([train.y, test.y])
        trees = SetTrees.of(estimator, np.vstack(X), y, len(train.y), n_alike * len(sets))
    start = perf_counter()
    for i in range(0, len(sets), _SETS_OF_A_CHUNK if trees else 1):
        if trees is not None:
            chunk = sets[i : i + _SETS_OF_A_CHUNK]
            scores = [
                [[score_of_counts(metric, counts) for counts in sides] for metric in task.metrics]
                for sides in trees.confusion(chunk)
            ]
        else:
            chunk, columns = sets[i : i + 1], list(sets[i])
            estimator = model.estimator(train.target_type, train.seed)
            estimator.fit(X[0][:, columns], train.y)
            pairs = [
                (part.y, estimator.predict(rows[:, columns]))
                for part, rows in zip((train, test), X, strict=True)
            ]
            scores = [[[score_by(metric, *pair) for pair in pairs] for metric in task.metrics]]
        seconds, start = (perf_counter() - start) / len(chunk), perf_counter()
        yield [
            {
                "dataset": task.dataset,
                "fold": task.fold,
                "model": task.model,
                "selected": list(chosen),
                "metric": metric,
                "train_score": train_score,
                "test_score": test_score,
                "seconds": seconds,
            }
            for chosen, by_metric in zip(chunk, scores, strict=True)
            for metric, (train_score, test_score) in zip(task.metrics, by_metric, strict=True)
        ]
