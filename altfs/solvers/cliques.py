"""Exact solver for several sets without conflicting features, where few such sets exist."""

from __future__ import annotations

from math import inf

import numpy as np

from altfs.problem import Problem
from altfs.quality import Linear
from altfs.results import NAN, Status
from altfs.solvers._cliques import bits_of, cliques
from altfs.solvers._reduced import reduce_problem
from altfs.solvers._tuples import best_tuple
from altfs.solvers.base import Limits, Solution, Solver, bound_in_truth, solvers

_FEW = 2_000
_NODES_PER_UNIT = 50_000


@solvers.register("cliques")
class Cliques(Solver):
    """Conflicts (FCBF): lists all cliques of compatible features, then picks the best family.

    Where there are more than 2,000 of them the next solver takes over.
    """

    proves = True
    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "quality_floor", "given"})

    def handles(self, problem: Problem) -> bool:
        quality = problem.quality
        return isinstance(quality, Linear) and quality.conflicts is not None and problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        return solve_by_cliques(problem, limits, _FEW)


def solve_by_cliques(problem: Problem, limits: Limits, most: int) -> Solution:
    """Solve a problem with conflicts if it has no more than so many single sets."""
    quality = problem.quality
    assert isinstance(quality, Linear)
    assert quality.conflicts is not None
    reduced = reduce_problem(problem, quality.conflicts)
    if reduced is None:
        return Solution(Status.INFEASIBLE, (), NAN, 1)
    budget = max(int(_NODES_PER_UNIT * limits.work), 1)
    features, k = reduced.features, reduced.n_features
    if k == 0:
        sets = np.zeros((1, 0), dtype=np.int64)
    else:
        graph = quality.conflicts[np.ix_(features, features)]
        complete, sets = cliques(graph, k, most, budget)
        if not complete:
            return Solution(Status.UNKNOWN, (), inf, most)
    valid = np.ones(len(sets), dtype=bool)
    for members, room in reduced.rows:
        flags = np.zeros(len(features), dtype=bool)
        flags[list(members)] = True
        valid &= flags[sets].sum(axis=1) <= room
    offset = sum(quality.scaled[j] for j in reduced.include)
    values = quality.weights[features[sets]].sum(axis=1) + offset
    if problem.constraints.quality_floor is not None:
        valid &= values >= quality.scaled_floor(problem.constraints.quality_floor)
    sets, values = sets[valid], values[valid]
    if len(sets) == 0:
        return Solution(Status.INFEASIBLE, (), NAN, len(valid) + 1)
    if reduced.max_overlap >= k:
        # The best set may be there any number of times.
        top = int(np.argmax(values))
        family = (reduced.restore(sets[top]),) * problem.n_sets
        return Solution(Status.OPTIMAL, family, problem.objective(family), len(valid))
    minimum = problem.aggregation == "min"
    found = best_tuple(
        values, bits_of(sets, len(features)), problem.n_sets, reduced.max_overlap, minimum, budget
    )
    work = len(valid) + found.nodes
    if found.members is None:
        if found.complete:
            return Solution(Status.INFEASIBLE, (), NAN, work)
        return Solution(Status.UNKNOWN, (), bound_in_truth(problem, quality, found.bound), work)
    family = tuple(sorted(reduced.restore(sets[i]) for i in found.members))
    if not found.complete:
        bound = bound_in_truth(problem, quality, found.bound)
        return Solution(Status.FEASIBLE, family, bound, work)
    return Solution(Status.OPTIMAL, family, problem.objective(family), work)
