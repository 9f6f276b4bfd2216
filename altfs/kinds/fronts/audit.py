"""Fronts in shards, compared with what data give, with listings and with another solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby
from math import comb
from reprlib import repr as brief
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.family_front import (
    FamilyFront,
    dissimilarity_at,
    exact_quality,
    limited_to,
    shared_features,
)
from altfs.kinds.fronts.schema import FRONT_COLUMNS, FRONT_SCHEMA
from altfs.kinds.fronts.searches.many_objective import ManyObjective
from altfs.kinds.fronts.searches.pareto import Pareto
from altfs.problem import Family, Problem
from altfs.problem.results import Status
from altfs.solvers import Limits
from altfs.study.verify.claims import VERDICTS, Claim, judge
from altfs.study.verify.rows import FOUND, Row, StoredRun

# The largest number of feature sets whose curves are computed.
_MOST_LISTED = 200_000
# Columns in which a point is like the sets of its run, those that it has itself, and further ones
# of families. Points have no others.
_OF_RUN = ("dataset", "fold", "selector", "tau", "search", "n_features", "n_alternatives",
           "aggregation")  # fmt: skip
_OF_POINT = ("selected", "feature_names", "train_objective", "test_objective", "status",
             *(field.name for field in FRONT_COLUMNS))  # fmt: skip
_OF_FAMILY = ("set_index", "solver")


def check_fronts(
    runs: Sequence[StoredRun],
    points: Sequence[Row],
    metadata: Mapping[str, Any],
    limits: Limits | None,
) -> Iterator[str]:
    """Yield the errors in the fronts of the runs of a shard.

    With `limits`, proven fronts without another error are judged by a listing or another solver.
    """
    for run in runs:
        groups = [[*rows] for _, rows in groupby(_points_of(run, points), lambda row: row["point"])]
        errors = [*_check_front(run, groups)]
        proven = not errors and groups and groups[0][0]["status"] == Status.OPTIMAL
        if limits is not None and proven and run.problem is not None:
            families = [_family_of(rows) for rows in groups]
            if isinstance(run.made, ManyObjective):
                errors += _missing_sets(run, run.problem, families)
            else:
                errors += _missing_families(run, run.problem, families, limits)
        yield from errors
    if len(points) != sum(len(_points_of(run, points)) for run in runs):
        yield "has points of a front that is not planned"
    if points and runs and runs[0].qualities is not None:
        objectives = runs[0].made.objectives(runs[0].qualities.train)
        if metadata.get("objectives") != objectives:
            yield "its metadata's objectives are not those of the front"


def _points_of(run: StoredRun, points: Sequence[Row]) -> list[Row]:
    names = ("n_features", "n_alternatives", "aggregation")
    return [row for row in points if all(row[name] == run.rows[0][name] for name in names)]


def _check_front(run: StoredRun, groups: Sequence[Sequence[Row]]) -> Iterator[str]:
    """Yield the errors in the front of a run; without qualities objectives are not checked.

    No point beats another one, and the sets of the run are points, or a point.
    """
    if [rows[0]["point"] for rows in groups] != list(range(len(groups))):
        yield f"{run}: the points of the front are not numbered from 0"
        return
    for point, rows in enumerate(groups):
        for wrong in _check_point(run, point, rows):
            yield f"{run}, point {point}: {wrong}"
            return
    families = [_family_of(rows) for rows in groups]
    if isinstance(run.made, ManyObjective):
        yield from _check_sets(run, families)
    elif run.problem is not None:
        yield from _check_families(run, run.problem, families)


def _check_point(run: StoredRun, point: int, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the errors in the sets of a point: one set, or those of a family."""
    of_family = isinstance(run.made, Pareto)
    same = _OF_RUN if of_family else (*_OF_RUN, "max_overlap")
    filled = (*same, *_OF_POINT, *((*_OF_FAMILY, "max_overlap") if of_family else ()))
    for row in rows:
        for name in FRONT_SCHEMA.names:
            if name in same and row[name] != run.rows[0][name]:
                yield f"{name} is {row[name]!r}, the sets of the run have {run.rows[0][name]!r}"
            if name not in filled and row[name] is not None:
                yield f"{name} is {row[name]!r}, points have none"
        chosen = row["selected"] or []
        if None in chosen or sorted(set(chosen)) != chosen or not run.allows_size(len(chosen)):
            yield f"selected {chosen} is not a set of the run"
            return
        if row["status"] not in FOUND:
            yield f"status is {row['status']}"
    if [row["set_index"] for row in rows] != (list(range(len(rows))) if of_family else [None]):
        yield "its sets are not numbered from 0"
        return
    if run.problem is None or run.qualities is None or run.names is None:
        return
    family = _family_of(rows)
    problem = limited_to(run.problem, run.n_features) if of_family else run.single()
    if (broken := problem.violation(family)) is not None:
        yield broken
        return
    front = _front_of(run, problem, family, rows[0])
    again = front.rows(run.qualities.train, run.qualities.test, run.aggregation)
    for row, computed in zip(rows, again, strict=True):
        names = [run.names[j] for j in computed["selected"]]
        for name, value in {**computed, "feature_names": names, "point": point}.items():
            if row[name] != value:
                yield f"{name} is {brief(row[name])}, the data give {brief(value)}"


