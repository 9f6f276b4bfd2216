"""The interface of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from altfs.errors import UnsupportedProblemError
from altfs.problem import AGGREGATIONS, Family, Problem
from altfs.problem.results import NAN, SearchResult, Status
from altfs.registry import Registry
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor


class Search(ABC):
    """The base class of searches for several feature sets of one quality.

    A search is one class in one file, with a method `find`. A search that draws at random
    is a :class:`SeededSearch`.

    Attributes
    ----------
    aggregations : tuple of str
        The values of `aggregation` that the search distinguishes; ``("none",)`` if it
        does not aggregate.
    statuses : frozenset of Status
        The statuses that it can give to a set. An audit refuses any other stored status.
    several_sizes : bool
        True if it handles problems whose sets may have several sizes.
    """

    name: ClassVar[str]
    aggregations: ClassVar[tuple[str, ...]] = AGGREGATIONS
    statuses: ClassVar[frozenset[Status]] = frozenset(Status)
    several_sizes: ClassVar[bool] = False

    def search(self, problem: Problem, limits: Limits) -> SearchResult:
        """Find the ``n_sets`` feature sets of a problem.

        Parameters
        ----------
        problem : Problem
            A relative quality floor becomes a number once, for all sets.
        limits : Limits

        Returns
        -------
        SearchResult
            With ``n_sets`` entries, also if fewer sets are found.

        Raises
        ------
        UnsupportedProblemError
            If the search cannot handle the problem.
        """
        self.check_sizes(problem.sizes)
        return self.find(with_floor(problem, limits), limits)

    @classmethod
    def check_sizes(cls, sizes: Sequence[int]) -> None:
        """Check that the search handles the number of sizes that a set may have."""
        if len(sizes) > 1 and not cls.several_sizes:
            raise UnsupportedProblemError(
                f"n_features: two sizes are not possible with the search '{cls.name}', use "
                "one number or the search 'sequential' or 'simultaneous'."
            )

    @abstractmethod
    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        """Find the sets; called by `search` with a problem that is checked."""


class SeededSearch(Search):
    """A search that draws at random; a study gives it a seed.

    Parameters
    ----------
    seed : int, default=0
        The start of the random numbers; the same seed gives the same sets.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed


searches: Registry[Search] = Registry("altfs.searches", "search")


def listed_result(
    problem: Problem,
    found: Family,
    status: Status,
    missing: Sequence[Status],
    *,
    solver: str,
    work: int,
    seconds: float,
    bound: float = NAN,
) -> SearchResult:
    """Return the sets that a search found one by one, followed by those it did not find.

    Parameters
    ----------
    problem : Problem
    found : tuple of tuple of int
    status : Status
        The status of every found set.
    missing : sequence of Status
        The statuses of the sets that were not found.
    solver : str
        The origin of the found sets.
    work, seconds : int, float
        Both of the search as a whole.
    bound : float, optional
        A value that no set exceeds. An optimal set is its own bound, and an infeasible
        one has none.
    """
    rest = len(missing)
    n_sets = len(found) + rest
    objectives = [*map(problem.quality.evaluate, found), *[NAN] * rest]
    every = [status] * len(found) + [*missing]
    bounds = {Status.OPTIMAL: objectives, Status.INFEASIBLE: [NAN] * n_sets}
    return SearchResult(
        sets=[*found, *[()] * rest],
        objectives=objectives,
        status=every,
        bound=[bounds[s][i] if s in bounds else bound for i, s in enumerate(every)],
        n_features=problem.n_features,
        n_alternatives=n_sets - 1,
        aggregation="none",
        work=[work] * n_sets,
        solvers=[solver] * len(found) + [""] * rest,
        seconds=[seconds] * n_sets,
    )


def family_result(
    problem: Problem,
    found: Family,
    status: Status,
    *,
    solver: str,
    work: int,
    seconds: float,
    bound: float,
) -> SearchResult:
    """Return the family that a search found as a whole, or its absence.

    Parameters
    ----------
    problem : Problem
    found : tuple of tuple of int
        `n_sets` sets, or none.
    status : Status
        The status of the family.
    solver : str
        The origin of the family.
    work, seconds : int, float
    bound : float
        A value that no family's objective exceeds.
    """
    n_sets = problem.n_sets
    missing = [status] * (n_sets - len(found))
    return replace(
        listed_result(problem, found, status, missing, solver=solver, work=work, seconds=seconds),
        bound=[NAN] * n_sets,
        aggregation=problem.aggregation,
        run_objective=problem.objective(found) if found else NAN,
        run_bound=NAN if status is Status.INFEASIBLE else bound,
        solvers=[solver] * n_sets,
    )
