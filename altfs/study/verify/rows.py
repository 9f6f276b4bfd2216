"""Whether the rows of a shard are what the plan, the data and the scores say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import isfinite
from typing import Any

from altfs.constraints import NO_CONSTRAINTS
from altfs.dissimilarity import max_overlap
from altfs.problem import Aggregation, FeatureIndices, Problem
from altfs.quality import Quality
from altfs.results import Status
from altfs.selectors import Qualities
from altfs.study.layout import ShardKey
from altfs.study.plan import Plan

Row = dict[str, Any]

_FOUND = (Status.OPTIMAL, Status.FEASIBLE)
# A bound may lie below its objective by rounding only.
_TINY = 1e-12


class Run:
    """The rows of one (n_features, n_alternatives, aggregation) of a shard."""

    def __init__(self, plan: Plan, key: ShardKey, rows: list[Row]) -> None:
        first = rows[0]
        self.rows = rows
        self.search = plan.search_entries[key.search].type
        self.n_features = int(first["n_features"])
        self.n_alternatives = int(first["n_alternatives"])
        self.aggregation = str(first["aggregation"])
        self.max_overlap = max_overlap(key.tau, self.n_features)
        #: Known once the data and the selector are.
        self.constraints = NO_CONSTRAINTS

    def problem(self, quality: Quality) -> Problem:
        """What a simultaneous run solves."""
        aggregation: Aggregation = "min" if self.aggregation == "min" else "sum"
        sets = len(self.rows)
        return Problem(
            quality, self.n_features, self.max_overlap, sets, aggregation,
            constraints=self.constraints,
        )  # fmt: skip

    def single(self, quality: Quality, given: tuple[FeatureIndices, ...] = ()) -> Problem:
        """What one set of a run solves that has to differ from some sets."""
        return Problem(
            quality, self.n_features, self.max_overlap, given=given, constraints=self.constraints
        )

    def __str__(self) -> str:
        text = f"n_features {self.n_features}, n_alternatives {self.n_alternatives}"
        return text if self.aggregation == "none" else f"{text}, aggregation {self.aggregation}"


def runs_of(plan: Plan, key: ShardKey, rows: list[Row]) -> tuple[list[Run], str]:
    """The runs of a shard in the plan's order, or what is wrong with its keys."""
    search = plan.search_entries[key.search]
    aggregations: list[str] = [*search.aggregation] or ["none"]
    planned = [
        (k, n, aggregation, i)
        for k in plan.sizes_by_tau[key.tau]
        for n in search.n_alternatives
        for aggregation in aggregations
        for i in range(n + 1)
    ]
    names = ("n_features", "n_alternatives", "aggregation", "set_index")
    found = [tuple(row[name] for name in names) for row in rows]
    if found != planned:
        for said, keys in (
            ("lacks the row", [p for p in planned if p not in found]),
            ("has a row that is not planned", [f for f in found if f not in planned]),
            ("has a row twice", [f for f in found if found.count(f) > 1]),
        ):
            if keys:
                what = ", ".join(f"{n} {v}" for n, v in zip(names, keys[0], strict=True))
                return [], f"{said}: {what}"
        return [], "has its rows in another order than the plan"
    runs, start = [], 0
    while start < len(rows):
        length = planned[start][1] + 1
        runs.append(Run(plan, key, rows[start : start + length]))
        start += length
    return runs, ""


def check_rows(
    key: ShardKey, run: Run, names: tuple[str, ...] | None, qualities: Qualities | None
) -> Iterator[str]:
    """What is wrong with the rows of a run.

    Parameters
    ----------
    key : ShardKey
    run : Run
    names : tuple of str, optional
        The dataset's features.
    qualities : Qualities, optional
        What the selector learns from data and scores; without it objectives
        are not recomputed.
    """
    for row in run.rows:
        for wrong in _check_row(key, run, row, names, qualities):
            yield f"{run}, set_index {row['set_index']}: {wrong}"
    sets = [(row["set_index"], set(row["selected"] or ())) for row in run.rows]
    for (i, a), (j, b) in combinations(sets, 2):
        if len(a & b) > run.max_overlap:
            yield (
                f"{run}: sets {i} and {j} have {len(a & b)} features in common, "
                f"{run.max_overlap} are allowed"
            )
    if run.aggregation == "none":
        yield from (f"{run}: {wrong}" for wrong in _check_sequence(run))
    else:
        yield from (f"{run}: {wrong}" for wrong in _check_family(run, qualities))


