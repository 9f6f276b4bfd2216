"""What a search without a solver found, as a result with an entry for every set."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from altfs.problem import FeatureIndices, Problem
from altfs.results import NAN, SearchResult, Status


def result_of(
    problem: Problem,
    found: Sequence[FeatureIndices],
    status: Status,
    missing: Sequence[Status],
    *,
    solver: str,
    work: int,
    start: float,
    bound: float = NAN,
) -> SearchResult:
    """The sets that were found, and behind them those that were not.

    Parameters
    ----------
    problem : Problem
        Of one set.
    found : sequence of tuple of int
    status : Status
        Of every found set.
    missing : sequence of Status
        Of every set that was asked for besides.
    solver : str
        What gave the found sets.
    work : int
        Of the search as a whole.
    start : float
        When it began, by :func:`time.perf_counter`.
    bound : float, optional
        That no set is better than; an optimal set is its own bound, and one that
        does not exist has none.

    Returns
    -------
    SearchResult
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
        seconds=[perf_counter() - start] * n_sets,
    )
