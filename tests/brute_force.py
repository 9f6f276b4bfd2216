"""The judge of every search: all families of feature sets, one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from altfs.problem import FeatureIndices, Problem, Status
from altfs.quality import Linear
from altfs.solvers import Limits, Solution, solvers_for


def scaled_objective(problem: Problem, sets: tuple[FeatureIndices, ...]) -> int:
    """The objective in the integers in which solvers prove optimality."""
    assert isinstance(problem.quality, Linear)
    totals = [sum(problem.quality.scaled[j] for j in s) for s in sets]
    return sum(totals) if problem.aggregation == "sum" else min(totals)


def valid_sets(problem: Problem) -> list[FeatureIndices]:
    """Return all sets that satisfy the constraints and differ from the given sets."""
    single = replace(problem, n_sets=1)
    sets = combinations(range(problem.quality.n_total), problem.n_features)
    return [s for s in sets if single.violation((s,)) is None]


def best_sets(problem: Problem) -> tuple[FeatureIndices, ...] | None:
    """The canonical optimum, or None if the problem is infeasible."""
    candidates = valid_sets(problem)
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


def assert_every_solver_finds(
    problem: Problem, expected: tuple[FeatureIndices, ...] | None
) -> list[Solution]:
    """Check that each solver finds the optimum, and return the solutions that prove it.

    A solver may report that it does not know, apart from CP-SAT.
    """
    proven = []
    for solver in solvers_for(problem):
        solution = solver.solve(problem, Limits())
        if solution.status is Status.UNKNOWN:
            assert solver.name != "cp_sat"
            continue
        assert (solution.sets or None) == expected, solver.name
        proven.append(solution)
    return proven
