"""The exact solver of linear qualities if the mean overlap is limited."""

from __future__ import annotations

from altfs.problem import Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import (
    ALONG_WITH_AVERAGE,
    Limits,
    Solution,
    Solver,
    answer,
    solvers,
)
from altfs.solvers.mean_overlap._multiplicities import (
    Multiplicities,
    allowed_common,
    question_of,
)

# Cells of the table times the numbers of sets, in a unit of work.
_IN_A_UNIT = 100_000_000
# The largest number of cells; each takes two bytes.
_MOST_CELLS = 500_000_000


@solvers.register("multiplicities")
class MultiplicitySolver(Solver):
    """A table over the numbers of sets that hold each feature.

    It has a row for every number of features that are dealt to the sets, and a column for
    every sum of overlaps. It needs polynomial time, and solves sum and single sets.
    """

    proves = True
    averages = True
    qualities = (Linear,)
    rank = 100
    carries = ALONG_WITH_AVERAGE

    def handles(self, problem: Problem) -> bool:
        plain = problem.average and problem.quality.conflicts is None
        return plain and (problem.aggregation == "sum" or problem.n_sets == 1)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        table = table_of(problem, limits, allowed_common(problem))
        if table is None:
            bound = problem.n_counted * problem.quality.bound(problem.n_features)
            return Solution(Status.UNKNOWN, (), bound, 0)
        sets = table.family(table.most) if table.exists(table.most) else None
        return answer(problem, sets, True, NAN, table.question.cells(table.most))


def table_of(problem: Problem, limits: Limits, most: int | None = None) -> Multiplicities | None:
    """Return the table of a problem with a linear quality; None if it needs too much work.

    It is for up to `most` common features of all pairs, or for all that a family can have.
    """
    question = question_of(problem, problem.quality_as(Linear))
    most = question.most_common if most is None else min(most, question.most_common)
    cells = question.cells(most)
    if cells * problem.n_sets > _IN_A_UNIT * limits.work or cells > _MOST_CELLS:
        return None
    return Multiplicities(question, most)
