"""Simultaneous search: all sets at once, best together."""

from __future__ import annotations

from typing import Unpack

from altfs._clock import work_clock
from altfs._numbers import check_whole
from altfs.problem import Aggregation, Problem, SearchResult
from altfs.quality import Quality
from altfs.searches.base import SolverSearch, family_result, searches
from altfs.searches.request import Arguments, checked_limits, request_of
from altfs.solvers import Limits, solve
from altfs.solvers.named import SolverChoice, named_solver


@searches.register("simultaneous")
class Simultaneous(SolverSearch):
    """The best family of pairwise different sets (Definition 4 of the paper)."""

    claims = "family"
    proof = "best together"
    several_sizes = True

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        solution = solve(problem, limits, self.solver)
        return family_result(problem, solution, work_clock() - start)


def search_simultaneously(
    quality: Quality,
    *,
    aggregation: Aggregation = "sum",
    limits: Limits | None = None,
    solver: SolverChoice = None,
    random_state: int = 0,
    **arguments: Unpack[Arguments],
) -> SearchResult:
    """Find several feature sets at once.

    Parameters
    ----------
    quality : Quality
        The quality to maximise.
    aggregation : {"sum", "min"}, default="sum"
        Maximise the sum of the qualities, or the smallest of them.
    limits : Limits, optional
        The work that may be done for the family.
    solver, random_state
        As in :func:`altfs.search_sequentially`; the solver has to find families.
    n_features, n_alternatives, tau, max_overlap, overlap, dissimilarity, given, constraints
        As in :func:`altfs.search_sequentially`.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries: the canonical best family, or none.

    Raises
    ------
    AltfsError
        As :func:`altfs.search_sequentially`, or if the aggregation is unknown.

    Examples
    --------
    >>> from altfs import quality, search_simultaneously
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> result = search_simultaneously(q, n_features=2, n_alternatives=1, tau=1, aggregation="min")
    >>> result.sets, result.run_objective
    ([(0, 3), (1, 2)], 0.5)
    """
    request = request_of(arguments, aggregation, further=("aggregation", "solver", "random_state"))
    problem, allowed = request.problem(quality), checked_limits(limits)
    check_whole("random_state", random_state, 0)
    return Simultaneous(named_solver(solver, int(random_state))).search(problem, allowed)
