"""Simultaneous search: all sets at once, best together."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from altfs.problem import (
    NO_CONSTRAINTS,
    Aggregation,
    Constraints,
    Dissimilarity,
    Problem,
    SearchResult,
    Tau,
)
from altfs.quality import Quality
from altfs.searches.base import Search, family_result, searches
from altfs.searches.request import Request, Sizes, checked_limits
from altfs.solvers import Limits, solve


@searches.register("simultaneous")
class Simultaneous(Search):
    """Definition 4 of the paper: the best family of pairwise different sets."""

    several_sizes = True

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = perf_counter()
        solution = solve(problem, limits)
        return family_result(
            problem, solution.sets, solution.status, solver=solution.solver, work=solution.work,
            seconds=perf_counter() - start, bound=solution.bound,
        )  # fmt: skip


def search_simultaneously(
    quality: Quality,
    *,
    n_features: Sizes,
    n_alternatives: int,
    tau: Tau | None = None,
    max_overlap: int | None = None,
    aggregation: Aggregation = "sum",
    dissimilarity: Dissimilarity = "dice",
    given: Sequence[Sequence[int]] = (),
    constraints: Constraints = NO_CONSTRAINTS,
    limits: Limits | None = None,
) -> SearchResult:
    """Find several feature sets at once.

    Parameters
    ----------
    quality, n_features, n_alternatives, tau, max_overlap, dissimilarity, given, constraints
        As in :func:`altfs.search_sequentially`.
    aggregation : {"sum", "min"}, default="sum"
        Maximise the sum of the qualities, or the smallest of them.
    limits : Limits, optional
        The work that may be done for the family.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries: the canonical best family, or none.

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Examples
    --------
    >>> from altfs import quality, search_simultaneously
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> result = search_simultaneously(q, n_features=2, n_alternatives=1, tau=1, aggregation="min")
    >>> result.sets, result.run_objective
    ([(0, 3), (1, 2)], 0.5)
    """
    asked = Request(
        n_features=n_features, n_alternatives=n_alternatives, tau=tau, max_overlap=max_overlap,
        dissimilarity=dissimilarity, aggregation=aggregation, given=given, constraints=constraints,
    )  # fmt: skip
    return Simultaneous().search(asked.problem(quality), checked_limits(limits))
