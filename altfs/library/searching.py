"""The search for a request: default threshold and size, and the reason for missing sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from altfs._numbers import MOST_ALTERNATIVES, check_whole
from altfs.problem import Overlap, Problem, Tau
from altfs.problem.overlap import Dissimilarity, parse_tau
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.scores.base import dense
from altfs.searches._greedy import GreedySearch
from altfs.searches.existence import families_exist
from altfs.searches.feasibility import feasibility
from altfs.searches.request import Request, Sizes
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor

# The largest default size, and the default threshold.
_MOST_FEATURES = 5
_TAU = "0.4"
# It allows all features of a set but one in another set.
_ANY_DIFFERENCE = "0.000001"
# The explanation of missing sets should be faster than the search.
_EXPLAINING = Limits(work=1.0)


def tau_or_default(tau: Tau | None, max_overlap: int | None) -> Tau | None:
    """Return the threshold of a request, the default one if it has neither of the two.

    With a threshold of 0, sets still differ by a feature.

    >>> tau_or_default(0, None)
    '0.000001'
    """
    if tau is None:
        return _TAU if max_overlap is None else None
    return _ANY_DIFFERENCE if parse_tau(tau) == 0 else tau


def stream_overlap(
    n_alternatives: int, tau: Tau | None, max_overlap: int | None, dissimilarity: Dissimilarity
) -> Overlap:
    """Return the overlap of sets that are kept side by side, after a check of their number."""
    check_whole("n_alternatives", n_alternatives, 0, MOST_ALTERNATIVES)
    return Overlap(tau_or_default(tau, max_overlap), max_overlap, dissimilarity)


def _default_size(request: Request, quality: Quality) -> int:
    n_total = quality.n_total - len(request.constraints.exclude)
    return max(1, min(_MOST_FEATURES, n_total // 2))


def without_constants(request: Request, X: Any) -> Request:
    """Return a request that excludes columns of one value, if enough others are there.

    Those that the constraints name stay. `X` has no missing values, and may be sparse.
    """
    constraints = request.constraints
    low, high = (dense(X.min(axis=0)).ravel(), dense(X.max(axis=0)).ravel())
    used = {j for features in constraints.features().values() for j in features}
    unused = [j for j in np.flatnonzero(low == high).tolist() if j not in used]
    largest = 1 if request.n_features is None else request.sizes[-1]
    if not unused or X.shape[1] - len(unused) - len(constraints.exclude) < largest:
        return request
    excluded = tuple(sorted({*constraints.exclude, *unused}))
    return replace(request, constraints=constraints.model_copy(update={"exclude": excluded}))


def up_to_size(request: Request, quality: Quality) -> Request:
    """Return a request for sets of up to its size.

    If it is open, the largest size is the default one or, for streams of features, none.
    """
    if request.n_features is None:
        largest = _default_size(request, quality) if quality.needs_size else quality.n_total
        return replace(request, n_features=(1, largest))
    # The problem refuses more features than there are.
    return request if request.is_range else replace(request, n_features=(1, request.sizes[-1]))


def run(request: Request, quality: Quality) -> tuple[Request, SearchResult]:
    """Search, with the default size if there is none, and return the request of the result.

    The default size is at most 5 and at most half of the features that sets may hold. It is the
    largest one for which all sets are found, else the largest one for which any set is found.
    """
    if request.n_features is not None:
        return request, request.run(quality)
    best: tuple[Request, SearchResult] | None = None
    for size in range(_default_size(request, quality), 0, -1):
        sized = request.of_size(size)
        result = sized.run(quality)
        if all(result.sets):
            return sized, result
        if best is None or (any(result.sets) and not any(best[1].sets)):
            best = sized, result
    assert best is not None
    return best


def size_reason(n_features: Sizes | None, request: Request, quality: Quality) -> str:
    """Say why sets are smaller than by default; empty if they are not, or have a size by request.

    Parameters
    ----------
    n_features : int or (int, int), optional
        The size by request.
    request : Request
        Of the size that was taken.
    quality : Quality
    """
    size = request.sizes[-1]
    if n_features is not None or request.is_range or size >= _default_size(request, quality):
        return ""
    return (
        f"The sets have {size} feature{'s' * (size > 1)} each, as {request.n_sets} sets of "
        f"{size + 1} or more that differ enough were not found."
    )


def smaller(limits: Limits, other: Limits) -> Limits:
    """Return the limits that allow less work."""
    return min(limits, other, key=lambda each: each.work)


def shortfall(
    request: Request, quality: Quality, result: SearchResult, names: Sequence[str]
) -> str:
    """Explain in a sentence why a result has fewer sets than requested."""
    search, problem = request.search, request.problem(quality)
    assert search is not None
    others = f"n_alternatives={request.n_alternatives}"
    number = f"{sum(map(bool, result.sets))} of {len(result.sets)} feature sets found"
    overlap = f"max_overlap={problem.max_overlap}"
    beginning = f"n_features={result.n_features}, {others}, {overlap}: {number}"
    if reason := search.shortfall(result, beginning):
        return reason
    if request.averages and Status.INFEASIBLE in result.status:
        return (
            f"n_features={result.n_features}, {others}: {number}, no more have "
            f"{problem.overlap.mean_in_words()}, use a smaller tau, fewer sets or smaller ones."
        )
    fills = isinstance(search, GreedySearch)
    floored = with_floor(problem, request.limits)
    if floored.evaluated_floor is not None:
        return f"{beginning}, {_below_floor(problem, result, floored.evaluated_floor)}."
    if Status.UNKNOWN in result.status and not fills:
        return f"{beginning}, the work limit {request.limits.work:g} was reached, raise `work`."
    if request.is_range:
        return (
            f"n_features={(request.sizes[0], request.sizes[-1])}, {others}: {number}, "
            f"{_missing_sizes(request, problem)}, use a smaller tau, fewer sets or smaller "
            "ones."
        )
    floor = floored.constraints.quality_floor
    floors = {"relative_floor": None, "quality_floor": floor}
    resolved = request.constraints.model_copy(update=floors)
    limits = smaller(request.limits, _EXPLAINING)
    there, n_sets = sum(map(bool, result.sets)), len(result.sets)
    if floor is not None:
        with_and_without = (
            replace(problem, constraints=resolved.model_copy(update={"quality_floor": least}))
            for least in (floor, None)
        )
        # Counting further sets takes long.
        there_are = (families_exist(each, n_sets, limits) for each in with_and_without)
        if not next(there_are) and next(there_are):
            return (
                f"{beginning}, as too few reach the quality floor {floor:g}: without it there "
                "are enough sets, lower it, or use a smaller tau."
            )
    why = feasibility(replace(request, constraints=resolved), quality, limits, there, names)
    if why.n_sets < n_sets:
        if why.max_overlap == result.n_features:
            # With all features in common, the sets would be one set.
            return f"{beginning}, as {why.sentence.partition(';')[0]}."
        return f"{beginning}, as {why.sentence}"
    # The best sets in turn can leave no room for further ones.
    ended = "no further set differs enough from the previous ones"
    if fills:
        ended = f"the search '{search.name}' has too few features left for the others"
    advice = "use search='simultaneous' or a smaller tau"
    return f"{beginning}, {ended}, but {why.sentence[:-1]}, {advice}."


def _below_floor(problem: Problem, result: SearchResult, floor: float) -> str:
    """Say that sets are missing which reach a floor, and what can be done."""
    proven = Status.UNKNOWN not in result.status
    there = "were not found" if not proven or result.sets[0] else "do not exist"
    what = f"so many that differ enough and reach the quality floor {floor:g} {there}"
    # Sets with all features in common differ enough for any tau.
    differ = "" if problem.max_overlap >= problem.n_features else "a smaller tau, "
    other = "" if proven else " or the search 'enumeration'"
    return f"{what}, use {differ}fewer sets{',' if other else ' or'} a lower floor{other}"


def _missing_sizes(request: Request, problem: Problem) -> str:
    """Say why there are not enough sets of several sizes."""
    if not isinstance(request.search, Simultaneous):
        return (
            "no further set of any of these sizes differs enough from the previous ones and "
            "satisfies all constraints"
        )
    # Compiled code is slow to import.
    from altfs.solvers.sizes.candidates import number_of_sets

    floored = with_floor(problem, request.limits)
    number, exact = number_of_sets(floored, smaller(request.limits, _EXPLAINING))
    return (
        f"as {request.n_sets} sets of these sizes that differ enough from one another and satisfy "
        f"all constraints do not exist: {'there are' if exact else 'known are'} {number}"
    )
