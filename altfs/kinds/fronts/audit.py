"""Fronts in shards, compared with the curves that data give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from altfs.kinds.fronts._columns_audit import OF_RUN, check_columns
from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.family_audit import check_families, missing_family
from altfs.kinds.fronts.schema import FRONT_COLUMNS
from altfs.kinds.fronts.searches.many_objective import ManyObjective
from altfs.problem.results import Status
from altfs.solvers import Limits
from altfs.study.verify.rows import FOUND, Row, Run

# The largest number of feature sets whose curves are computed.
_MOST_LISTED = 200_000
_OWN = ("selected", "feature_names", "train_objective", "test_objective", "status",
        *(field.name for field in FRONT_COLUMNS))  # fmt: skip


def check_fronts(
    runs: Sequence[Run], points: Sequence[Row], metadata: Mapping[str, Any], limits: Limits | None
) -> Iterator[str]:
    """Yield the errors in the fronts of the runs of a shard.

    With `limits`, proven fronts without another error are judged by a listing or another solver.
    """
    for run in runs:
        of_run = points_of(run, points)
        curves = isinstance(run.made, ManyObjective)
        errors = [*(check_front if curves else check_families)(run, of_run)]
        if limits is not None and not errors:
            missing = missing_member(run, of_run) if curves else missing_family(run, of_run, limits)
            errors += [missing] if missing else []
        yield from errors
    if len(points) != sum(len(points_of(run, points)) for run in runs):
        yield "has points of a front that is not planned"
    if points and runs and runs[0].qualities is not None:
        objectives = runs[0].made.objectives(runs[0].qualities.train)
        if metadata.get("objectives") != objectives:
            yield "its metadata's objectives are not those of the front"


def points_of(run: Run, points: Sequence[Row]) -> list[Row]:
    """Return the rows of a shard's front that belong to a run."""
    names = ("n_features", "n_alternatives", "aggregation")
    return [row for row in points if all(row[name] == run.rows[0][name] for name in names)]


def check_front(run: Run, points: Sequence[Row]) -> Iterator[str]:
    """Yield the errors in the front of a run; without qualities curves are not checked.

    No member is dominated by another, and the feature sets of the run are members.
    """
    if [row["point"] for row in points] != list(range(len(points))):
        yield f"{run}: the points of the front are not numbered from 0"
        return
    for row in points:
        for wrong in _check_point(run, row):
            yield f"{run}, point {row['point']}: {wrong}"
            return
    members = [tuple(row["selected"]) for row in points]
    if len(set(members)) < len(members):
        yield f"{run}: the front has a set twice"
    for row in run.rows:
        if row["status"] in FOUND and tuple(row["selected"]) not in members:
            yield f"{run.place(row)}: is not in the front"
    if run.qualities is None:
        return
    curves, rule = _curves(run, points)
    for point, row in enumerate(curves):
        if len(judges := np.flatnonzero(_dominating(curves, row, rule))):
            yield f"{run}, point {point}: is dominated by point {judges[0]}"
    areas = [row["train_objective"] for row in points]
    if areas != sorted(areas, reverse=True):
        yield f"{run}: the points are not in falling order of their area"


def _check_point(run: Run, row: Row) -> Iterator[str]:
    yield from check_columns(run, row, (*OF_RUN, "max_overlap"), _OWN)
    chosen = row["selected"] or []
    if None in chosen or sorted(set(chosen)) != chosen or not run.allows_size(len(chosen)):
        yield f"selected {chosen} is not a set of the run"
        return
    if run.problem is None or run.qualities is None or run.names is None:
        return
    if (broken := run.single().violation((tuple(chosen),))) is not None:
        yield broken
        return
    if row["feature_names"] != [run.names[j] for j in chosen]:
        yield f"feature_names are not those of the features {chosen}"
    for part, quality in (("train", run.qualities.train), ("test", run.qualities.test)):
        column = "objectives" if part == "train" else "test_objectives"
        known = isinstance(quality, Curve)
        if row[column] != (quality.curve(chosen).tolist() if known else None):  # type: ignore[union-attr]
            yield f"{column} are not what the data give"
        if row[f"{part}_objective"] != (quality.evaluate(chosen) if quality else None):
            yield f"{part}_objective is {row[f'{part}_objective']!r}, the data give another"


def missing_member(run: Run, points: Sequence[Row]) -> str | None:
    """Return an error if a proven front lacks a set; all valid sets are compared with it.

    Fronts that are not proven, and those of more than 200,000 sets, are not judged.
    """
    quality = None if run.qualities is None else run.qualities.train
    if run.problem is None or not isinstance(quality, Curve) or not points:
        return None
    sizes, n_total = run.problem.sizes, quality.n_total
    proven = points[0]["status"] == Status.OPTIMAL
    if not proven or sum(comb(n_total, size) for size in sizes) > _MOST_LISTED:
        return None
    curves, rule = _curves(run, points)
    members, single = {tuple(row["selected"]) for row in points}, run.single()
    for size in sizes:
        for chosen in combinations(range(n_total), size):
            if chosen in members or _dominating(curves, quality.levels(chosen), rule).any():
                continue
            if single.violation((chosen,)) is None:
                return f"{run}: the front lacks {list(chosen)}, which no member dominates"
    return None


def _curves(run: Run, points: Sequence[Row]) -> tuple[Levels, Dominance]:
    assert run.qualities is not None
    quality = run.qualities.train
    assert isinstance(quality, Curve)
    assert isinstance(run.made, ManyObjective)
    curves = [quality.levels(row["selected"]) for row in points]
    rule = Dominance.of(run.made.options.dominance_factor, quality)
    return np.array(curves).reshape(-1, quality.n_positive), rule


def _dominating(curves: Levels, one: Levels, rule: Dominance) -> Levels:
    """Return which curves dominate one."""
    difference = curves - one
    red = np.maximum(difference, 0).sum(axis=1)
    green = red - difference.sum(axis=1)
    if rule.denominator == 0:
        return np.asarray((green == 0) & (red > 0))
    return np.asarray(rule.denominator * red - rule.numerator * green > rule.margin)
