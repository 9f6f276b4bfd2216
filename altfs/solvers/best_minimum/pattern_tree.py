"""Exact solver for the minimum of several sets of linear quality."""

from __future__ import annotations

from dataclasses import replace

from altfs.problem import Family, Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, LinearSolver, Solution, answer, bound_in_truth, solvers
from altfs.solvers.best_minimum._tree import MOST_ENTRIES, Tree, entries
from altfs.solvers.best_sum.histograms import Histograms
from altfs.solvers.reduced import Reduced

_NODES_PER_UNIT = 10_000
# Patterns of sets that a feature can have: 2 ** 8.
_MOST_SETS = 8


@solvers.register("pattern_tree")
class PatternTree(LinearSolver):
    """Two to eight sets of linear quality without conflicts, aggregation min.

    It proves its answer, or ends at its limit with the largest open bound.
    """

    rank = 20
    carries = frozenset({"include", "exclude", "quality_floor"})

    def handles(self, problem: Problem) -> bool:
        if problem.quality.conflicts is not None or problem.aggregation != "min":
            return False
        n = problem.n_sets * max(problem.n_features - len(problem.constraints.include), 0)
        return 2 <= problem.n_sets <= _MOST_SETS and entries(n, problem) < MOST_ENTRIES

    def solve_reduced(
        self, problem: Problem, quality: Linear, reduced: Reduced, limits: Limits
    ) -> Solution:
        budget = max(int(_NODES_PER_UNIT * limits.work), 1)
        tree = Tree(problem, quality, reduced)
        start: Family | None = None
        stop_at = 1 << 59
        plain = problem.constraints.model_copy(update={"quality_floor": None})
        first = Histograms().solve(replace(problem, aggregation="sum", constraints=plain), limits)
        if first.status is Status.INFEASIBLE:
            return first
        if first.status is Status.OPTIMAL:
            start = first.sets
            total = sum(quality.scaled[j] for s in start for j in s)
            stop_at = total // problem.n_sets - tree.offset
        outcome = tree.search(start, stop_at, budget)
        sets, bound, work = outcome.sets, min(outcome.bound, stop_at), outcome.nodes
        if sets is None or (not outcome.complete and bound > tree.value(sets)):
            family = None if sets is None else tuple(sorted(sets))
            truth = bound_in_truth(problem, quality, bound + tree.offset)
            return answer(problem, family, outcome.complete, truth, work)
        if answer(problem, sets, True, NAN, 0).sets:
            sets, more = tree.first_of(sets, tree.value(sets), budget, limits)
            work += more
        return answer(problem, sets, True, NAN, work)
