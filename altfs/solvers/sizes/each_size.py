"""Solver for one set of any of some sizes: the best set of each size, compared exactly."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

from altfs.problem import Family, Problem
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status
from altfs.solvers.base import Limits, Solution, Solver, solve, solvers


class SizesSolver(Solver):
    """A solver of problems whose sets may have several sizes, with constraints of any kind."""

    proves = True
    carries = frozenset(KINDS)
    several_sizes = True


@solvers.register("each_size")
class EachSize(SizesSolver):
    """One set, any quality that a solver for one size handles.

    Of equally good sets, in the scaled numbers of the solvers, it takes the smallest one,
    then the first one. The set is ``optimal`` if it is proven for every size that no set
    is better. The limits hold for each size.
    """

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        solutions = [solve(problem.of_size(k), limits) for k in problem.sizes]
        work = sum(solution.work for solution in solutions)
        bound = max(
            (solution.bound for solution in solutions if not isnan(solution.bound)), default=NAN
        )
        feasible = [solution for solution in solutions if solution.sets]
        if not feasible:
            none = all(solution.status is Status.INFEASIBLE for solution in solutions)
            return Solution(Status.INFEASIBLE if none else Status.UNKNOWN, (), bound, work)
        # The first of the largest values is that of the smallest size.
        best = max(feasible, key=lambda solution: problem.quality.exact_values(solution.sets[:1]))
        objective = problem.quality.evaluate(best.sets[0])
        proven = best.status is Status.OPTIMAL and all(
            solution.status in (Status.OPTIMAL, Status.INFEASIBLE) or solution.bound < objective
            for solution in solutions
        )
        status = Status.OPTIMAL if proven else Status.FEASIBLE
        return replace(best, status=status, bound=bound, work=work)


def sets_in_turn(problem: Problem, limits: Limits) -> Family:
    """Return the best sets one after the other, as many of the `n_sets` as are found."""
    family: Family = ()
    while len(family) < problem.n_sets:
        given = (*problem.given, *family)
        best = solve(replace(problem, n_sets=1, aggregation="sum", given=given), limits)
        if not best.sets:
            break
        family = (*family, best.sets[0])
    return family
