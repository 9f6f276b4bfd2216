"""Disk space of the files of a study, fitted to studies that were run.

Sizes are those of Parquet files on a disk with blocks of 4 KiB. Like the costs
they are right within a factor of two, which is enough for planning.
"""

from __future__ import annotations

from collections.abc import Iterable

from altfs.scores import Score, scores
from altfs.study.costs import n_feature_sets, task_units
from altfs.study.inventory import Task
from altfs.study.plan import Plan
from altfs.study.scoring import parse_score

_BLOCK = 4_096
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


def disk_bytes(plan: Plan, tasks: Iterable[Task]) -> float:
    """Estimate the bytes of the files of some tasks and of the evaluation."""
    selections = len(plan.selector_entries) * len(plan.facts) * plan.config.folds
    evaluation = _EVALUATION + _SET * n_feature_sets(plan) * selections
    return evaluation + sum(_LOG + _file_bytes(plan, task) for task in tasks)


def _file_bytes(plan: Plan, task: Task) -> float:
    facts = plan.facts[task.dataset]
    if task.kind == "search":
        return _SHARD
    if task.kind == "predict":
        return _PREDICTION * task_units(plan, task)
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
