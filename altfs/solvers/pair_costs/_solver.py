"""The common part of the solvers of qualities with pair costs."""

from __future__ import annotations

from typing import ClassVar

from altfs.problem import Problem
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status
from altfs.solvers.base import Limits, Solution, Solver, answer, solve, solvers_for
from altfs.solvers.pair_costs._first_family import best_set
from altfs.solvers.pair_costs._joint import best_family_of
from altfs.solvers.pair_costs._listing import LOWEST
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import reduce_problem

NODES_PER_UNIT = 50_000


class PairSolver(Solver):
    """One set by branch and bound, several by listing good sets and picking the best T.

    It proves its answer, or ends at its limit with a bound. The solver of one kind of
    quality adds the source of its single sets.
    """

    proves = True
    rank = 30
    carries = frozenset(KINDS) - {"quality_floor"}
    #: The single sets of its class of qualities.
    source_type: ClassVar[type[PairSource]]

    @classmethod
    def source(cls, problem: Problem) -> PairSource | None:
        """Return the source of single sets of the problem; None if no set can exist."""
        reduced = reduce_problem(problem)
        source = None if reduced is None else cls.source_type(problem, reduced)
        # With all features decided there is nothing to search for.
        return source if source and (source.k or source.sums.admits_nothing) else None

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        source = self.source(problem)
        if source is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        node_limit = max(int(NODES_PER_UNIT * limits.work), 1)
        reduced, minimum = source.reduced, problem.aggregation == "min"
        best: list[tuple[int, ...]] | None = None
        infeasible = False
        if problem.n_sets == 1 or reduced.max_overlap >= reduced.n_features:
            chosen, value, bound, nodes = best_set(source, [], node_limit)
            infeasible = chosen is None and bound == LOWEST
            if chosen is not None:
                best = [tuple(chosen.tolist())] * problem.n_sets
            value, bound = value * problem.n_counted, bound * problem.n_counted
        else:
            family = best_family_of(
                source, problem.n_sets, reduced.max_overlap, minimum, node_limit
            )
            infeasible, best, nodes = family.infeasible, family.sets, family.nodes
            value, bound = family.value, family.bound
        if best is None and not infeasible and len(source.sums.least):
            # Whether any sets satisfy the limits of sums is a question of whole numbers.
            anything = solve(problem.without_values(), limits)
            infeasible, nodes = anything.status is Status.INFEASIBLE, nodes + anything.work
            if anything.sets:
                return answer(problem, anything.sets, False, source.truth(bound), nodes)
        if best is None:
            return answer(problem, None, infeasible, source.truth(bound), nodes)
        sets = tuple(sorted(reduced.restore(s) for s in best))
        return answer(problem, sets, value >= bound, source.truth(bound), nodes)


def pair_solver(problem: Problem) -> PairSolver:
    """Return the solver of a problem with pair costs.

    Raises
    ------
    UnsupportedProblemError
        If there is none.
    """
    return next(solver for solver in solvers_for(problem) if isinstance(solver, PairSolver))
