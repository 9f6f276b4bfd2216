"""What the tasks of a study cost, fitted to measured times.

Every task takes ``base + scale * rows**a * features**b`` seconds, with the rows
and features of its dataset; base, scale and powers were fitted by
``benchmarks/costs.py`` to the complete study's tasks on one core (the Greedy
Wrapper's and the forests' to tasks of three datasets). They are right within a
factor of two or three, which is what planning needs.
"""

from __future__ import annotations

from typing import NamedTuple

from altfs.study.inventory import Task, tasks_of_fold
from altfs.study.plan import Plan


class Cost(NamedTuple):
    """Seconds of a task: ``base + scale * rows**rows_power * features**features_power``."""

    base: float
    scale: float
    rows_power: float
    features_power: float

    def seconds(self, rows: int, features: int) -> float:
        """For a dataset of this size."""
        power: float = rows**self.rows_power * features**self.features_power
        return self.base + self.scale * power


COSTS: dict[str, Cost] = {
    "data": Cost(0.004, 6e-6, 0.5, 1.25),
    "score:relevance": Cost(0.005, 7.9e-7, 1, 1),
    "score:importances": Cost(0.008, 3.7e-8, 1, 1.25),
    "score:join": Cost(0.003, 2e-4, 0, 1),
    "score_part:conflicts": Cost(0.015, 3.2e-6, 1, 1),
    "score_part:redundancy": Cost(0.015, 6e-6, 1, 1),
    "search:mutual_information": Cost(0.0045, 1.1e-12, 1.25, 2),
    "search:model_gain": Cost(0.0045, 6.5e-14, 1.5, 2),
    "search:fcbf": Cost(0.0044, 0.0016, 0, 0.25),
    "search:greedy_wrapper": Cost(0.0, 1.3e-4, 1, 0.25),
    "predict:decision_tree": Cost(0.0014, 3.3e-6, 0.75, 0.25),
    "predict:random_forest": Cost(0.083, 0.0085, 0.5, 0),
}
#: For components that were not measured.
_UNKNOWN = Cost(0.05, 0.0, 0.0, 0.0)
#: Of the feature sets that are searched for, how many are different ones.
DISTINCT_SHARE = 0.36


def cost_key(plan: Plan, task: Task) -> str:
    """Under which key of :data:`COSTS` a task is found."""
    if task.kind == "search":
        return f"search:{plan.selector_entries[task.detail].type}"
    kind = task.detail.partition(".")[0].partition("-")[0]
    joined = task.kind == "score" and kind in ("redundancy", "conflicts")
    return f"{task.kind}:{'join' if joined else kind}" if task.kind != "data" else "data"


def task_seconds(plan: Plan, task: Task) -> float:
    """How long a task takes, about."""
    facts = plan.facts[task.dataset]
    return COSTS.get(cost_key(plan, task), _UNKNOWN).seconds(
        facts.n_rows, facts.n_total
    ) * task_units(plan, task)


def task_units(plan: Plan, task: Task) -> float:
    """How often a task does what its cost is about: runs of a search, sets to train."""
    if task.kind == "search":
        return n_runs(plan) / max(1, len(plan.sizes_by_tau) * len(plan.search_entries))
    if task.kind == "predict":
        return DISTINCT_SHARE * n_feature_sets(plan) * len(plan.selector_entries)
    return 1.0


def n_runs(plan: Plan) -> int:
    """Search runs of one selector on one fold."""
    runs = sum(
        len(search.n_alternatives) * max(1, len(search.aggregation))
        for search in plan.config.searches
    )
    return runs * sum(len(sizes) for sizes in plan.sizes_by_tau.values())


def n_feature_sets(plan: Plan) -> int:
    """Feature sets that one selector is asked for on one fold."""
    sets = sum(
        sum(a + 1 for a in search.n_alternatives) * max(1, len(search.aggregation))
        for search in plan.config.searches
    )
    return sets * sum(len(sizes) for sizes in plan.sizes_by_tau.values())


def dataset_ranks(plan: Plan) -> dict[str, int]:
    """Datasets from the cheapest, 1, to the most costly one.

    Of the ready jobs that Snakemake looks at, and of those that wait at the workers,
    the higher rank goes first, so that no long job is left for the end, when most
    workers have nothing to do any more. Snakemake looks at a random sample of them
    (``scheduler-subsample`` in the profiles; see docs/measurements.md).
    """
    costs = {
        name: sum(task_seconds(plan, task) for task in tasks_of_fold(plan, name, 0))
        for name in plan.facts
    }
    return {name: i for i, name in enumerate(sorted(costs, key=lambda n: (costs[n], n)), 1)}
