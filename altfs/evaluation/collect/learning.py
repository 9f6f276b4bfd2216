"""CPU seconds in which selectors learn their qualities and scores, before any search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

from altfs.errors import StaleResultError
from altfs.study.plan import Plan
from altfs.study.store import read_metadata
from altfs.study.task import Task
from altfs.study.tasks import StoredScore


def learning_seconds(plan: Plan, dataset: str) -> dict[str, float | None]:
    """Return the CPU seconds of each selector's qualities and scores on all folds of a dataset.

    A score counts for every selector that reads it. A selector is None if the files do not say
    all of its seconds, or if it learns in every search.
    """

    @cache
    def of_score(fold: int, score: StoredScore) -> float | None:
        whole = plan.score_task(dataset, fold, score)
        return _added(map(_seconds, (whole, *whole.columns())))

    def of_selector(fold: int, selector: str) -> float | None:
        learning = _seconds(plan.quality_task(dataset, fold, selector))
        return _added([learning, *(of_score(fold, score) for score in plan.scores_of(selector))])

    return {
        name: _added(of_selector(fold, name) for fold in range(plan.config.folds))
        if plan.stores_quality(name)
        else None
        for name in plan.selectors_on(dataset)
    }


def over_datasets(portions: Iterable[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return the seconds of each selector on all datasets; None if those on one are not known.

    >>> over_datasets([{"mrmr": 1.0, "rar": 2.0}, {"mrmr": 0.5, "rar": None}])
    {'mrmr': 1.5, 'rar': None}
    """
    known = list(portions)
    names = dict.fromkeys(chain.from_iterable(known))
    return {name: _added(one[name] for one in known if name in one) for name in names}


def _added(values: Iterable[float | None]) -> float | None:
    found = list(values)
    known = [value for value in found if value is not None]
    return sum(known) if len(known) == len(found) else None


def _seconds(task: Task) -> float | None:
    try:
        metadata = read_metadata(Path(task.path))
    except StaleResultError:
        return None
    return metadata.get("cpu_seconds") if metadata.get("task_hash") == task.hash else None
