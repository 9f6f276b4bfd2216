"""Exact solver for one set of linear quality that differs from given ones: branch and bound."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from altfs._numbers import BoolArray, IntArray
from altfs.problem import Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, Solution, Solver, bound_in_truth, solvers
from altfs.solvers.one_set._first_subset import first_best_subset
from altfs.solvers.one_set._multipliers import tune_multipliers
from altfs.solvers.one_set._subset import best_subset
from altfs.solvers.reduced import Reduced, reduce_problem

_NODES_PER_UNIT = 2_000_000
_ROUNDS = 40
_CHUNK = 1_024
_LOWEST = -(1 << 61)


@solvers.register("branch_and_bound")
class BranchAndBound(Solver):
    """One set at a time: sequential search, linear quality, conflicts or not.

    Given sets and groups with `at_most` are rows of one kind.
    """

    proves = True
    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "quality_floor", "given"})

    def handles(self, problem: Problem) -> bool:
        return isinstance(problem.quality, Linear) and problem.n_sets == 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality
        assert isinstance(quality, Linear)
        reduced = reduce_problem(problem)
        if reduced is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        offset = sum(quality.scaled[j] for j in reduced.include)
        k = reduced.n_features
        if k == 0:
            return self._checked(problem, quality, (reduced.restore(()),), 1)

        kept, rows = _useful(quality, reduced)
        room = np.array([most for _, most in reduced.rows], dtype=np.int64)
        weights = quality.weights[reduced.features[kept]]
        graph = np.zeros((0, 0), dtype=np.bool_)
        if quality.conflicts is not None:
            original = reduced.features[kept]
            graph = quality.conflicts[np.ix_(original, original)]
        if len(kept) < k:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        budget = max(int(_NODES_PER_UNIT * limits.work), 1)
        multipliers = tune_multipliers(weights, rows, room, k, _ROUNDS)
        free = np.zeros(len(kept), dtype=np.int8)
        complete, value, chosen, bound, nodes = best_subset(
            weights, rows, room, graph, k, free, multipliers, _LOWEST, 1 << 62, budget
        )
        if not chosen.any():
            if complete:
                return Solution(Status.INFEASIBLE, (), NAN, nodes)
            truth = bound_in_truth(problem, quality, bound + offset)
            return Solution(Status.UNKNOWN, (), truth, nodes)
        if not complete:
            sets = (reduced.restore(kept[chosen]),)
            truth = bound_in_truth(problem, quality, bound + offset)
            if problem.violation(sets) is not None:
                return Solution(Status.UNKNOWN, (), truth, nodes)
            return Solution(Status.FEASIBLE, sets, truth, nodes)
        chosen, more, _ = first_best_subset(
            weights, rows, room, graph, k, multipliers, value, chosen, budget
        )
        return self._checked(problem, quality, (reduced.restore(kept[chosen]),), nodes + more)

    @staticmethod
    def _checked(
        problem: Problem, quality: Linear, sets: tuple[tuple[int, ...]], work: int
    ) -> Solution:
        floor = problem.constraints.quality_floor
        if floor is not None and not quality.reaches(sets[0], floor):
            return Solution(Status.INFEASIBLE, (), NAN, work)
        return Solution(Status.OPTIMAL, sets, problem.objective(sets), work)


def _useful(quality: Linear, reduced: Reduced) -> tuple[IntArray, BoolArray]:
    """Return the positions that the canonical optimum can hold, ascending, and their rows.

    Of features in the same rows it holds the best ones, the smaller index first among
    equals. So the first k of each class are enough, unless there are conflicts.
    """
    n, k = len(reduced.features), reduced.n_features
    if quality.conflicts is not None:
        kept = np.arange(n)
        if k > 1:
            # A feature needs k - 1 others that it can be with.
            among = quality.conflicts[np.ix_(reduced.features, reduced.features)]
            kept = np.flatnonzero(n - 1 - among.sum(axis=1) >= k - 1)
    else:
        held: dict[int, list[int]] = {}
        for i, (members, _) in enumerate(reduced.rows):
            for p in members:
                held.setdefault(p, []).append(i)
        count: dict[tuple[int, ...], int] = {}
        outside = 0
        best: list[int] = []
        ranked = quality.order
        if n < quality.n_total:
            place = np.full(quality.n_total, -1, dtype=np.int64)
            place[reduced.features] = np.arange(n)
            ranked = place[ranked]
            ranked = ranked[ranked >= 0]
        waiting = len(held)
        for p in _one_by_one(ranked):
            rows = held.get(p)
            if rows is None:
                if outside < k:
                    outside += 1
                    best.append(p)
            else:
                waiting -= 1
                key = tuple(rows)
                count[key] = count.get(key, 0) + 1
                if count[key] <= k:
                    best.append(p)
            if outside >= k and waiting == 0:
                break
        kept = np.array(sorted(best), dtype=np.int64)
    rows_of = np.zeros((len(reduced.rows), len(kept)), dtype=np.bool_)
    where = {int(p): q for q, p in enumerate(kept)}
    for i, (members, _) in enumerate(reduced.rows):
        for p in members:
            if p in where:
                rows_of[i, where[p]] = True
    return kept, rows_of


def _one_by_one(positions: IntArray) -> Iterator[int]:
    """Yield an array's numbers, converted in chunks."""
    for start in range(0, len(positions), _CHUNK):
        yield from positions[start : start + _CHUNK].tolist()
