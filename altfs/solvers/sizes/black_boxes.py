"""Solver for several sets of several sizes whose quality is known only by evaluating them."""

from __future__ import annotations

from altfs.problem import Problem, in_order
from altfs.problem.results import NAN, Status
from altfs.quality import BlackBox
from altfs.solvers.base import Limits, Solution, solvers
from altfs.solvers.sizes.candidates import candidate_families, number_of_sets
from altfs.solvers.sizes.each_size import SizesSolver


@solvers.register("size_black_boxes")
class SizeBlackBoxes(SizesSolver):
    """The best of the families that sequential search and those of one size find."""

    proves = False
    qualities = (BlackBox,)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        bound = problem.n_counted * problem.quality_as(BlackBox).upper_bound
        families = [f for f in candidate_families(problem, limits) if len(f) == problem.n_sets]
        if not families:
            if number_of_sets(problem, limits)[1]:
                return Solution(Status.INFEASIBLE, (), NAN, 0)
            return Solution(Status.UNKNOWN, (), bound, 0)
        best = max(families, key=problem.objective)
        return Solution(Status.FEASIBLE, in_order(best), bound, 0, "hill_climbing")
