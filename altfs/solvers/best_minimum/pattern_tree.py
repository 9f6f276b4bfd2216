"""Exact solver for the minimum of several sets, and for several sets with conflicts."""

from __future__ import annotations

from dataclasses import replace

from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, Solution, Solver, bound_in_truth, solvers
from altfs.solvers.best_minimum._tree import MOST_ENTRIES, Tree, entries
from altfs.solvers.best_sum.cliques import solve_by_cliques
from altfs.solvers.best_sum.histograms import Histograms, good_family
from altfs.solvers.reduced import reduce_problem

_NODES_PER_UNIT = 10_000
# Patterns of sets that a feature can have: 2 ** 8.
_MOST_SETS = 8
_MANY_CLIQUES = 100_000


@solvers.register("pattern_tree")
class PatternTree(Solver):
    """Two to eight sets with aggregation min, or with conflicts and any aggregation.

    It proves its answer, or ends at its limit with the largest open bound.
    """

    proves = True
    rank = 20
    carries = frozenset({"include", "exclude", "quality_floor"})

    def handles(self, problem: Problem) -> bool:
        quality = problem.quality
        if not isinstance(quality, Linear) or not 2 <= problem.n_sets <= _MOST_SETS:
            return False
        if problem.aggregation == "sum":
            return quality.conflicts is not None and problem.constraints.quality_floor is None
        k = problem.n_features - len(problem.constraints.include)
        return quality.conflicts is not None or entries(problem.n_sets * max(k, 0), problem) < (
            MOST_ENTRIES
        )

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality
        assert isinstance(quality, Linear)
        reduced = reduce_problem(problem)
        if reduced is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        budget = max(int(_NODES_PER_UNIT * limits.work), 1)
        tree = Tree(problem, quality, reduced)
        if reduced.n_features == 0:
            return tree.checked((reduced.restore(()),) * problem.n_sets, 1)
        if tree.hopeless:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        start: tuple[FeatureIndices, ...] | None = None
        stop_at = 1 << 59
        if quality.conflicts is None:
            start = good_family(problem, quality, reduced)
            if start is None:
                whole = replace(problem, aggregation="sum", constraints=tree.plain_constraints)
                first = Histograms().solve(whole, limits)
                if first.status is Status.INFEASIBLE:
                    return first
                start = first.sets if first.status is Status.OPTIMAL else None
            if start is not None:
                total = sum(quality.scaled[j] for s in start for j in s)
                stop_at = total // problem.n_sets - tree.offset
        outcome = tree.search(start, stop_at, budget)
        if quality.conflicts is not None and not outcome.complete:
            # If many good sets overlap, a long list may succeed where the tree does not.
            listed = solve_by_cliques(problem, limits, _MANY_CLIQUES)
            if listed.status in (Status.OPTIMAL, Status.INFEASIBLE):
                return replace(listed, work=listed.work + outcome.nodes)
        sets = outcome.sets
        if sets is None:
            if outcome.complete:
                return Solution(Status.INFEASIBLE, (), NAN, outcome.nodes)
            truth = bound_in_truth(problem, quality, outcome.bound + tree.total_offset)
            return Solution(Status.UNKNOWN, (), truth, outcome.nodes)
        value = tree.value(sets)
        bound = min(outcome.bound, stop_at)
        if not outcome.complete and bound > value:
            truth = bound_in_truth(problem, quality, bound + tree.total_offset)
            if problem.violation(tuple(sets)) is not None:
                return Solution(Status.UNKNOWN, (), truth, outcome.nodes)
            return Solution(Status.FEASIBLE, tuple(sorted(sets)), truth, outcome.nodes)
        if outcome.first is not None:
            return tree.checked(outcome.first, outcome.nodes)
        if tree.checked(sets, 0).status is Status.INFEASIBLE:
            return tree.checked(sets, outcome.nodes)
        sets, more = tree.first_of(sets, value, budget, limits)
        return tree.checked(sets, outcome.nodes + more)
