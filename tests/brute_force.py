"""The judge of every search: all families of feature sets, one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear


def scaled_objective(problem: Problem, sets: tuple[FeatureIndices, ...]) -> int:
    """The objective in the integers in which solvers prove optimality."""
    assert isinstance(problem.quality, Linear)
    totals = [sum(problem.quality.scaled[j] for j in s) for s in sets]
    return sum(totals) if problem.aggregation == "sum" else min(totals)


def best_sets(problem: Problem) -> tuple[FeatureIndices, ...] | None:
    """The canonical optimum, or None if the problem is infeasible."""
    single = replace(problem, n_sets=1)
    candidates = [
        s
        for s in combinations(range(problem.quality.n_total), problem.n_features)
        if single.violation((s,)) is None
    ]
    again = problem.max_overlap == problem.n_features
    best: tuple[FeatureIndices, ...] | None = None
    value = 0

    def extend(start: int, chosen: tuple[FeatureIndices, ...]) -> None:
        nonlocal best, value
        if len(chosen) == problem.n_sets:
            found = scaled_objective(problem, chosen)
            # Families come in lexicographic order, so the first best one stays.
            if best is None or found > value:
                best, value = chosen, found
            return
        for i in range(start, len(candidates)):
            fits = all(len(set(candidates[i]) & set(s)) <= problem.max_overlap for s in chosen)
            if fits:
                extend(i if again else i + 1, (*chosen, candidates[i]))

    extend(0, ())
    return best
