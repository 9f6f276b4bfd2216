"""Fronts of families in shards, compared with what data give and with another solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from altfs.kinds.fronts._columns_audit import OF_RUN, check_columns
from altfs.kinds.fronts.family_front import dissimilarity_at, shared_of
from altfs.kinds.fronts.schema import FRONT_COLUMNS
from altfs.kinds.fronts.searches.pareto import Pareto
from altfs.problem import Family, Overlap, Problem
from altfs.problem.results import Status
from altfs.solvers import Limits
from altfs.study.verify.claims import VERDICTS, Claim, judge
from altfs.study.verify.rows import FOUND, Row, Run

_OWN = ("set_index", "max_overlap", "selected", "feature_names", "train_objective",
        "test_objective", "status", "solver", *(field.name for field in FRONT_COLUMNS))  # fmt: skip


def check_families(run: Run, points: Sequence[Row]) -> Iterator[str]:
    """Yield the errors in the front of a run; without qualities objectives are not checked.

    No family reaches another one in both objectives, and the sets of the run are a family.
    """
    groups = [list(rows) for _, rows in groupby(points, key=lambda row: row["point"])]
    if [rows[0]["point"] for rows in groups] != list(range(len(groups))):
        yield f"{run}: the points of the front are not numbered from 0"
        return
    for rows in groups:
        for wrong in _check_family(run, rows):
            yield f"{run}, point {rows[0]['point']}: {wrong}"
            return
    families = [_family_of(rows) for rows in groups]
    found = _family_of(row for row in run.rows if row["status"] in FOUND)
    if run.problem is None:
        return
    answers = [family for family in families if run.problem.violation(family) is None]
    if found != (answers[0] if answers else ()):
        yield f"{run}: its sets are not the best family of the front that is different enough"
    if run.qualities is None:
        return
    values = [_exact(run.problem, family) for family in families]
    shared = [_shared_by(run, family) for family in families]
    for i in range(1, len(families)):
        if values[i] >= values[i - 1] or shared[i] >= shared[i - 1]:
            yield f"{run}: points {i - 1} and {i} are not worse in one objective and better in one"
            return


def _check_family(run: Run, rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield from check_columns(run, row, OF_RUN, _OWN)
    if [row["set_index"] for row in rows] != list(range(len(rows))):
        yield "its sets are not numbered from 0"
        return
    family = _family_of(rows)
    if not all(family) or any(None in (row["selected"] or ()) for row in rows):
        yield "a set has no features"
        return
    if run.problem is None or run.qualities is None or run.names is None:
        return
    if (broken := _at(run.problem, run.n_features).violation(family)) is not None:
        yield broken
        return
    train, test = run.qualities.train, run.qualities.test
    tested = None if test is None else [test.evaluate(chosen) for chosen in family]
    measure = run.problem.overlap.dissimilarity
    apart = dissimilarity_at(_shared_by(run, family), run.n_features, measure)
    pairs = [(a, b) for i, a in enumerate(family) for b in family[:i]]
    given: dict[str, Any] = {
        "objectives": [run.problem.objective(family), apart],
        "test_objectives": tested and [run.problem.aggregate(tested), apart],
        "max_overlap": max((len({*a} & {*b}) for a, b in pairs), default=0),
    }
    for i, row in enumerate(rows):
        given["feature_names"] = [run.names[j] for j in family[i]]
        given["train_objective"] = train.evaluate(family[i])
        given["test_objective"] = tested and tested[i]
        for name, value in given.items():
            if row[name] != value:
                yield f"set_index {i}: {name} is {row[name]!r}, the data give {value!r}"


def missing_family(run: Run, points: Sequence[Row], limits: Limits) -> str | None:
    """Return an error if a proven front lacks a family.

    Another solver, or a listing of all families, looks for the best one at each number of
    features that two sets may share, or that all pairs share on average.
    """
    if run.problem is None or not points or points[0]["status"] != Status.OPTIMAL:
        return None
    assert isinstance(run.made, Pareto)
    families = [_family_of(rows) for _, rows in groupby(points, key=lambda row: row["point"])]
    average = run.made.options.dissimilarity == "average"
    for shared in range(run.n_features + 1):
        asked = _at(run.problem, shared, average)
        best = next((f for f in families if _shared_by(run, f) <= shared), ())
        status = Status.OPTIMAL if best else Status.INFEASIBLE
        bound = run.problem.objective(best) if best else float("inf")
        verdict = judge(Claim(asked, status, best, bound, ""), limits)
        if verdict not in VERDICTS:
            return f"{run}: of the families that share up to {shared} features, {verdict}"
    return None


def _at(problem: Problem, shared: int, average: bool = False) -> Problem:
    return replace(problem, overlap=Overlap(max_overlap=shared), average=average)


def _family_of(rows: Sequence[Row] | Iterator[Row]) -> Family:
    return tuple(tuple(row["selected"] or ()) for row in rows)


def _shared_by(run: Run, family: Family) -> Fraction:
    assert run.problem is not None
    assert isinstance(run.made, Pareto)
    return shared_of(run.problem, family, run.made.options.dissimilarity)


def _exact(problem: Problem, family: Family) -> Fraction:
    values = problem.quality.exact_values(family)
    return sum(values, Fraction()) if problem.aggregation == "sum" else min(values)
