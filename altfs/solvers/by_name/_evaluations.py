"""Common parts of all solvers by name: the values of sets, counted, and the answer."""

from __future__ import annotations

from abc import abstractmethod

from altfs.problem import Family, FeatureIndices, Problem, in_order
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status, Step
from altfs.solvers.base import Limits, Solution, Solver, solve
from altfs.solvers.first_optimum import OutOfWorkError
from altfs.solvers.floor import above_floor

# The number of different sets that are evaluated in a unit of work.
_IN_A_UNIT = 500


class NamedSolver(Solver):
    """A solver of any quality that evaluates sets and proves nothing but infeasibility.

    A unit of :class:`~altfs.solvers.Limits` is 500 different sets evaluated. Of a black box
    at most `max_iterations` sets are evaluated. Which sets can reach a quality floor is known only
    if the quality is additive; of others it is asked of the answer.
    """

    proves = False
    by_name_only = True
    averages = True
    carries = frozenset(KINDS)

    def supports(self, problem: Problem) -> bool:
        """Return True for one size or several, and every constraint it carries."""
        carried = self.carries.issuperset(problem.kinds)
        return carried and isinstance(problem.quality, self.qualities) and self.handles(problem)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        floor = problem.constraints.quality_floor
        if problem.evaluated_floor is None:
            return self._solve(problem, limits, floor)
        return above_floor(problem, lambda free: self._solve(free, limits, floor))

    def _solve(self, problem: Problem, limits: Limits, floor: float | None) -> Solution:
        first = solve(problem.without_values(), limits)
        quality = problem.quality
        bound = problem.n_counted * max(quality.bound(k) for k in problem.sizes)
        # Some qualities exclude sets by a rule that exact solvers do not know.
        allowed = all(quality.allows(s) for s in first.sets)
        if first.status is Status.INFEASIBLE:
            return Solution(Status.INFEASIBLE, (), NAN, 0)
        if not first.sets or not allowed:
            return Solution(Status.UNKNOWN, (), bound, 0)
        evaluations = Evaluations(problem, limits, floor)
        family = in_order(self.best(problem, first.sets, evaluations, limits))
        evaluations.note(family, problem.aggregate([evaluations.values[s] for s in family]))
        return Solution(
            Status.FEASIBLE, family, bound, evaluations.count, trace=tuple(evaluations.trace)
        )

    @abstractmethod
    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        """Return the best valid family found, given a valid one."""


class Evaluations:
    """The values of feature sets; each is computed once, and counted.

    Attributes
    ----------
    trace : list of Step
        The steps that a solver noted.
    floor : float or None
        The quality that sets have to reach.
    """

    def __init__(self, problem: Problem, limits: Limits, floor: float | None = None) -> None:
        self.quality, self.floor = problem.quality, floor
        self.most = max(1, int(_IN_A_UNIT * limits.work))
        if self.quality.max_evaluations is not None:
            self.most = min(self.most, self.quality.max_evaluations)
        self.values: dict[FeatureIndices, float] = {}
        self.trace: list[Step] = []

    def note(self, sets: Family, objective: float) -> None:
        """Add a step to the trace, unless the solver is there already."""
        if not self.trace or self.trace[-1].sets != sets:
            self.trace.append(Step(self.count, objective, sets))

    @property
    def count(self) -> int:
        """The number of different sets that were evaluated."""
        return len(self.values)

    def __call__(self, chosen: FeatureIndices) -> float:
        """Return the value of a set; OutOfWorkError if it would be one too many."""
        if chosen not in self.values:
            if len(self.values) >= self.most:
                raise OutOfWorkError
            self.values[chosen] = self.quality.evaluate(chosen)
        return self.values[chosen]
