"""The interface of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from altfs._options import StrictModel
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import AGGREGATIONS, Family, Problem
from altfs.problem.results import NAN, FeatureSet, SearchResult, Status
from altfs.quality import Quality
from altfs.registry import Registry
from altfs.solvers import Limits, Solution, Solver
from altfs.solvers.floor import with_floor


class SearchOptions(StrictModel):
    """Options of a search in ``config.yaml``; unknown keys are refused."""


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
    averages : bool
        True if it handles problems in which only the mean overlap is limited.
    takes_smaller : bool
        True if one number as `n_features` is the largest size of a set, not the only one.
    kind : str
        The kind of answer (a member of :data:`altfs.kinds.base.kinds`).
    one_pass : bool
        True if it finds the sets of selectors that read the data in one pass, and no others.
    claims : {"steps", "family", "bound", ""}
        What another solver can judge: that each set is the best one given those before it, that
        the sets are the best ones together, a bound alone, or nothing.
    asks_solvers : bool
        True if solvers prove what is optimal.
    falling : bool
        False if a set may be better than an optimal one before it.
    proof : str
        What a set with the status ``optimal`` is proven to be, in words.
    prices_shared : bool
        True if sets pay the price of features that they share with sets before them.
    every_quality : bool
        False if it handles few kinds of quality, so that a study tries it before it runs.
    Options : type of SearchOptions, or None
        The options of a :class:`SeededSearch` that has any.
    """

    name: ClassVar[str]
    aggregations: ClassVar[tuple[str, ...]] = AGGREGATIONS
    statuses: ClassVar[frozenset[Status]] = frozenset(Status)
    several_sizes: ClassVar[bool] = False
    averages: ClassVar[bool] = False
    takes_smaller: bool = False
    kind: ClassVar[str] = "sets"
    one_pass: ClassVar[bool] = False
    claims: ClassVar[Literal["steps", "family", "bound", ""]] = ""
    asks_solvers: ClassVar[bool] = False
    falling: ClassVar[bool] = True
    proof: ClassVar[str] = "best"
    prices_shared: ClassVar[bool] = False
    every_quality: bool = True
    Options: ClassVar[type[SearchOptions] | None] = None

    def prepared(self, problem: Problem) -> Problem:
        """Return the problem with all sizes that a set may have."""
        if not self.takes_smaller or len(problem.sizes) > 1:
            return problem
        return problem.of_sizes(range(1, problem.n_features + 1))

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
        self.check_overlap(problem.average)
        self.check_quality(problem.quality)
        if problem.n_sets > 1 and not self.prices_shared and problem.shares_cost:
            reason = f"the search '{self.name}' does not choose one set after another by quality"
            raise UnsupportedProblemError("share_price", reason, "use 'sequential', or tau alone")
        return self.find(with_floor(self.prepared(problem), limits), limits)

    def check_quality(self, quality: Quality) -> None:
        """Check that the search handles a kind of quality; by default `find` does.

        Raises
        ------
        UnsupportedProblemError
            If it does not.
        """
        return None

    def check_sizes(self, sizes: Sequence[int]) -> None:
        """Check that the search handles the number of sizes that a set may have."""
        if len(sizes) > 1 and not self.several_sizes:
            reason = f"two sizes are not possible with the search '{self.name}'"
            advice = "use one number or the search 'sequential' or 'simultaneous'"
            raise UnsupportedProblemError("n_features", reason, advice)

    def objectives(self, quality: Quality) -> list[str]:
        """Return the names of what the points of its front are compared by; empty without one."""
        return []

    def shortfall(self, result: SearchResult, request: str) -> str:
        """Say in a sentence why a result has fewer sets than requested.

        Parameters
        ----------
        result : SearchResult
        request : str
            What was requested and how much was reached, as the beginning of the sentence.

        Returns
        -------
        str
            Empty if the reason follows from the request alone.
        """
        return ""

    def check_overlap(self, average: bool) -> None:
        """Check that the search can limit the mean overlap, if that is asked for."""
        if average and not self.averages:
            reason = f"'average' is not possible with the search '{self.name}'"
            advice = "use 'pairwise' or the search 'sequential' or 'simultaneous'"
            raise UnsupportedProblemError("overlap", reason, advice)

    @abstractmethod
    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        """Find the sets; called by `search` with a problem that is checked."""


