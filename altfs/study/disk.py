"""How much room the files of a study take, fitted to studies that were run.

Sizes are those of Parquet files on a disk with blocks of 4 KiB. Like the costs
they are right within a factor of two, which is what planning needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from altfs.selectors.part import PAIR_KINDS
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
# A score of pairs, for which every feature has a column: the column, and each value in it.
# Conflicts are few, any other score is dense.
_COLUMN, _PAIR = 200, 9
_SPARSE = "conflicts"
# Page, figures and tables of the smallest study, and what each feature set adds to them.
_EVALUATION, _SET = 2_600_000, 60


def disk_bytes(plan: Plan, tasks: Iterable[Task]) -> float:
    """The room that the files of some tasks of a plan take, and those of the evaluation.

    Parameters
    ----------
    plan : Plan
    tasks : iterable of Task

    Returns
    -------
    float
        Bytes.
    """
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
    kind = parse_score(task.detail)[0].kind
    if kind not in PAIR_KINDS:
        return _blocks(_SCORE + _FEATURE * facts.n_total)
    columns = facts.n_total / (plan.n_parts(task.dataset) if task.kind == "score_part" else 1)
    value = 0 if kind == _SPARSE else _PAIR
    return _blocks(columns * (_COLUMN + value * facts.n_total))


def _blocks(size: float) -> float:
    return _BLOCK * -(-size // _BLOCK)
