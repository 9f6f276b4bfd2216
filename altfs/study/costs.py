"""Costs of the tasks of a study, as their components state them."""

from __future__ import annotations

from altfs.cost import Cost
from altfs.prediction import models
from altfs.scores import scores
from altfs.selectors import selectors
from altfs.study.inventory import Task, tasks_of_fold
from altfs.study.plan import Plan
from altfs.study.scoring import parse_score

# Tasks that belong to no component.
_DATA = Cost(0.004, 6e-6, 0.5, 1.25)
_JOIN = Cost(0.003, 2e-4, 0, 1)
#: The measured share of different sets among the feature sets that are searched for.
DISTINCT_SHARE = 0.36


def costed(plan: Plan, task: Task) -> tuple[str, Cost]:
    """Return the cost of a task, and where the code states it."""
    if task.kind == "data":
        return "altfs.study.costs._DATA", _DATA
    if task.kind == "predict":
        return f"models.{task.detail}.cost", models.get(task.detail).cost
    if task.kind in ("search", "quality"):
        selector = selectors.get(plan.selector_entries[task.detail].type)
        if task.kind == "search":
            return f"selectors.{selector.name}.cost", selector.cost
        return f"selectors.{selector.name}.quality_cost", selector.quality_cost
    score = scores.get(parse_score(task.detail)[0].kind)
    if score.of_pairs and task.kind == "score":
        return "altfs.study.costs._JOIN", _JOIN
    return f"scores.{score.name}.cost", score.cost


def task_seconds(plan: Plan, task: Task) -> float:
    """Estimate the seconds of a task."""
    facts = plan.facts[task.dataset]
    return costed(plan, task)[1].seconds(facts.n_rows, facts.n_total) * task_units(plan, task)


def task_units(plan: Plan, task: Task) -> float:
    """Count the units of a task's cost: runs of a search, sets to train."""
    if task.kind == "search":
        return n_runs(plan) / max(1, len(plan.sizes_by_tau) * len(plan.search_entries))
    if task.kind == "predict":
        return DISTINCT_SHARE * n_feature_sets(plan) * len(plan.selector_entries)
    return 1.0


def n_runs(plan: Plan) -> int:
    """Count the search runs of one selector on one fold."""
    return len(_runs(plan))


def n_feature_sets(plan: Plan) -> int:
    """Count the feature sets that one selector is asked for on one fold."""
    return sum(_runs(plan))


def _runs(plan: Plan) -> list[int]:
    """Return the number of feature sets of every run of one selector on one fold."""
    per_size = [
        n_alternatives + 1
        for search in plan.config.searches
        for n_alternatives in search.n_alternatives
        for _ in search.aggregation or ["sum"]
    ]
    return per_size * sum(len(sizes) for sizes in plan.sizes_by_tau.values())


def dataset_ranks(plan: Plan) -> dict[str, int]:
    """Rank datasets from the cheapest, 1, to the most costly one.

    Among the ready jobs that Snakemake looks at, and among those that wait at the workers,
    the higher rank goes first. So no long job is left for the end, when most workers are
    idle. Snakemake looks at a random sample of the jobs (``scheduler-subsample`` in the
    profiles; see docs/measurements.md).
    """
    costs = {
        name: sum(task_seconds(plan, task) for task in tasks_of_fold(plan, name, 0))
        for name in plan.facts
    }
    return {name: i for i, name in enumerate(sorted(costs, key=lambda n: (costs[n], n)), 1)}
