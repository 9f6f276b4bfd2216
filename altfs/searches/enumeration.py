"""Enumeration: sequential search that evaluates every set, for any quality."""

from __future__ import annotations

from dataclasses import replace

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import SearchResult, Status
from altfs.searches.base import Search, listed_result, searches
from altfs.solvers import Limits
from altfs.solvers.every_set import every_set, number_of_sets

# The number of sets in a unit of work.
_SETS_PER_UNIT = 5_000


@searches.register("enumeration")
class Enumeration(Search):
    """Each set is the best one given those before it, found by evaluating all sets.

    It handles any quality, also black boxes, and any constraint. Every answer is proven, and
    among equals it is the canonical one. It checks each set of the right size that holds all
    included features and no excluded ones. It refuses more than 5000 of them per unit of
    `Limits.work`, and more than the `max_iterations` of a black box.
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
        floor = constraints.quality_floor
        if floor is not None:
            valid = [s for s in valid if problem.quality.reaches(s, floor)]
        # Sorting is stable: equal sets stay in lexicographic order.
        values = problem.quality.exact_values(valid)
        ranked = sorted(zip(values, valid, strict=True), key=lambda p: -p[0])
        left = [chosen for _, chosen in ranked]
        sets: list[FeatureIndices] = []
        while left and len(sets) < problem.n_sets:
            best = left[0]
            sets.append(best)
            left = [s for s in left if len(set(s) & set(best)) <= problem.max_overlap]
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
