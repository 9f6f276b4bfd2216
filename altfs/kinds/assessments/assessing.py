"""Assessments of the sets of a shard: near alternatives, equivalent sets, a sensitive attribute."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import log, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from altfs.errors import AltfsError, DataError
from altfs.kinds.assessments.schema import ASSESSMENT_SCHEMA
from altfs.prediction.base import models
from altfs.prediction.disparities import disparities
from altfs.problem import Problem
from altfs.problem.priced import Priced, price_of
from altfs.scores.attributes import about, attribute_bits, chance_bits, chance_disparities
from altfs.scores.equivalence import LogP, compared, equivalence_classes, remembered
from altfs.scores.independence import independence
from altfs.solvers import Limits
from altfs.solvers.near_best import margin_of, near_best
from altfs.study.cross_validation import Folds
from altfs.study.folds import attribute_codes, fold_parts
from altfs.study.layout import data_path
from altfs.study.qualities import qualities_of
from altfs.study.sharding import problem_of
from altfs.study.store import Result, library_versions, read_shard

if TYPE_CHECKING:
    from altfs.kinds.assessments.task import AssessTask

# What determines a fold: path and digest of the data, number of the fold, all folds, seed.
_Fold = tuple[str, str, int, Folds, int]


def make_assessments(task: AssessTask) -> Result:
    """Assess the sets of a shard, a row for each."""
    shard, _ = read_shard(Path(task.shard.path), task.shard.hash)
    notes: dict[str, str] = {}
    equivalents = _Equivalents.of(task) if task.section["equivalents"] is not None else None
    if equivalents is not None and equivalents.reason:
        notes.setdefault("n_equivalent", equivalents.reason)
    rows = [row for run in _runs(task, shard) for row in _assessed(task, run, equivalents, notes)]
    return pa.Table.from_pylist(rows, schema=ASSESSMENT_SCHEMA), {
        "task": task.content,
        "versions": library_versions(),
        "notes": notes,
    }


# A run of the search: size, number of alternatives and aggregation; and the rows of its sets.
_SearchedRun = tuple[tuple[int | str, int, str], list[dict[str, Any]]]


def _runs(task: AssessTask, shard: pa.Table) -> Iterator[_SearchedRun]:
    rows = iter(shard.to_pylist())
    for request in task.runs():
        yield request, [next(rows) for _ in range(request[1] + 1)]


def _assessed(
    task: AssessTask, run: _SearchedRun, equivalents: _Equivalents | None, notes: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield the row of each set of a run."""
    asked = task.section
    problem = problem_of(task.shard, qualities_of(task.shard).train, run[0])
    counts = _near(task, problem, run, notes) if asked["near"] is not None else {}
    told = _told(_fold(task), asked["sensitive"], _as_json(task)) if asked["sensitive"] else None
    priced, earlier = isinstance(problem.quality, Priced), list[tuple[int, ...]]()
    for row in run[1]:
        chosen = tuple(row["selected"])
        price = price_of(problem.quality, chosen, earlier) if priced and chosen else None
        earlier += [chosen] if chosen else []
        yield {
            **{name: row[name] for name in ASSESSMENT_SCHEMA.names if name in row},
            **counts,
            "price": price,
            **(equivalents.compare(chosen) if equivalents is not None else {}),
            **(told.of(chosen, notes) if told is not None and chosen else {}),
        }


def _fold(task: AssessTask) -> _Fold:
    place = data_path(task.results, task.dataset), task.digest
    return (*place, task.fold, task.folds, task.seed)


def _as_json(task: AssessTask) -> str:
    return "" if task.model is None else task.model.model_dump_json()


# Sets nearly as good as the best one.


def _near(
    task: AssessTask, problem: Problem, run: _SearchedRun, notes: dict[str, str]
) -> dict[str, float]:
    """Count the sets nearly as good as the best one, and those that differ from the original."""
    limits = Limits(**task.limits)
    names = ["near_at_least", "near_at_most", "alternatives_at_least", "alternatives_at_most"]
    try:
        if len(problem.sizes) > 1 or task.entry.get("overlap", "pairwise") != "pairwise":
            raise DataError("sets of several sizes, or with a mean overlap, are not compared")
        if isinstance(problem.quality, Priced):
            raise DataError("sets that pay for wishes are not compared")
        single = problem.of_size(problem.sizes[0], 1)
        margin = margin_of(single, limits, task.section["near"])
        # No set is needed, only the numbers.
        asked = margin.best, margin.in_unit, limits.work, (1, 0)
        near = near_best(single, *asked)
        counts = [near.at_least, near.at_most]
        original = tuple(run[1][0]["selected"])
        if original:
            other = near_best(replace(single, given=(*single.given, original)), *asked)
            counts += [other.at_least, other.at_most]
    except AltfsError as error:
        notes.setdefault(names[0], error.reason)
        return {}
    return dict(zip(names, map(float, counts), strict=False))