def _front_of(
    run: StoredRun, problem: Problem, family: Family, row: Row
) -> CurveFront | FamilyFront:
    """Return a front of one point, for the values that data give."""
    proven = row["status"] == Status.OPTIMAL
    if isinstance(problem.quality, Curve) and not isinstance(run.made, Pareto):
        levels = np.array([problem.quality.levels(chosen) for chosen in family])
        return CurveFront(family, levels, 0, proven)
    shared, measure = _shared_by(run, problem, family), problem.overlap.dissimilarity
    apart = dissimilarity_at(shared, run.n_features, measure)
    objectives = ((problem.objective(family), apart),)
    return FamilyFront((family,), objectives, (row["solver"],), 0, proven)


def _check_sets(run: StoredRun, families: Sequence[Family]) -> Iterator[str]:
    """Yield the errors in a front of sets, which are families of one."""
    if len(set(families)) < len(families):
        yield f"{run}: the front has a set twice"
    for row in run.rows:
        if row["status"] in FOUND and (tuple(row["selected"]),) not in families:
            yield f"{run.place(row)}: is not in the front"
    if run.qualities is None:
        return
    curves, rule = _curves(run, families)
    for point, curve in enumerate(curves):
        if len(judges := np.flatnonzero(rule.dominating(curves, curve))):
            yield f"{run}, point {point}: is dominated by point {judges[0]}"
    areas = curves.sum(axis=1).tolist()
    if areas != sorted(areas, reverse=True):
        yield f"{run}: the points are not in falling order of their area"


def _check_families(run: StoredRun, problem: Problem, families: Sequence[Family]) -> Iterator[str]:
    answers = (family for family in families if problem.violation(family) is None)
    if _family_of(row for row in run.rows if row["status"] in FOUND) != next(answers, ()):
        yield f"{run}: its sets are not the best family of the front that is different enough"
    if run.qualities is None:
        return
    exact = problem.quality.exact_values
    values = [(exact_quality(problem, exact(f)), _shared_by(run, problem, f)) for f in families]
    for i in range(1, len(families)):
        if any(value >= before for value, before in zip(values[i], values[i - 1], strict=True)):
            yield f"{run}: points {i - 1} and {i} are not worse in one objective and better in one"
            return


def _missing_sets(run: StoredRun, problem: Problem, families: Sequence[Family]) -> Iterator[str]:
    """Yield a set that a proven front lacks; fronts of more than 200,000 sets are not judged."""
    quality, single = problem.quality, run.single()
    n_sets = sum(comb(quality.n_total, size) for size in problem.sizes)
    if not isinstance(quality, Curve) or n_sets > _MOST_LISTED:
        return
    (curves, rule), members = _curves(run, families), {chosen for (chosen,) in families}
    for size in problem.sizes:
        for chosen in combinations(range(quality.n_total), size):
            if chosen in members or rule.dominating(curves, quality.levels(chosen)).any():
                continue
            if single.violation((chosen,)) is None:
                yield f"{run}: the front lacks {list(chosen)}, which no member dominates"
                return


def _missing_families(
    run: StoredRun, problem: Problem, families: Sequence[Family], limits: Limits
) -> Iterator[str]:
    """Yield an error if a proven front lacks a family.

    Another solver, or a listing of all families, looks for the best one at each number of
    features that two sets may share, or that all pairs share on average.
    """
    average = _options(run).dissimilarity == "average"
    for shared in range(run.n_features + 1):
        best = next((f for f in families if _shared_by(run, problem, f) <= shared), ())
        status = Status.OPTIMAL if best else Status.INFEASIBLE
        bound = problem.objective(best) if best else float("inf")
        claim = Claim(limited_to(problem, shared, average), status, best, bound, "")
        verdict = judge(claim, limits)
        if verdict not in VERDICTS:
            yield f"{run}: of the families that share up to {shared} features, {verdict}"
            return


def _options(run: StoredRun) -> Any:
    search: Any = run.made
    return search.options


def _family_of(rows: Iterable[Row]) -> Family:
    return tuple(tuple(row["selected"] or ()) for row in rows)


def _shared_by(run: StoredRun, problem: Problem, family: Family) -> Fraction:
    return shared_features(problem, family, _options(run).dissimilarity)


def _curves(run: StoredRun, families: Sequence[Family]) -> tuple[Levels, Dominance]:
    quality = run.qualities.train if run.qualities else None
    assert isinstance(quality, Curve)
    curves = [quality.levels(chosen) for (chosen,) in families]
    rule = Dominance.of(_options(run).dominance_factor, quality)
    return np.array(curves).reshape(-1, quality.n_positive), rule
