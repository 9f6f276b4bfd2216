"""Simultaneous search: all sets at once, best together."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import cast

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import Dissimilarity, Tau
from altfs.problem import Aggregation, FeatureIndices, Problem
from altfs.quality import Quality
from altfs.results import NAN, SearchResult, Status
from altfs.searches._arguments import checked_given, checked_limits, overlap_of, pairs_overlap
from altfs.searches._floor import with_floor
from altfs.searches.base import Search, searches
from altfs.solvers import Limits, solve


@searches.register("simultaneous")
class Simultaneous(Search):
    """Definition 4 of the paper: the best family of pairwise different sets."""

    def search(
        self,
        quality: Quality,
        *,
        n_features: int,
        n_alternatives: int,
        max_overlap: int,
        aggregation: str,
        limits: Limits,
        given: tuple[FeatureIndices, ...] = (),
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> SearchResult:
        start = perf_counter()
        n_sets = n_alternatives + 1
        problem = Problem(
            quality,
            n_features,
            max_overlap,
            n_sets,
            cast(Aggregation, aggregation),
            given,
            constraints,
        )
        solution = solve(problem, limits)
        found = solution.sets
        seconds = perf_counter() - start
        return SearchResult(
            sets=list(found) if found else [()] * n_sets,
            objectives=[quality.evaluate(s) for s in found] if found else [NAN] * n_sets,
            status=[solution.status] * n_sets,
            bound=[NAN] * n_sets,
            n_features=n_features,
            n_alternatives=n_alternatives,
            aggregation=aggregation,
            run_objective=problem.objective(found) if found else NAN,
            run_bound=NAN if solution.status is Status.INFEASIBLE else solution.bound,
            work=[solution.work] * n_sets,
            solvers=[solution.solver] * n_sets,
            seconds=[seconds] * n_sets,
        )


def search_simultaneously(
    quality: Quality,
    *,
    n_features: int,
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
    quality : Quality
        What makes a feature set good.
    n_features : int
        Size of every set, from 1 to the number of features.
    n_alternatives : int
        How many sets beyond the first, from 0 to 1,000,000.
    tau : float, str or Fraction, optional
        Smallest allowed dissimilarity of two sets, in [0, 1].
    max_overlap : int, optional
        Largest allowed number of common features; instead of `tau`.
    aggregation : {"sum", "min"}, default="sum"
        Maximise the sum of the qualities, or the smallest of them.
    dissimilarity : {"dice", "jaccard"}, default="dice"
        What `tau` refers to.
    given : sequence of sequence of int, default=()
        Sets that exist already, of any size, from which every new one has to differ:
        by tau, judged by both sizes, or by `max_overlap`.
    constraints : Constraints, optional
        What every set has to satisfy besides.
    limits : Limits, optional
        How much work may be done.

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
    overlap = overlap_of(n_features, n_alternatives, tau, max_overlap, dissimilarity)
    pairs = pairs_overlap(tau, max_overlap, dissimilarity)
    checked, wanted = checked_given(given, constraints, quality, n_features, pairs)
    allowed = checked_limits(limits)
    return Simultaneous().search(
        quality,
        n_features=int(n_features),
        n_alternatives=int(n_alternatives),
        max_overlap=overlap,
        aggregation=aggregation,
        limits=allowed,
        given=checked,
        constraints=with_floor(quality, int(n_features), wanted, allowed, overlap, checked),
    )
