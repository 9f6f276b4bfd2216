"""What every solver offers, and the one place that matches problems to solvers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from altfs._numbers import is_number
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear
from altfs.registry import Registry
from altfs.results import NAN, Status
from altfs.solvers._many_sets import packing_bound

# Fewer sets are left to the solvers, which know best how to say that there are none.
_MANY = 8


#: Of more work limits no longer fit into the integers in which nodes are counted.
MOST_WORK = 1_000_000_000


@dataclass(frozen=True)
class Limits:
    """How much work one solver call may do; counts, never seconds.

    Parameters
    ----------
    work : float, default=20
        Deterministic work units of an exact solver, for finding and proving the
        optimum and once more for the canonical answer among its ties. A unit of
        CP-SAT is about a second on a slow core, one of the other solvers a
        fraction of that, but the same on every machine. At most 1,000,000,000.
    """

    work: float = 20.0

    def __post_init__(self) -> None:
        if not is_number(self.work) or not 0 < self.work <= MOST_WORK:
            raise AltfsError(
                f"work: {self.work!r} is not allowed, use a number above 0 and up to {MOST_WORK}."
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
    """

    status: Status
    sets: tuple[FeatureIndices, ...]
    bound: float
    work: int
    solver: str = ""


class Solver(ABC):
    """Solves one :class:`~altfs.problem.Problem` at a time."""

    name: ClassVar[str]
    #: Whether the solver can prove that its answer is the best one.
    proves: ClassVar[bool]
    #: Among solvers that support a problem, the one with the highest rank is used.
    rank: ClassVar[int] = 0
    #: The kinds of constraint (:data:`altfs.constraints.KINDS`) that it honours.
    carries: ClassVar[frozenset[str]] = frozenset()

    def supports(self, problem: Problem) -> bool:
        """Whether the solver can handle the problem, its constraints included."""
        return self.carries.issuperset(problem.kinds) and self.handles(problem)

    @abstractmethod
    def handles(self, problem: Problem) -> bool:
        """Whether the solver can handle the quality, the aggregation and the sizes."""

    @abstractmethod
    def solve(self, problem: Problem, limits: Limits) -> Solution:
        """Find the best sets; the canonical ones among equals."""


solvers: Registry[Solver] = Registry("altfs.solvers", "solver")


def solvers_for(problem: Problem) -> list[Solver]:
    """The registered solvers that can handle a problem, the preferred one first.

    Raises
    ------
    UnsupportedProblemError
        If there is none.
    """
    able = [cls() for cls in solvers]
    able = [solver for solver in able if solver.supports(problem)]
    if not able:
        wanted = f" and constraints ({', '.join(problem.kinds)})" if problem.kinds else ""
        less = "leave constraints out, or " if problem.kinds else ""
        raise UnsupportedProblemError(
            f"search: no solver can handle a {type(problem.quality).__name__} quality with "
            f"aggregation '{problem.aggregation}'{wanted}, "
            f"{less}use the search 'enumeration' or 'local_search' with one size."
        )
    return sorted(able, key=lambda solver: (-solver.rank, solver.name))


def solve(problem: Problem, limits: Limits) -> Solution:
    """Solve a problem with the preferred solver; the next ones where that one finds nothing.

    A solver that ends at its limit without any sets hands the problem on to
    the next one that can prove; the smaller of their bounds stands. Of more than
    eight sets no solver is asked where their sizes tell that so many do not exist.
    """
    if problem.n_sets > _MANY:
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
        found = replace(solver.solve(problem, limits), solver=solver.name)
        best = found if best is None else _combined(best, found)
        if best.status is not Status.UNKNOWN:
            break
    assert best is not None
    return best


def _the_same_again(problem: Problem, limits: Limits) -> Solution | None:
    """Sets that need not differ: the best one, any number of times; None if not proven."""
    single = replace(problem, n_sets=1)
    first = solvers_for(single)[0]
    if not first.proves:
        return None
    found = solve(single, limits)
    times = problem.n_sets if problem.aggregation == "sum" else 1
    sets = found.sets * problem.n_sets
    bound = problem.objective(sets) if found.status is Status.OPTIMAL else found.bound * times
    return replace(found, sets=sets, bound=bound)


def _combined(first: Solution, second: Solution) -> Solution:
    work = first.work + second.work
    if second.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return replace(second, work=work)
    return replace(second, bound=min(first.bound, second.bound), work=work)


def bound_in_truth(problem: Problem, quality: Linear, scaled: int) -> float:
    """A bound in scaled integers as a bound in truth, rounding included."""
    sets = problem.n_sets if problem.aggregation == "sum" else 1
    return (scaled + sets * problem.n_features / 2) * quality.unit
