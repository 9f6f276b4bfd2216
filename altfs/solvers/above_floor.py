"""A floor of a quality that is no sum of values, beside the solver of all else."""

from __future__ import annotations

from dataclasses import replace

from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem
from altfs.problem.constraints import KINDS
from altfs.solvers.base import Limits, Solution, Solver, solve, solvers, solvers_for
from altfs.solvers.floor import above_floor


@solvers.register("above_floor")
class AboveFloor(Solver):
    """The answer without the floor, if its sets reach it (:mod:`altfs.solvers.floor`).

    It proves what the solver of the problem without a floor proves, but for a sum of several sets:
    if the best ones do not all reach the floor, other ones that do are `feasible`.
    """

    proves = True
    # A solver that knows the floor goes before.
    rank = -100
    carries = frozenset(KINDS)
    averages = True

    def supports(self, problem: Problem) -> bool:
        if problem.evaluated_floor is None:
            return False
        others = problem.constraints.model_copy(update={"quality_floor": None})
        try:
            return bool(solvers_for(replace(problem, constraints=others)))
        except UnsupportedProblemError:
            return False

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        return above_floor(problem, lambda free: solve(free, limits))
