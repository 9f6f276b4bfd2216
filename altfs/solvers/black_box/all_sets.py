"""Evaluation of all sets, for black boxes that evaluate many at once."""

from __future__ import annotations

from dataclasses import replace

from altfs.problem import Problem
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN
from altfs.quality import BatchedBox
from altfs.solvers.base import Limits, Solution, Solver, answer, solvers
from altfs.solvers.every_set import every_set, number_of_sets


@solvers.register("all_sets")
class AllSets(Solver):
    """The best of all sets, each of which is evaluated, with constraints of any kind.

    It is for one set, if there are no more sets than the `max_iterations` of the quality.
    The next sets of a sequential search need no new evaluations.
    """

    proves = True
    rank = 2
    carries = frozenset(KINDS)
    qualities = (BatchedBox,)

    def handles(self, problem: Problem) -> bool:
        most = problem.quality_as(BatchedBox).max_iterations
        return problem.n_sets == 1 and number_of_sets(problem) <= most

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality_as(BatchedBox)
        # A floor needs the qualities, so it is checked last.
        constraints = problem.constraints.model_copy(update={"quality_floor": None})
        plain = replace(problem, constraints=constraints)
        sets = every_set(problem)
        valid = [s for s in sets if plain.violation((s,)) is None]
        values = quality.evaluate_many(valid)
        evaluated = zip(values, valid, strict=True)
        best = min(evaluated, key=lambda each: (-each[0], quality.place(each[1])), default=None)
        return answer(problem, best and (best[1],), True, NAN, len(sets))
