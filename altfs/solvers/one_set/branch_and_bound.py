"""Exact solver for one set of linear quality that differs from given ones: branch and bound."""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import Any

import numpy as np

from altfs._compiled import interpreted
from altfs._numbers import BoolArray, IntArray
from altfs.problem import Problem
from altfs.quality import Linear
from altfs.solvers.base import Limits, LinearSolver, Solution, answer, bound_in_truth, solvers
from altfs.solvers.one_set._subset import best_subset, first_best_subset
from altfs.solvers.reduced import Reduced

_NODES_PER_UNIT = 2_000_000
_LOWEST = -(1 << 61)
# The largest number of features, the number of problems and the nodes that Python runs.
_SMALL, _FEW, _FEW_NODES = 32, 100, 2000
_INTERPRETED = count()


@solvers.register("branch_and_bound")
class BranchAndBound(LinearSolver):
    """One set at a time: sequential search, linear quality without conflicts.

    Given sets and groups with `at_most` are rows of one kind.
    """

    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "quality_floor", "given"})

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1 and problem.quality.conflicts is None

    def solve_reduced(
        self, problem: Problem, quality: Linear, reduced: Reduced, limits: Limits
    ) -> Solution:
        k = reduced.n_features
        kept, rows = _useful(quality, reduced)
        room = np.array([most for _, most in reduced.rows], dtype=np.int64)
        original = reduced.features[kept]
        weights = quality.weights[original]
        budget = max(int(_NODES_PER_UNIT * limits.work), 1)
        complete, chosen, bound, work = _first_best(weights, rows, room, k, budget)
        sets = (reduced.restore(kept[chosen]),) if chosen.any() else None
        bound += sum(quality.scaled[j] for j in reduced.include)
        return answer(problem, sets, complete, bound_in_truth(problem, quality, bound), work)


def _first_best(
    weights: IntArray, rows: BoolArray, room: IntArray, k: int, budget: int
) -> tuple[bool, BoolArray, int, int]:
    """Return if the search ended, the first best set, a bound and the nodes.

    Compiling takes seconds, so Python runs the first few small problems of a process, as far as
    they need few nodes.
    """
    compiled: Any = best_subset
    if len(weights) <= _SMALL and not compiled.signatures and next(_INTERPRETED) < _FEW:
        kernels = interpreted(best_subset), interpreted(first_best_subset)
        result = _run(*kernels, weights, rows, room, k, min(budget, _FEW_NODES))
        if result[-1] < _FEW_NODES:
            return result
    return _run(best_subset, first_best_subset, weights, rows, room, k, budget)


def _run(
    best: Any, first: Any, weights: IntArray, rows: BoolArray, room: IntArray, k: int, budget: int
) -> tuple[bool, BoolArray, int, int]:
    free = np.zeros(len(weights), dtype=np.int8)
    complete, value, chosen, bound, work = best(
        weights, rows, room, k, free, _LOWEST, 1 << 62, budget
    )
    if complete and chosen.any():
        chosen, more = first(weights, rows, room, k, value, chosen, budget)
        work += more
    return complete, chosen, bound, work


def _useful(quality: Linear, reduced: Reduced) -> tuple[IntArray, BoolArray]:
    """Return the positions that the canonical optimum can hold, ascending, and their rows.

    Of features in the same rows it holds the best ones, the smaller index first among
    equals. So the first k of each class are enough.
    """
    rows_of: dict[int, list[int]] = defaultdict(list)
    for i, (members, _) in enumerate(reduced.rows):
        for p in members:
            rows_of[p].append(i)
    ranked, k = reduced.best_first(quality), reduced.n_features
    in_rows = np.isin(ranked, list(rows_of))
    best = ranked[~in_rows][:k].tolist()
    count: dict[tuple[int, ...], int] = defaultdict(int)
    for p in ranked[in_rows].tolist():
        key = tuple(rows_of[p])
        count[key] += 1
        if count[key] <= k:
            best.append(p)
    kept = np.array(sorted(best), dtype=np.int64)
    rows = np.zeros((len(reduced.rows), len(kept)), dtype=np.bool_)
    where = {p: q for q, p in enumerate(kept.tolist())}
    for i, (members, _) in enumerate(reduced.rows):
        rows[i, [where[p] for p in members if p in where]] = True
    return kept, rows