class SeededSearch(Search):
    """A search that draws at random; a study gives it a seed.

    Parameters
    ----------
    seed : int, default=0
        The start of the random numbers; the same seed gives the same sets.
    options : SearchOptions, optional
        The default ones if there are none.
    """

    def __init__(self, seed: int = 0, options: SearchOptions | None = None) -> None:
        self.seed = seed
        self.options: Any = self.Options() if options is None and self.Options else options


class SolverSearch(Search):
    """A search that asks solvers, the preferred ones or the one that a user names.

    Parameters
    ----------
    solver : Solver, optional
        The solver that is asked alone.
    """

    averages = True
    asks_solvers = True

    def __init__(self, solver: Solver | None = None) -> None:
        self.solver = solver

    def check_sizes(self, sizes: Sequence[int]) -> None:
        super().check_sizes(sizes)
        if self.solver is not None:
            self.solver.check_sizes(sizes)


searches: Registry[Search] = Registry("altfs.searches", "search")


def check_pair(one_pass: bool, search: type[Search], key: str = "search") -> None:
    """Check that a search finds the sets of a selector, which reads the data in one pass or not.

    Raises
    ------
    AltfsError
        If one of them is for streams, and the other is not.

    Examples
    --------
    >>> check_pair(True, searches.get("streaming"))
    """
    if one_pass == search.one_pass:
        return
    why = f"'{search.name}' is for streaming selectors such as 'saola', use another search"
    if one_pass:
        use = " or ".join(f"'{other.name}'" for other in searches if other.one_pass)
        why = f"'{search.name}' is not for streaming selectors, use the search {use}"
    raise AltfsError(key, why)


def make_search(
    component: type[Search],
    seed: int = 0,
    solver: Solver | None = None,
    options: Mapping[str, Any] | None = None,
) -> Search:
    """Return a search of a class; one that draws gets the seed, and others the named solver.

    Raises
    ------
    AltfsError
        If there is a solver, and the search asks none.
    """
    if issubclass(component, SolverSearch):
        return component(solver)
    if solver is not None:
        advice = "leave it out or use the search 'sequential' or 'simultaneous'"
        raise AltfsError("solver", f"the search '{component.name}' asks none", advice)
    if not issubclass(component, SeededSearch):
        return component()
    parsed = component.Options.model_validate(options) if component.Options and options else None
    return component(seed, parsed)


def listed_result(
    problem: Problem,
    sets: Family,
    statuses: Sequence[Status],
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
    sets : tuple of tuple of int
    statuses : sequence of Status
        Of these sets and of those that were not found.
    solver : str
        The origin of the sets.
    work, seconds : int, float
        Both of the search as a whole; `seconds` by :func:`altfs._clock.work_clock`. The
        first entry of the result has them.
    bound : float, optional
        A value that no set exceeds. An optimal set is its own bound, and an infeasible
        one has none.
    """
    entries = []
    for i, status in enumerate(statuses):
        indices = sets[i] if i < len(sets) else ()
        objective = problem.quality.evaluate(indices) if indices else NAN
        bounds = {Status.OPTIMAL: objective, Status.INFEASIBLE: NAN}
        entries.append(
            FeatureSet(
                indices,
                objective,
                status,
                bounds.get(status, bound),
                solver=solver if indices else "",
                work=0 if i else work,
                seconds=0.0 if i else seconds,
            )
        )
    return SearchResult(tuple(entries), problem.n_features, "none")


def family_result(problem: Problem, solution: Solution, seconds: float) -> SearchResult:
    """Return the family that a search found as a whole, or its absence.

    Parameters
    ----------
    problem : Problem
    solution : Solution
        With `n_sets` sets or none, and the bound of the family's objective.
    seconds : float
    """
    sets = solution.sets or ((),) * problem.n_sets
    entries = tuple(
        FeatureSet(
            indices,
            problem.quality.evaluate(indices) if indices else NAN,
            solution.status,
            solver=solution.solver,
            work=0 if i else solution.work,
            seconds=0.0 if i else seconds,
            steps=() if i else solution.trace,
        )
        for i, indices in enumerate(sets)
    )
    return SearchResult(
        entries,
        problem.n_features,
        problem.aggregation,
        problem.objective(solution.sets) if solution.sets else NAN,
        NAN if solution.status is Status.INFEASIBLE else solution.bound,
    )
