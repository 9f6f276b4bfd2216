"""Costs of a study: seconds of tasks, as their components state them, and bytes of files.

Both are right within a factor of two or three, which is enough for planning.
"""

from __future__ import annotations

from collections.abc import Iterable

from altfs.study.plan import Plan
from altfs.study.task import Task

# A log with its folder.
_LOG = 4_096
# Page, figures and tables of the smallest study, and what each feature set adds to them.
_EVALUATION, _SET = 2_600_000, 60


def task_seconds(plan: Plan, task: Task) -> float:
    """Estimate the seconds of a task."""
    _, cost, times = task.cost(plan)
    return cost.seconds(*plan.facts[task.dataset].size) * times


def n_feature_sets(plan: Plan) -> int:
    """Count the feature sets of a study."""
    return plan.config.folds * sum(plan.n_sets(dataset) for dataset in plan.facts)


def dataset_ranks(plan: Plan) -> dict[str, int]:
    """Rank datasets from the cheapest, 1, to the most costly one.

    A ready or waiting job of a higher rank starts first. So no long job is left for the end, when
    most workers are idle. Snakemake compares the jobs of a random sample
    (``scheduler-subsample`` in the profiles; see docs/measurements.md).
    """
    costs = {
        name: sum(task_seconds(plan, task) for task in plan.tasks_of_fold(name, 0))
        for name in plan.facts
    }
    return {name: i for i, name in enumerate(sorted(costs, key=lambda n: (costs[n], n)), 1)}


def disk_bytes(plan: Plan, tasks: Iterable[Task]) -> float:
    """Estimate the bytes of the files of some tasks and of the evaluation."""
    evaluation = _EVALUATION + _SET * n_feature_sets(plan)
    return evaluation + sum(_LOG + task.bytes(plan) for task in tasks)
