"""Fronts in shards, compared with what data give, with listings and with another solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import comb
from reprlib import repr as brief
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.family_front import (
    exact_quality,
    family_front,
    limited_on_average,
    limited_to,
    to_lower,
)
from altfs.kinds.fronts.schema import FRONT_COLUMNS, FRONT_SCHEMA
from altfs.kinds.fronts.searches.pareto import Pareto
from altfs.problem import Family, Problem
from altfs.problem.front import Front
from altfs.problem.results import Status
from altfs.solvers import Limits
from altfs.solvers.trade_off import below, heaviest
from altfs.study.verify.claims import VERDICTS, Claim, judge
from altfs.study.verify.rows import WITH_SET, Row, StoredRun

# The largest number of feature sets whose curves are computed.
_MOST_LISTED = 200_000
_RUN = ("n_features", "n_alternatives", "aggregation")
# Columns in which a point is like the sets of its run, and those that it has itself.
_OF_RUN = ("dataset", "fold", "selector", "tau", "search", *_RUN)
_OF_POINT = ("selected", "feature_names", "train_objective", "test_objective", "status",
             *(field.name for field in FRONT_COLUMNS))  # fmt: skip


def check_fronts(
    runs: Sequence[StoredRun],
    points: Sequence[Row],
    metadata: Mapping[str, Any],
    limits: Limits | None,
) -> Iterator[str]:
    """Yield the errors in the fronts of the runs of a shard.

    With `limits`, proven fronts without another error are judged by a listing or another solver.
    """
    fronts = [StoredFront(run, points) for run in runs]
    for front in fronts:
        errors = [*front.errors()]
        if limits is not None and not errors and front.is_proven:
            errors += front.missing(limits)
        yield from errors
    if len(points) != sum(len(rows) for front in fronts for rows in front.points):
        yield "has points of a front that is not planned"
    if points and runs and runs[0].qualities is not None:
        objectives = runs[0].search.objectives(runs[0].qualities.train)
        if metadata.get("objectives") != objectives:
            yield "its metadata's objectives are not those of the front"


class StoredFront:
    """The front of a run: the rows of each point, which are a set or those of a family.

    Without qualities objectives are not checked.
    """

    def __init__(self, run: StoredRun, points: Sequence[Row]) -> None:
        mine = [row for row in points if all(row[name] == run.rows[0][name] for name in _RUN)]
        self.points = [[*rows] for _, rows in groupby(mine, lambda row: row["point"])]
        search: Any = run.search
        self.run, self.options, self.of_families = run, search.options, isinstance(search, Pareto)
        #: True for families that are best for limits of information.
        self.by_limits = self.of_families and search.options.second == "information"
        self.families: list[Family] = [
            tuple(tuple(row["selected"] or ()) for row in rows) for rows in self.points
        ]

    @property
    def is_proven(self) -> bool:
        """True if its problem is there and no point should be missing."""
        proven = self.points and self.points[0][0]["status"] == Status.OPTIMAL
        return bool(proven and self.run.problem is not None)

    def errors(self) -> Iterator[str]:
        """Yield the errors in the points, of which none beats another one."""
        run = self.run
        if [rows[0]["point"] for rows in self.points] != list(range(len(self.points))):
            yield f"{run}: the points of the front are not numbered from 0"
            return
        for point in range(len(self.points)):
            for wrong in self._check_point(point):
                yield f"{run}, point {point}: {wrong}"
                return
        if not self.of_families:
            yield from self._check_sets()
        elif run.problem is not None:
            yield from self._check_families(run.problem)

    def _check_point(self, point: int) -> Iterator[str]:
        run, rows = self.run, self.points[point]
        for row in rows:
            chosen = row["selected"] or []
            if None in chosen or sorted(set(chosen)) != chosen or not run.allows_size(len(chosen)):
                yield f"selected {chosen} is not a set of the run"
                return
            if row["status"] not in WITH_SET:
                yield f"status is {row['status']}"
        numbers = list(range(len(rows))) if self.of_families else [None]
        if [row["set_index"] for row in rows] != numbers:
            yield "its sets are not numbered from 0"
            return
        filled = (*_OF_POINT, *(("set_index", "solver", "max_overlap") if self.of_families else ()))
        same = (*_OF_RUN, "floor") if self.of_families else (*_OF_RUN, "floor", "max_overlap")
        for row in rows:
            for name in FRONT_SCHEMA.names:
                expected = run.rows[0][name] if name in same else None
                if row[name] != expected and name not in filled:
                    yield f"{name} is {row[name]!r}, it should be {expected!r} for a point"
        if run.problem is None or run.qualities is None or run.names is None:
            return
        problem = run.problem
        if not self.by_limits:
            at_most = run.n_features
            problem = limited_to(problem, at_most) if self.of_families else run.single()
        if (broken := problem.violation(self.families[point])) is not None:
            yield broken
            return
        proven, family = rows[0]["status"] == Status.OPTIMAL, self.families[point]
        front: Front
        if self.of_families:
            front = family_front(
                run.problem, self.options.second, [(family, rows[0]["solver"])], 0, proven
            )
        else:
            quality: Any = run.qualities.train
            front = CurveFront(family, np.array([quality.levels(family[0])]), 0, proven)
        again = front.rows(run.qualities.train, run.qualities.test, run.aggregation)
        for row, computed in zip(rows, again, strict=True):
            names = [run.names[j] for j in computed["selected"]]
            for name, value in {**computed, "feature_names": names, "point": point}.items():
                if row[name] != value:
                    yield f"{name} is {brief(row[name])}, the data give {brief(value)}"

    def _check_sets(self) -> Iterator[str]:
        """Yield the errors in a front of sets, which are families of one."""
        run = self.run
        if len(set(self.families)) < len(self.families):
            yield f"{run}: the front has a set twice"
        for row in run.rows:
            if row["status"] in WITH_SET and (tuple(row["selected"]),) not in self.families:
                yield f"{run.place(row)}: is not in the front"
        if run.qualities is None:
            return
        curves, rule, compared = self._curves(run.qualities.train)
        for point, curve in enumerate(compared):
            if len(judges := np.flatnonzero(rule.dominating(compared, curve))):
                yield f"{run}, point {point}: is dominated by point {judges[0]}"
        of_envelope = self.options.envelope and len(curves)
        if of_envelope and {*curves.argmax(axis=0).tolist()} != {*range(len(curves))}:
            yield f"{run}: the front has a set that is nowhere first"
        areas = curves.sum(axis=1).tolist()
        if areas != sorted(areas, reverse=True):
            yield f"{run}: the points are not in falling order of their area"

    def _check_families(self, problem: Problem) -> Iterator[str]:
        run, families = self.run, self.families
        answers = (family for family in families if problem.violation(family) is None)
        stored = tuple(tuple(row["selected"]) for row in run.rows if row["status"] in WITH_SET)
        if stored != next(answers, ()):
            yield f"{run}: its sets are not the best family of the front that is different enough"
        if run.qualities is None:
            return
        exact = problem.quality.exact_values
        second = self.options.second
        values = [
            (exact_quality(problem, exact(f)), to_lower(problem, f, second)) for f in families
        ]
        for i in range(1, len(families)):
            if any(value >= before for value, before in zip(values[i], values[i - 1], strict=True)):
                both = f"points {i - 1} and {i}"
                yield f"{run}: {both} are not worse in one objective and better in one"
                return

    def missing(self, limits: Limits) -> Iterator[str]:
        """Yield an error if the front, which is proven, lacks a point."""
        assert self.run.problem is not None
        if self.of_families:
            return self._missing_families(self.run.problem, limits)
        return self._missing_sets(self.run.problem)

    def _missing_sets(self, problem: Problem) -> Iterator[str]:
        quality, single = problem.quality, self.run.single()
        n_sets = sum(comb(quality.n_total, size) for size in problem.sizes)
        if not isinstance(quality, Curve) or n_sets > _MOST_LISTED:
            return
        curves, rule, compared = self._curves(quality)
        members, highest = {chosen for (chosen,) in self.families}, curves.max(axis=0)
        for size in problem.sizes:
            for chosen in combinations(range(quality.n_total), size):
                levels = quality.levels(chosen)
                if (
                    chosen in members
                    or rule.dominating(compared, rule.compared(levels, chosen)).any()
                ):
                    continue
                if self.options.envelope and (levels <= highest).all():
                    continue
                if single.violation((chosen,)) is None:
                    yield f"{self.run}: the front lacks {list(chosen)}, which no member dominates"
                    return

    def _missing_families(self, problem: Problem, limits: Limits) -> Iterator[str]:
        """Judge the best family at each number of features that two sets may share, or all do.

        Against information it is that which tells less than the one before.
        """
        for limited, what in self._limits(problem):
            best = next((f for f in self.families if limited.violation(f) is None), ())
            status = Status.OPTIMAL if best else Status.INFEASIBLE
            bound = problem.objective(best) if best else float("inf")
            claim = Claim(limited, status, best, bound, "")
            verdict = judge(claim, limits)
            if verdict not in VERDICTS:
                yield f"{self.run}: of the families that {what}, {verdict}"
                return

    def _limits(self, problem: Problem) -> Iterator[tuple[Problem, str]]:
        """Yield the problems whose best families the front holds, and their limits in words."""
        if self.by_limits:
            weights = problem.constraints.information or ()
            for family in self.families:
                most = heaviest(family, weights)
                if most:
                    yield below(problem, weights, most), f"tell less than {float(most):g} bits"
            return
        limit = limited_to if self.options.second == "smallest" else limited_on_average
        for shared in range(self.run.n_features + 1):
            yield limit(problem, shared), f"share up to {shared} features"

    def _curves(self, quality: Any) -> tuple[Levels, Dominance, Levels]:
        """Return the curves, the rule, and what it compares of each set."""
        curves = [quality.levels(chosen) for (chosen,) in self.families]
        search: Any = self.run.search
        rule = search.rule(quality)
        compared = [
            rule.compared(levels, chosen)
            for levels, (chosen,) in zip(curves, self.families, strict=True)
        ]
        n_levels = quality.n_positive
        return (
            np.reshape(curves, (-1, n_levels)),
            rule,
            np.reshape(compared, (-1, n_levels + rule.by_size)),
        )