def _check_row(
    key: ShardKey,
    run: Run,
    row: Row,
    names: tuple[str, ...] | None,
    qualities: Qualities | None,
) -> Iterator[str]:
    for column, value in key._asdict().items():
        if row[column] != value:
            yield f"{column} is {row[column]!r}, the file's place says {value!r}"
    if row["max_overlap"] != run.max_overlap:
        yield f"max_overlap is {row['max_overlap']}, tau {key.tau} gives {run.max_overlap}"
    if row["work"] is None or row["work"] < 0:
        yield f"work is {row['work']}"
    if row["seconds"] is None or not (isfinite(row["seconds"]) and row["seconds"] >= 0):
        yield f"seconds is {row['seconds']}"
    chosen, status = row["selected"], row["status"]
    if status not in list(Status):
        yield f"status '{status}' is unknown"
    elif chosen is None or row["feature_names"] is None:
        yield "selected or feature_names is null"
    elif not chosen:
        if status in _FOUND:
            yield f"status is {status}, but there is no set"
        if row["feature_names"]:
            yield f"feature_names is {row['feature_names']}, but there is no set"
        for column in ("train_objective", "test_objective", "run_objective"):
            if row[column] is not None:
                yield f"{column} is {row[column]}, but there is no set"
    elif status not in _FOUND:
        yield f"status is {status}, but there is a set"
    else:
        yield from _check_set(run, row, names, qualities)


def _check_set(
    run: Run, row: Row, names: tuple[str, ...] | None, qualities: Qualities | None
) -> Iterator[str]:
    chosen = row["selected"]
    if None in chosen or sorted(set(chosen)) != chosen:
        yield f"selected {chosen} is not sorted or repeats a feature"
        return
    if len(chosen) != run.n_features:
        yield f"selected {chosen} does not have {run.n_features} features"
    if names is None:
        return
    if chosen[0] < 0 or chosen[-1] >= len(names):
        yield f"selected {chosen} has an index that is no feature"
        return
    if row["feature_names"] != [names[j] for j in chosen]:
        yield f"feature_names are not those of the features {chosen}"
    if qualities is None:
        return
    if not qualities.train.allows(chosen):
        yield f"selected {chosen} holds features that exclude each other"
    if (broken := run.constraints.violation(chosen, qualities.train)) is not None:
        yield broken
    expected = {
        "train_objective": qualities.train.evaluate(chosen),
        "test_objective": None if qualities.test is None else qualities.test.evaluate(chosen),
    }
    for column, value in expected.items():
        if row[column] != value:
            yield f"{column} is {row[column]!r}, data and scores give {value!r}"


def _check_sequence(run: Run) -> Iterator[str]:
    for row in run.rows:
        i, status = row["set_index"], row["status"]
        yield from (
            f"set {i}: {wrong}"
            for wrong in _check_bound(status, row["train_objective"], row["bound"], "bound")
        )
        for column in ("run_objective", "run_bound"):
            if row[column] is not None:
                yield f"set {i}: {column} is {row[column]}, but sets are not aggregated"


def _check_family(run: Run, qualities: Qualities | None) -> Iterator[str]:
    first = run.rows[0]
    for column in ("status", "run_objective", "run_bound", "work"):
        if any(row[column] != first[column] for row in run.rows):
            yield f"{column} is not the same in all rows"
            return
    if any(row["bound"] is not None for row in run.rows):
        yield "bound is given for single sets, only run_bound can be"
    yield from _check_bound(
        first["status"], first["run_objective"], first["run_bound"], "run_bound"
    )
    sets = [tuple(row["selected"] or ()) for row in run.rows]
    if sets != sorted(sets):
        yield "the sets are not in lexicographic order"
    values = [row["train_objective"] for row in run.rows]
    if first["status"] in _FOUND and None not in values and qualities is not None:
        expected = run.problem(qualities.train).aggregate(values)
        if first["run_objective"] != expected:
            yield f"run_objective is {first['run_objective']!r}, the sets give {expected!r}"


def _check_bound(
    status: str, objective: float | None, bound: float | None, name: str
) -> Iterator[str]:
    if status == Status.INFEASIBLE:
        if bound is not None:
            yield f"{name} is {bound}, but the status is infeasible"
        return
    if bound is None or bound != bound:
        yield f"{name} is missing, but the status is {status}"
    elif status in _FOUND:
        if objective is None:
            yield f"the objective is missing, but the status is {status}"
            return
        tiny = _TINY * max(1.0, abs(objective))
        if not bound >= objective - tiny:
            yield f"{name} {bound!r} lies below the objective {objective!r}"
        elif status == Status.OPTIMAL and not bound <= objective + tiny:
            yield f"{name} {bound!r} is not the objective {objective!r}, but the status is optimal"
