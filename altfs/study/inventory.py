"""Every task of a study: which file it makes, and what tells that the file is right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from altfs.study.plan import Plan
from altfs.study.scoring import parse_score
from altfs.study.store import task_hash

#: The kinds of task, in the order in which they depend on one another.
KINDS = ("data", "score", "score_part", "search", "predict")


class Task(NamedTuple):
    """One task of a study.

    Attributes
    ----------
    kind : str
        The rule: one of :data:`KINDS`; joining the parts of a score is a ``score``.
    dataset : str
    fold : int
        -1 for a dataset itself.
    detail : str
        The score, the selector or the model; empty for a dataset.
    path : str
        The file that it makes.
    expected : str
        What the file's metadata have to say: the task hash, for a dataset its identity.
    """

    kind: str
    dataset: str
    fold: int
    detail: str
    path: str
    expected: str


def tasks(plan: Plan) -> Iterator[Task]:
    """The tasks of a plan, the evaluation excepted."""
    for dataset, facts in plan.facts.items():
        yield Task("data", dataset, -1, "", plan.data_path(dataset), facts.identity)
        for fold in range(plan.config.folds):
            yield from tasks_of_fold(plan, dataset, fold)


def tasks_of_fold(plan: Plan, dataset: str, fold: int) -> Iterator[Task]:
    """The tasks of one fold of a dataset."""
    for score in plan.scores():
        arguments = plan.score_arguments(dataset, fold, score)
        path = plan.score_path(dataset, fold, score)
        yield Task("score", dataset, fold, score, path, task_hash(arguments))
        if parse_score(score)[0].of_pairs:
            for part, path in enumerate(plan.score_part_paths(dataset, fold, score)):
                arguments = plan.score_part_arguments(dataset, fold, score, part)
                yield Task("score_part", dataset, fold, score, path, task_hash(arguments))
    for key in plan.shard_keys(dataset, fold):
        hash_ = task_hash(plan.search_arguments(key))
        yield Task("search", dataset, fold, key.selector, plan.shard_path(key), hash_)
    for model in plan.config.models:
        arguments = plan.predict_arguments(dataset, fold, model)
        path = plan.prediction_path(dataset, fold, model)
        yield Task("predict", dataset, fold, model, path, task_hash(arguments))


def files_to_evaluate(plan: Plan) -> list[str]:
    """What the last task reads: datasets, shards and predictions."""
    folds = range(plan.config.folds)
    return [
        *(plan.data_path(name) for name in plan.facts),
        *(plan.shard_path(key) for key in plan.shard_keys()),
        *(
            plan.prediction_path(name, fold, model)
            for name, fold, model in product(plan.facts, folds, plan.config.models)
        ),
    ]


def log_path(plan: Plan, path: str) -> Path:
    """The log of the task that makes a file of the study."""
    inside = Path(path).relative_to(plan.results)
    return Path(plan.results, "logs", inside).with_suffix(".log")
