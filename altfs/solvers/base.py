"""What every solver offers, and the one place that matches problems to solvers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.registry import Registry
from altfs.results import Status


@dataclass(frozen=True)
class Limits:
    """How much work one solver call may do; counts, never seconds.

    Parameters
    ----------
    work : float, default=20
        Deterministic work units of an exact solver, for finding and proving the
        optimum and once more for the canonical answer among its ties. A unit is
        about a second on a slow core, but the same on every machine.
    """

    work: float = 20.0

    def __post_init__(self) -> None:
        if not self.work > 0:
            raise AltfsError(f"work: {self.work} is not allowed, use a number above 0.")


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
        Deterministic effort (branches or iterations).
    """

    status: Status
    sets: tuple[FeatureIndices, ...]
    bound: float
    work: int


class Solver(ABC):
    """Solves one :class:`~altfs.problem.Problem` at a time."""

    name: ClassVar[str]
    #: Whether the solver can prove that its answer is the best one.
    proves: ClassVar[bool]
    #: Among solvers that support a problem, the one with the highest rank is used.
    rank: ClassVar[int] = 0

    @abstractmethod
    def supports(self, problem: Problem) -> bool:
        """Whether the solver can handle the problem's quality and constraints."""

    @abstractmethod
    def solve(self, problem: Problem, limits: Limits) -> Solution:
        """Find the best sets; the canonical ones among equals."""


solvers: Registry[Solver] = Registry("altfs.solvers", "solver")


def solver_for(problem: Problem) -> Solver:
    """The registered solver for a problem.

    Raises
    ------
    UnsupportedProblemError
        If no solver can handle it.
    """
    able = [cls() for cls in solvers]
    able = [solver for solver in able if solver.supports(problem)]
    if not able:
        raise UnsupportedProblemError(
            f"search: no solver can handle a {type(problem.quality).__name__} quality with "
            f"aggregation '{problem.aggregation}', known solvers are: {', '.join(solvers.names())}."
        )
    return max(able, key=lambda solver: (solver.rank, solver.name))
