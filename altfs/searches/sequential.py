"""Sequential search: one set after the other, each different from all before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import Dissimilarity, Tau
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Quality
from altfs.results import NAN, SearchResult, Status
from altfs.searches._arguments import checked_given, checked_limits, overlap_of, pairs_overlap
from altfs.searches._floor import with_floor
from altfs.searches.base import Search, searches
from altfs.solvers import Limits, solve


@searches.register("sequential")
class Sequential(Search):
    """Definition 3 of the paper: each set is the best one given those before it."""

    aggregations = ("none",)

    def search(
        self,
        quality: Quality,
        *,
        n_features: int,
        n_alternatives: int,
        max_overlap: int,
        aggregation: str = "none",
        limits: Limits,
        given: tuple[FeatureIndices, ...] = (),
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> SearchResult:
        problem = Problem(quality, n_features, max_overlap, given=given, constraints=constraints)
        result = SearchResult([], [], [], [], n_features, n_alternatives, "none")
        while len(result.sets) <= n_alternatives:
            start = perf_counter()
            if result.status and result.status[-1] is Status.INFEASIBLE:
                # More sets to differ from cannot make a further one possible.
                status, found, bound, work = Status.INFEASIBLE, None, NAN, 0
                solver = ""
            else:
                found_before = (*given, *(s for s in result.sets if s))
                step = replace(problem, given=found_before)
                solution = solve(step, limits)
                status, bound, work = solution.status, solution.bound, solution.work
                found = solution.sets[0] if solution.sets else None
                solver = solution.solver
            result.sets.append(found or ())
            result.objectives.append(quality.evaluate(found) if found else NAN)
            result.status.append(status)
            result.bound.append(bound)
            result.work.append(work)
            result.solvers.append(solver)
            result.seconds.append(perf_counter() - start)
        return result


def search_sequentially(
    quality: Quality,
    *,
    n_features: int,
    n_alternatives: int,
    tau: Tau | None = None,
    max_overlap: int | None = None,
    dissimilarity: Dissimilarity = "dice",
    given: Sequence[Sequence[int]] = (),
    constraints: Constraints = NO_CONSTRAINTS,
    limits: Limits | None = None,
) -> SearchResult:
    """Find feature sets one after the other.

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
    dissimilarity : {"dice", "jaccard"}, default="dice"
        What `tau` refers to.
    given : sequence of sequence of int, default=()
        Sets that exist already, of any size, from which every new one has to differ:
        by tau, judged by both sizes, or by `max_overlap`.
    constraints : Constraints, optional
        What every set has to satisfy besides.
    limits : Limits, optional
        How much work may be done per set.

    Returns
    -------
    SearchResult
        With ``n_alternatives + 1`` entries. Each set is the canonical best one
        given the sets before it; after an infeasible one all are infeasible.

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Examples
    --------
    >>> from altfs import quality, search_sequentially
    >>> q = quality.Linear([0.4, 0.3, 0.2, 0.1])
    >>> search_sequentially(q, n_features=2, n_alternatives=2, tau=1).sets
    [(0, 1), (2, 3), ()]
    """
    overlap = overlap_of(n_features, n_alternatives, tau, max_overlap, dissimilarity)
    pairs = pairs_overlap(tau, max_overlap, dissimilarity)
    checked, wanted = checked_given(given, constraints, quality, n_features, pairs)
    allowed = checked_limits(limits)
    return Sequential().search(
        quality,
        n_features=int(n_features),
        n_alternatives=int(n_alternatives),
        max_overlap=overlap,
        limits=allowed,
        given=checked,
        constraints=with_floor(quality, int(n_features), wanted, allowed, overlap, checked),
    )
