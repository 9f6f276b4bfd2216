"""Costs of a study: seconds of tasks, as their components state them, and bytes of files.

Both are right within a factor of two or three, which is enough for planning.
"""

from __future__ import annotations

from collections.abc import Iterable

from altfs.cost import Cost
from altfs.prediction import models
from altfs.scores import Score, scores
from altfs.study.facts import DatasetFacts
from altfs.study.inventory import Task, tasks_of_fold
from altfs.study.plan import Plan
from altfs.study.scoring import parse_score

# Tasks that belong to no component.
_DATA = Cost(0.004, 6e-6, 0.5, 1.25)
_JOIN = Cost(0.003, 2e-4, 0, 1)
# A random forest, its SHAP values of 200 rows, and what it says to the first set of each.
_EXPLAIN = Cost(1.0, 2e-4, 1.0, 0.5)
# The measured share of different sets among the feature sets that are searched for.
_DISTINCT_SHARE = 0.36

# Sizes of Parquet files on a disk with blocks of this size, fitted to studies that were run.
_BLOCK = 4_096
# Each set of an explained row.
_EXPLAINED = 40
# A shard with its folder; a log with its folder.
_SHARD, _LOG = 12_000, 4_096
# Each set in the file of a model's predictions.
_PREDICTION = 25
# Each value of a dataset, compressed: from a bit (classes) to nearly nine bytes (measurements).
_VALUE = 2
# A score of single features: the file, and each feature in it.
_SCORE, _FEATURE = 1_800, 16
# A score of pairs, for which every feature has a column: the column, and each value in it
# unless the score is sparse.
_COLUMN, _PAIR = 200, 9
# The file of a selector's qualities without its values.
_QUALITY = 3_000
# Page, figures and tables of the smallest study, and what each feature set adds to them.
_EVALUATION, _SET = 2_600_000, 60


def costed(plan: Plan, task: Task) -> tuple[str, Cost]:
    """Return the name of a cost in the code, and the cost of a task."""
    if task.kind == "data":
        return "altfs.study.costs._DATA", _DATA
    if task.kind == "explain":
        selector = plan.fitted_selectors[task.detail]
        # A job learns for itself what a row is worth, on one of the two parts of a quality.
        both = selector.learning_cost()
        learning = both._replace(base=both.base / 2, scale=both.scale / 2)
        size = size_of(plan.facts[task.dataset])
        if learning.seconds(*size) > _EXPLAIN.seconds(*size):
            return f"half of selectors.{selector.name}.quality_cost", learning
        return "altfs.study.costs._EXPLAIN", _EXPLAIN
    if task.kind == "predict":
        model = models.get(plan.model_entries[task.detail].type)
        return f"models.{model.name}.cost", model.cost
    if task.kind in ("search", "quality"):
        selector = plan.fitted_selectors[task.detail]
        if task.kind == "search":
            return f"selectors.{selector.name}.cost", selector.run_cost()
        return f"selectors.{selector.name}.quality_cost", selector.learning_cost()
    key = parse_score(task.detail)[0]
    if key.score.of_pairs and task.kind == "score":
        return "altfs.study.costs._JOIN", _JOIN
    return f"scores.{key.kind}.cost", key.score.cost_of(key.variant)


def task_seconds(plan: Plan, task: Task) -> float:
    """Estimate the seconds of a task."""
    size = size_of(plan.facts[task.dataset])
    return costed(plan, task)[1].seconds(*size) * task_units(plan, task)


def size_of(facts: DatasetFacts) -> tuple[int, int, float]:
    """Return what costs depend on: rows, features, and distinct values of a feature."""
    return facts.n_rows, facts.n_total, facts.n_values


def task_units(plan: Plan, task: Task) -> float:
    """Count the units of a task's cost: runs of a search, sets to train."""
    if task.kind == "search":
        runs = plan.runs_on(task.dataset)
        return len(runs) / max(1, len({(run.selector, run.tau, run.search) for run in runs}))
    if task.kind == "predict":
        return _DISTINCT_SHARE * _sets_of_fold(plan, task.dataset)
    return 1.0


def n_feature_sets(plan: Plan) -> int:
    """Count the feature sets of a study."""
    return plan.config.folds * sum(_sets_of_fold(plan, dataset) for dataset in plan.facts)


def _sets_of_fold(plan: Plan, dataset: str) -> int:
    return sum(run.n_alternatives + 1 for run in plan.runs_on(dataset))


def dataset_ranks(plan: Plan) -> dict[str, int]:
    """Rank datasets from the cheapest, 1, to the most costly one.

    A ready or waiting job of a higher rank starts first. So no long job is left for the end, when
    most workers are idle. Snakemake compares the jobs of a random sample
    (``scheduler-subsample`` in the profiles; see docs/measurements.md).
    """
    costs = {
        name: sum(task_seconds(plan, task) for task in tasks_of_fold(plan, name, 0))
        for name in plan.facts
    }
    return {name: i for i, name in enumerate(sorted(costs, key=lambda n: (costs[n], n)), 1)}


def disk_bytes(plan: Plan, tasks: Iterable[Task]) -> float:
    """Estimate the bytes of the files of some tasks and of the evaluation."""
    evaluation = _EVALUATION + _SET * n_feature_sets(plan)
    return evaluation + sum(_LOG + _file_bytes(plan, task) for task in tasks)


def _file_bytes(plan: Plan, task: Task) -> float:
    facts = plan.facts[task.dataset]
    if task.kind == "search":
        return _SHARD
    if task.kind == "predict":
        return _PREDICTION * task_units(plan, task)
    if task.kind == "explain":
        assert plan.config.explanations is not None
        runs = [run for run in plan.runs if run.selector == task.detail]
        sets = sum(run.n_alternatives + 1 for run in runs) / len({run[1:3] for run in runs})
        return _blocks(_QUALITY + _EXPLAINED * sets * plan.config.explanations.rows)
    if task.kind == "data":
        return _blocks(_VALUE * facts.n_rows * facts.n_total)
    if task.kind == "quality":
        keys = plan.fitted_selectors[task.detail]
        asked = (*keys.train_scores, *keys.test_scores)
        matrices = sum(_pair_value(scores.get(key.kind)) > 0 for key in asked)
        return _blocks(_QUALITY + (_FEATURE + matrices * _PAIR * facts.n_total) * facts.n_total)
    score = scores.get(parse_score(task.detail)[0].kind)
    if not score.of_pairs:
        return _blocks(_SCORE + _FEATURE * facts.n_total)
    n_parts = len(plan.parts(task.dataset, task.detail)) if task.kind == "score_part" else 1
    return _blocks(facts.n_total / n_parts * (_COLUMN + _pair_value(score) * facts.n_total))


def _pair_value(score: type[Score]) -> int:
    """Return the bytes of each value of a score of pairs; 0 for others."""
    return _PAIR if score.of_pairs and not score.sparse else 0


def _blocks(size: float) -> float:
    return _BLOCK * -(-size // _BLOCK)