# Statistically equivalent sets.


class _Equivalents(NamedTuple):
    """The equivalent sets of a fold, and the tests that found them."""

    log_p: LogP
    classes: list[list[int]]
    least: float
    most: int
    #: The reason for which there are none, or nothing.
    reason: str

    @staticmethod
    def of(task: AssessTask) -> _Equivalents:
        alpha, most = task.section["equivalents"], task.section["max_conditioning"]
        classes, reason = _classes(_fold(task), alpha, most)
        # Tests are counted for each file, whatever a process made before.
        log_p = remembered(independence(task.parts()[0]))
        return _Equivalents(log_p, classes, log(alpha), most, reason)

    def compare(self, chosen: Sequence[int]) -> dict[str, Any]:
        """Return the columns of a set."""
        if self.reason:
            return {}
        number = float(prod(map(len, self.classes))) if self.classes else 0.0
        if not chosen:
            return {"n_equivalent": number}
        try:
            said = compared(self.log_p, chosen, self.classes, self.least, self.most)
        except AltfsError:
            return {"n_equivalent": number}
        tells_all = said[3] if self.classes else None
        return {"n_equivalent": number, "equivalent": said[0], "tells_all": tells_all}


# The shards of a fold share the classes.
@lru_cache(maxsize=2)
def _classes(fold: _Fold, alpha: float, most: int) -> tuple[list[list[int]], str]:
    """Return the classes of equivalent features, and the reason if there are none."""
    train, _ = fold_parts(*fold)
    try:
        log_p = remembered(independence(train))
        return equivalence_classes(log_p, train.X.shape[1], log(alpha), most), ""
    except AltfsError as error:
        return [], error.reason


# A sensitive attribute.


class _Told:
    """Information of the sets of a fold about a sensitive attribute, and disparities of a model."""

    def __init__(self, fold: _Fold, column: str, model: str) -> None:
        self._train, self._test = fold_parts(*fold)
        codes, self._groups = attribute_codes(*fold, column)
        of_train = about(self._train, codes)
        # The bits of each feature, and those by chance; None if all rows are of one group.
        several = codes.any()
        self._bits = (attribute_bits(of_train), chance_bits(of_train)) if several else None
        self._model: dict[str, Any] = json.loads(model) if model else {}
        self.disparities = cache(self._disparities)

    def of(self, chosen: tuple[int, ...], notes: dict[str, str]) -> dict[str, float]:
        """Return the columns of a set."""
        if self._bits is None:
            notes.setdefault("information", "all training rows of a fold are of one group")
            return {}
        bits, by_chance = (float(values[list(chosen)].sum()) for values in self._bits)
        said = {"information": bits, "chance_information": by_chance}
        if not self._model:
            notes.setdefault("parity", "the study has no model")
            return said
        return {**said, **self.disparities(chosen)}

    def _disparities(self, chosen: tuple[int, ...]) -> dict[str, float]:
        train, test, columns = self._train, self._test, list(chosen)
        model = models.make(self._model["type"], self._model["options"])
        estimator = model.estimator(train.target_type, train.seed)
        estimator.fit(train.rows_for(estimator)[:, columns], train.y)
        predicted = estimator.predict(test.rows_for(estimator, as_in=train)[:, columns])
        judged = np.asarray(predicted), test.y, self._groups, train.target_type
        parity, odds = disparities(*judged)
        chance_parity, chance_odds = chance_disparities(*judged, test.groups, test.times)
        return {
            "parity": parity,
            "chance_parity": chance_parity,
            "odds": odds,
            "chance_odds": chance_odds,
        }


# The shards of a fold share the models' predictions.
@lru_cache(maxsize=2)
def _told(fold: _Fold, column: str, model: str) -> _Told:
    return _Told(fold, column, model)
