"""Families of black boxes that evaluate many sets at once: one set after the other, in turn."""

from __future__ import annotations

from dataclasses import replace

from altfs.problem import Family, FeatureIndices, Problem, in_order
from altfs.problem.results import Status, Step
from altfs.quality import BatchedBox
from altfs.solvers.base import Limits, Solution, Solver, solve, solvers
from altfs.solvers.black_box.hill_climbing import HillClimbing


@solvers.register("in_turn")
class InTurn(Solver):
    """The best set that differs from all others, for each set of a family in turn.

    It starts with the sets of a sequential search. In each round the worst set goes first. It ends
    after a round in which no set can be replaced by a better one. If sequential search finds too
    few sets, the hill climber answers.

    The status is at best ``feasible``. The bound is the upper bound of the quality.
    """

    proves = False
    rank = 1
    carries = HillClimbing.carries
    qualities = (BatchedBox,)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality_as(BatchedBox)
        sets: list[FeatureIndices] = []
        work = 0
        while len(sets) < problem.n_sets:
            solution = _best(problem, tuple(sets), limits)
            if not solution.sets:
                return replace(HillClimbing().solve(problem, limits), solver=HillClimbing.name)
            sets += solution.sets
            work += solution.work
        trace = [Step(work, problem.objective(tuple(sets)), tuple(sets))]
        improved = True
        while improved:
            improved = False
            for old in sorted(sets, key=quality.evaluate):
                others = tuple(s for s in sets if s != old)
                solution = _best(problem, others, limits)
                work += solution.work
                (new,) = solution.sets or (old,)
                if quality.evaluate(new) > quality.evaluate(old):
                    sets[sets.index(old)] = new
                    improved = True
                    trace.append(Step(work, problem.objective(tuple(sets)), tuple(sets)))
        bound = problem.n_counted * quality.upper_bound
        return Solution(Status.FEASIBLE, in_order(tuple(sets)), bound, work, trace=tuple(trace))


def _best(problem: Problem, others: Family, limits: Limits) -> Solution:
    """Return the best set that differs from the given ones and from others."""
    return solve(replace(problem, n_sets=1, given=(*problem.given, *others)), limits)
