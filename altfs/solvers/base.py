"""The interface of solvers, and the one place that matches problems to solvers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from altfs._numbers import is_number
from altfs._options import StrictModel
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import Family, Problem
from altfs.problem.results import NAN, Status, Step
from altfs.quality import Linear, Quality
from altfs.registry import Registry
from altfs.solvers.bounds import packing_bound
from altfs.solvers.reduced import Reduced, reduce_problem

# Solvers prove by themselves that up to so many sets do not exist.
_MANY = 8

#: Nodes are counted in 64-bit integers, which cannot hold the limits of more work.
MOST_WORK = 1_000_000_000


@dataclass(frozen=True)
class Limits:
    """The work that one solver call may do, in counts, never in seconds.

    Parameters
    ----------
    work : float, default=20
        Deterministic work units of an exact solver, at most 1,000,000,000. They hold
        for finding and proving the optimum, and again for the canonical answer among
        its ties. A unit of CP-SAT takes about a second on a slow core. A unit of the
        other solvers takes less. Both do the same work on every machine.
    """

    work: float = 20.0

    def __post_init__(self) -> None:
        if not is_number(self.work) or not 0 < self.work <= MOST_WORK:
            raise AltfsError.of_value(
                "work", self.work, f"use a number above 0 and up to {MOST_WORK}"
            )


@dataclass(frozen=True)
class Solution:
    """A solver's answer.

    Attributes
    ----------
    status : Status
    sets : tuple of tuple of int
        Sorted index tuples; empty if infeasible or unknown.
    bound : float
        Proven upper bound of the objective; NaN if infeasible.
    work : int
        Deterministic effort (branches, nodes or iterations).
    solver : str
        Name of the solver that gave the sets.
    trace : tuple of Step
        The way to the sets, which comes last; empty if the solver does not note it.
    """

    status: Status
    sets: Family
    bound: float
    work: int
    solver: str = ""
    trace: tuple[Step, ...] = ()


class SolverOptions(StrictModel):
    """Options of a solver that is asked by its name; unknown keys are refused."""


class Solver(ABC):
    """Solves one :class:`~altfs.problem.Problem` at a time.

    Parameters
    ----------
    options : SolverOptions, optional
        The default ones if there are none.
    seed : int, default=0
        The start of the random numbers of a solver that draws; a study gives the shard's.
    """

    name: ClassVar[str]
    Options: ClassVar[type[SolverOptions]] = SolverOptions
    #: True if it is asked only if a user names it.
    by_name_only: ClassVar[bool] = False
    #: True if the solver can prove that its answer is the best one.
    proves: ClassVar[bool]
    #: The classes of qualities that it handles.
    qualities: ClassVar[tuple[type[Quality], ...]] = (Quality,)
    #: Of the solvers that support a problem, the one with the highest rank is used.
    rank: ClassVar[int] = 0
    #: The kinds of constraint (:data:`altfs.problem.constraints.KINDS`) that it honours.
    carries: ClassVar[frozenset[str]] = frozenset()
    #: True if it solves problems whose sets may have several sizes, and only those.
    several_sizes: ClassVar[bool] = False
    #: True if it solves problems in which only the mean overlap is limited, too.
    averages: ClassVar[bool] = False

    def __init__(self, options: SolverOptions | None = None, seed: int = 0) -> None:
        self.options: Any = options if options is not None else self.Options()
        self.seed = seed

    def check_sizes(self, sizes: Sequence[int]) -> None:
        """Check that the options fit the sizes that a set may have; by default they do.

        Raises
        ------
        AltfsError
            If they do not.
        """
        return None

    def supports(self, problem: Problem) -> bool:
        """Return True if the solver can handle the problem, its constraints included."""
        sized = (len(problem.sizes) > 1) == self.several_sizes
        fits = sized and problem.average <= self.averages
        fits = fits and self.carries.issuperset(problem.kinds)
        return fits and isinstance(problem.quality, self.qualities) and self.handles(problem)

    def handles(self, problem: Problem) -> bool:
        """Return True if it handles the aggregation and the number of sets, as by default."""
        return True

    @abstractmethod
    def solve(self, problem: Problem, limits: Limits) -> Solution:
        """Return the best sets, the canonical ones among equals."""


class LinearSolver(Solver):
    """A solver of linear qualities that first takes out the decided features."""

    proves = True
    qualities = (Linear,)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality, reduced = problem.quality_as(Linear), reduce_problem(problem)
        if reduced is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        if reduced.n_features == 0:
            return answer(problem, (reduced.restore(()),) * problem.n_sets, True, NAN, 1)
        return self.solve_reduced(problem, quality, reduced, limits)

    @abstractmethod
    def solve_reduced(
        self, problem: Problem, quality: Linear, reduced: Reduced, limits: Limits
    ) -> Solution:
        """Solve a problem of which at least one feature of a set is open."""


solvers: Registry[Solver] = Registry("altfs.solvers", "solver")


@cache
def _with_defaults(cls: type[Solver]) -> Solver:
    """Return the solver with default options, made once: making it slows down small problems."""
    return cls()


def solvers_for(problem: Problem) -> list[Solver]:
    """Return the registered solvers that can handle a problem, the preferred one first.

    Raises
    ------
    UnsupportedProblemError
        If there is none.
    """
    able = [_with_defaults(cls) for cls in solvers if not cls.by_name_only]
    able = [solver for solver in able if solver.supports(problem)]
    if not able and len(problem.sizes) > 1:
        raise UnsupportedProblemError(
            "search",
            "no solver can handle sets of several sizes at once of a "
            f"{type(problem.quality).__name__} quality",
            "use one size or the search 'sequential'",
        )
    if not able and problem.average:
        raise UnsupportedProblemError(
            "overlap",
            f"'average' is solved for sums and pairs, not for {type(problem.quality).__name__}",
            "use 'pairwise' or a solver such as 'evolution'",
        )
    if not able:
        less = "leave constraints out, or " if problem.kinds else ""
        raise UnsupportedProblemError(
            "search",
            f"no solver can handle {_described(problem)}, {less}use the search 'enumeration' or "
            "'local_search' with one size",
        )
    return sorted(able, key=lambda solver: (-solver.rank, solver.name))


def check_solver(solver: Solver, problem: Problem) -> None:
    """Check that a named solver handles problems of this kind.

    Raises
    ------
    UnsupportedProblemError
        If it does not.
    """
    if not solver.supports(problem):
        sets = "one set" if problem.n_sets == 1 else f"{problem.n_sets} sets at once"
        sizes = " of several sizes" if len(problem.sizes) > 1 else ""
        reason = f"'{solver.name}' cannot handle {sets}{sizes} of {_described(problem)}"
        raise UnsupportedProblemError("solver", reason, "leave it out or use another solver")


def _described(problem: Problem) -> str:
    """Return the quality, aggregation, overlap and constraints of a problem in words."""
    mean = ", overlap 'average'" if problem.average else ""
    conditions = f" and constraints ({', '.join(problem.kinds)})" if problem.kinds else ""
    quality = type(problem.quality).__name__
    return f"a {quality} quality with aggregation '{problem.aggregation}'{mean}{conditions}"


def solve(problem: Problem, limits: Limits, solver: Solver | None = None) -> Solution:
    """Solve a problem with the preferred solver, or the next ones if that one finds nothing.

    A solver may end at its limit without any sets. The problem then goes to the next one
    that can prove, and the smaller of their bounds is kept. No solver is asked for more
    than eight sets of one size if so many cannot exist by their size.

    Parameters
    ----------
    problem : Problem
    limits : Limits
    solver : Solver, optional
        A solver that is asked alone.

    Raises
    ------
    UnsupportedProblemError
        If no solver, or the named one, can handle the problem.
    AltfsError
        If the constraints have a relative floor (see :mod:`altfs.solvers.floor`).
    """
    if problem.constraints.relative_floor is not None:
        raise AltfsError(
            "relative_floor", "a problem knows no best set", "use a number as quality_floor"
        )
    if solver is not None:
        check_solver(solver, problem)
        solver.check_sizes(problem.sizes)
        return replace(solver.solve(problem, limits), solver=solver.name)
    if problem.n_sets > _MANY and len(problem.sizes) == 1 and not problem.average:
        if problem.max_overlap >= problem.n_features:
            again = _the_same_again(problem, limits)
            if again is not None:
                return again
        elif packing_bound(problem) < problem.n_sets:
            return Solution(Status.INFEASIBLE, (), NAN, 0)
    best: Solution | None = None
    for solver in solvers_for(problem):
        if best is not None and not solver.proves:
            continue
        solution = solver.solve(problem, limits)
        # The solvers of several sizes name the solver of the best sets.
        solution = replace(solution, solver=solution.solver or solver.name)
        best = solution if best is None else _combined(best, solution)
        if best.status is not Status.UNKNOWN:
            break
    assert best is not None
    return best


def _the_same_again(problem: Problem, limits: Limits) -> Solution | None:
    """Return `n_sets` times the best set, for sets that may be equal; None if not proven."""
    single = replace(problem, n_sets=1)
    first = solvers_for(single)[0]
    if not first.proves:
        return None
    solution = solve(single, limits)
    sets = solution.sets * problem.n_sets
    bound = solution.bound * problem.n_counted
    if solution.status is Status.OPTIMAL:
        bound = problem.objective(sets)
    return replace(solution, sets=sets, bound=bound)


def _combined(first: Solution, second: Solution) -> Solution:
    work = first.work + second.work
    if second.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return replace(second, work=work)
    return replace(second, bound=min(first.bound, second.bound), work=work)


def answer(
    problem: Problem, sets: Family | None, complete: bool, bound: float, work: int
) -> Solution:
    """Return the solution that a search found.

    Parameters
    ----------
    problem : Problem
    sets : tuple of tuple of int or None
        The best family known, which satisfies all constraints except a quality floor.
    complete : bool
        True if it is proven that no other family is better.
    bound : float
        Upper bound of the objective. Read only if the search is not complete.
    work : int
    """
    floor = problem.constraints.quality_floor
    if sets is not None and floor is not None:
        sets = sets if all(problem.quality.reaches(s, floor) for s in sets) else None
    if sets is None:
        if complete:
            return Solution(Status.INFEASIBLE, (), NAN, work)
        return Solution(Status.UNKNOWN, (), bound, work)
    if complete:
        return Solution(Status.OPTIMAL, sets, problem.objective(sets), work)
    return Solution(Status.FEASIBLE, sets, bound, work)


def scaled_objective(problem: Problem, quality: Linear, sets: Family) -> int:
    """Return the objective of at least one set in the integers of a linear quality."""
    return int(problem.aggregate([sum(quality.scaled[j] for j in s) for s in sets]))


def bound_in_truth(problem: Problem, quality: Linear, scaled: int) -> float:
    """Return a bound in scaled integers as a bound of the objective, rounding included."""
    return (scaled + problem.n_counted * problem.n_features / 2) * quality.unit
