"""Enumeration: sequential search that evaluates every set, for any quality."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.searches.base import Search, listed_result, searches
from altfs.solvers import Limits
from altfs.solvers.every_set import every_set, number_of_sets

# The number of sets in a unit of work.
_SETS_PER_UNIT = 5_000
# Sets that are evaluated before the best one is compared with the bounds of the others.
_AT_ONCE = 200


@searches.register("enumeration")
class Enumeration(Search):
    """Each set is the best one given those before it, found by evaluating all sets.

    It handles any quality, also black boxes, and any constraint. Every answer is proven, and
    among equals it is the canonical one. It checks each set of the right size that holds all
    included features and no excluded ones. It refuses more than 5000 of them per unit of
    `Limits.work`, and more than the `max_iterations` of a black box. If the quality has bounds of
    sets, only sets that these do not exclude are evaluated.
    """

    claims = "steps"
    aggregations = ("none",)
    statuses = frozenset({Status.OPTIMAL, Status.INFEASIBLE})

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        constraints = problem.constraints
        candidates = self._sets(problem, limits)
        # An evaluation may be slow, so a floor is checked last.
        unbounded = constraints.model_copy(update={"quality_floor": None})
        plain = replace(problem, n_sets=1, constraints=unbounded)
        valid = [s for s in candidates if plain.violation((s,)) is None]
        bounded = [*zip(problem.quality.bounds_of(valid), valid, strict=True)]
        floor = constraints.quality_floor
        if floor is not None:
            bounded = [p for p in bounded if p[0] >= floor and problem.quality.reaches(p[1], floor)]
        ranking = _Ranking(problem.quality, bounded)
        sets: list[FeatureIndices] = []
        while len(sets) < problem.n_sets and (best := ranking.best()) is not None:
            sets.append(best)
            ranking.leave_out(best, problem.max_overlap)
        statuses = [Status.OPTIMAL] * len(sets)
        statuses += [Status.INFEASIBLE] * (problem.n_sets - len(sets))
        return listed_result(
            problem, tuple(sets), statuses, solver=self.name,
            work=len(candidates), seconds=work_clock() - start,
        )  # fmt: skip

    def _sets(self, problem: Problem, limits: Limits) -> list[FeatureIndices]:
        """Return all sets of the size with the included and without the excluded features."""
        quality, count = problem.quality, number_of_sets(problem)
        most, what = int(_SETS_PER_UNIT * limits.work), "`work`"
        if quality.max_evaluations is not None and quality.max_evaluations < most:
            most, what = quality.max_evaluations, "`max_iterations`"
        if count > most:
            raise UnsupportedProblemError(
                "search",
                f"'{self.name}' would look at {count:,} sets and {most:,} are allowed",
                f"use smaller sets, fewer features, a larger {what}, or the search 'sequential'",
            )
        return every_set(problem)


class _Ranking:
    """Sets in the order of their qualities, of which no more are evaluated than decide."""

    def __init__(self, quality: Quality, bounded: list[tuple[float, FeatureIndices]]) -> None:
        self._quality = quality
        #: Sets that are not evaluated, with their bounds, the largest one last.
        self._left = sorted(bounded, key=lambda pair: pair[0])
        #: The negative qualities of other sets, so that the first one is the best.
        self._evaluated: list[tuple[Fraction, FeatureIndices]] = []

    def best(self) -> FeatureIndices | None:
        """Return the best set, of equals the first one in lexicographic order."""
        best = min(self._evaluated, default=None)
        while self._left and (best is None or self._left[-1][0] >= -best[0]):
            # Equal bounds are not told apart.
            least = self._left[-_AT_ONCE:][0][0]
            first = len(self._left)
            while first and self._left[first - 1][0] >= least:
                first -= 1
            sets = [chosen for _, chosen in self._left[first:]]
            del self._left[first:]
            values = self._quality.exact_values(sets)
            self._evaluated += [(-v, s) for v, s in zip(values, sets, strict=True)]
            best = min(self._evaluated)
        return None if best is None else best[1]

    def leave_out(self, chosen: FeatureIndices, most: int) -> None:
        """Leave out the sets that share more than `most` features with one."""
        members = {*chosen}
        self._left = [p for p in self._left if len(members.intersection(p[1])) <= most]
        self._evaluated = [p for p in self._evaluated if len(members.intersection(p[1])) <= most]
