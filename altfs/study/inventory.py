"""Tasks of a study: the file that each makes, and the hash that the file has to have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from altfs.study.plan import Plan
from altfs.study.store import task_hash

#: The kinds of task, in the order in which they depend on one another.
KINDS = ("data", "score", "score_part", "quality", "search", "explain", "predict")


class Task(NamedTuple):
    """One task of a study, and the file that it makes."""

    #: One of :data:`KINDS`. Joining the parts of a score is a ``score``.
    kind: str
    dataset: str
    #: -1 for a dataset itself.
    fold: int
    #: The score, the selector or the model; empty for a dataset.
    detail: str
    path: str
    #: The task hash in the file's metadata; for a dataset its identity.
    expected: str


def tasks(plan: Plan) -> Iterator[Task]:
    """Yield the tasks of a plan, except those of the evaluation."""
    for dataset, facts in plan.facts.items():
        yield Task("data", dataset, -1, "", plan.data_path(dataset), facts.identity)
        for fold in range(plan.config.folds):
            yield from tasks_of_fold(plan, dataset, fold)


def tasks_of_fold(plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
    """Yield the tasks of one fold of a dataset."""

    def task(kind: str, detail: str, arguments: Mapping[str, Any]) -> Task:
        return Task(kind, dataset, fold, detail, arguments["output"], task_hash(arguments))

    for score in plan.scores(dataset):
        yield task("score", score, plan.score_arguments(dataset, fold, score))
        for part in plan.parts(dataset, score):
            yield task("score_part", score, plan.score_arguments(dataset, fold, score, part))
    for selector in filter(plan.stores_quality, plan.selectors_on(dataset)):
        yield task("quality", selector, plan.quality_arguments(dataset, fold, selector))
    for key in plan.shard_keys(dataset, fold):
        yield task("search", key.selector, plan.search_arguments(key))
    for key in plan.explanation_keys(dataset, fold):
        yield task("explain", key.selector, plan.explain_arguments(key))
    for model in plan.model_entries:
        yield task("predict", model, plan.predict_arguments(dataset, fold, model))


def files_to_evaluate(plan: Plan, dataset: str | None = None) -> list[str]:
    """Return the files that the evaluation reads: datasets, shards, explanations, predictions."""
    datasets = list(plan.facts) if dataset is None else [dataset]
    predictions = product(datasets, range(plan.config.folds), plan.model_entries)
    return [
        *map(plan.data_path, datasets),
        *map(plan.shard_path, plan.shard_keys(dataset)),
        *map(plan.explanation_path, plan.explanation_keys(dataset)),
        *(plan.prediction_path(*place) for place in predictions),
    ]


def log_path(plan: Plan, path: str) -> Path:
    """Return the log of the task that makes a file of the study."""
    inside = Path(path).relative_to(plan.results)
    return Path(plan.results, "logs", inside).with_suffix(".log")
