"""CPU seconds in which selectors learn their qualities and scores, before any search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from altfs.errors import StaleResultError
from altfs.study.plan import Plan
from altfs.study.store import read_metadata, task_hash


def learning_seconds(plan: Plan, dataset: str) -> dict[str, float | None]:
    """Return the CPU seconds of each selector's qualities and scores on all folds of a dataset.

    A score counts for every selector that reads it. A selector is None if the files do not say
    all of its seconds, or if it learns in every search.
    """

    @cache
    def of_score(fold: int, score: str) -> float | None:
        whole = plan.score_arguments(dataset, fold, score)
        parts = (plan.score_arguments(dataset, fold, score, p) for p in plan.parts(dataset, score))
        return _added(map(_seconds, chain([whole], parts)))

    def of_selector(fold: int, selector: str) -> float | None:
        own = _seconds(plan.quality_arguments(dataset, fold, selector))
        scores = plan.selector_scores(selector)
        return _added([own, *(of_score(fold, score) for score in scores)])

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


def _seconds(arguments: Mapping[str, Any]) -> float | None:
    try:
        metadata = read_metadata(Path(arguments["output"]))
    except StaleResultError:
        return None
    made = metadata.get("task_hash") == task_hash(arguments)
    return metadata.get("cpu_seconds") if made else None
