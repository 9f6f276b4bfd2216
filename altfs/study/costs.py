"""Costs of a study: seconds of its tasks, by :mod:`altfs.study.times`, and bytes of its files."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from altfs.study.plan import Plan
from altfs.study.runs import log_times
from altfs.study.state import evaluation_jobs
from altfs.study.store import cpu_seconds_and_rows
from altfs.study.task import Task
from altfs.study.tasks import SearchesTask
from altfs.study.times import LEAST, UNKNOWN, Kind, Measured, Size, Times

# The finished tasks of a kind and a dataset that are read.
_OPENED = 5

# A log with its folder.
_LOG = 4_096
# Page, figures and tables of the smallest study, and what each feature set adds to them.
_EVALUATION, _SET = 2_600_000, 60


def measured(plan: Plan, most: int = _OPENED) -> list[Measured]:
    """Return the times of the finished tasks of a study, also of those that are out of date.

    At most `most` tasks of a kind and a dataset are opened.
    """
    groups: dict[tuple[Kind, str], list[Task]] = defaultdict(list)
    for task in _opened(plan):
        if Path(task.path).exists():
            groups[task.work, task.dataset].append(task)
    points: list[Measured] = []
    for (kind, dataset), tasks in groups.items():
        # A few tell nearly as much as all, and each has to be opened.
        spread = tasks[:: -(-len(tasks) // most)]
        if times := [spent for task in spread if (spent := seconds_of_unit(task))]:
            points.append(
                Measured(kind, plan.facts[dataset].size, sum(times) / len(times), dataset)
            )
    of_rules: dict[str, list[float]] = defaultdict(list)
    for rule, _, _, log in evaluation_jobs(plan):
        if (ran := log_times(log)) is not None:
            of_rules[rule].append(ran[-1])
    for rule, seconds in of_rules.items():
        points.append(Measured((rule,), evaluation_size(plan), sum(seconds) / len(seconds)))
    return points


def _opened(plan: Plan) -> Iterator[Task]:
    """Yield the tasks whose files have times, of groups of shards those of the first one."""
    grouped = set()
    for task in plan.tasks.values():
        group = type(task), task.dataset, task.detail
        if not isinstance(task, SearchesTask):
            yield task
        elif group not in grouped and Path(task.path).exists():
            grouped.add(group)
            yield from task.members(plan)


def seconds_of_unit(task: Task) -> float | None:
    """Return the CPU seconds of a finished task for each unit of work; None if it has none."""
    if (spent := cpu_seconds_and_rows(task.path)) is None:
        return None
    seconds, rows = spent
    return max(seconds, LEAST) / max(task.units_in(rows), 1)


def evaluation_size(plan: Plan) -> Size:
    """Return the size on which the seconds of a job of the evaluation depend."""
    return math.sqrt(n_shards(plan)), 1.0, 1.0


def evaluation_seconds(plan: Plan, times: Times) -> dict[str, tuple[str, float]]:
    """Return rule and CPU seconds of each job of the evaluation, by its first file."""
    size = evaluation_size(plan)
    return {
        path: (rule, times.seconds((rule,), size, "") or LEAST)
        for rule, _, path, _ in evaluation_jobs(plan)
    }


def task_seconds(plan: Plan, task: Task, times: Times) -> float | None:
    """Estimate the CPU seconds of a task; None if nothing is known of its kind."""
    size, total = plan.facts[task.dataset].size, 0.0
    for kind, units in task.works(plan).items():
        if (seconds := times.seconds(kind, size, task.dataset)) is None:
            return None
        total += seconds * units
    return total


def relative_seconds(plan: Plan, task: Task) -> float:
    """Return seconds by which tasks of one kind, of which nothing is known, compare."""
    return UNKNOWN.seconds(plan.facts[task.dataset].size) * task.units(plan)


def n_shards(plan: Plan) -> int:
    """Count the shards of a study."""
    return plan.config.folds.number * sum(1 for name in plan.facts for _ in plan.places(name, 0))


def n_feature_sets(plan: Plan) -> int:
    """Count the feature sets of a study."""
    return plan.config.folds.number * sum(plan.n_sets(dataset) for dataset in plan.facts)


def dataset_ranks(plan: Plan) -> dict[str, int]:
    """Rank datasets from the cheapest, 1, to the most costly one.

    A ready or waiting job of a higher rank starts first. So no long job is left for the end, when
    most workers are idle. Snakemake compares the jobs of a random sample
    (``scheduler-subsample`` in the profiles; see benchmarks/measurements.md).
    """
    times = Times()
    costs = {
        name: sum(
            task_seconds(plan, task, times) or relative_seconds(plan, task)
            for task in plan.tasks_of_fold(name, 0)
        )
        for name in plan.facts
    }
    return {name: i for i, name in enumerate(sorted(costs, key=lambda n: (costs[n], n)), 1)}


def disk_bytes(plan: Plan, tasks: Iterable[Task]) -> float:
    """Estimate the bytes of the files of some tasks and of the evaluation."""
    evaluation = _EVALUATION + _SET * n_feature_sets(plan)
    return evaluation + sum(_LOG + task.bytes(plan) for task in tasks)
