"""Streaming search: several sets in one pass over the features."""

from __future__ import annotations

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.kinds.streams.stream import Stream
from altfs.problem import NAN, FeatureIndices, FeatureSet, Problem, SearchResult, Status
from altfs.problem.results import Step
from altfs.searches.base import Search, searches
from altfs.solvers import Limits


@searches.register("streaming")
class Streaming(Search):
    """The sets of a streaming selector: its own one, and its runners-up in one pass.

    A set has up to `n_features` features. If these are all features, it has as many as the
    selector keeps. Sets 1, 2, ... share the best features of set 0, as many as the overlap
    allows. No set is proven best. An entry is empty if nothing was kept.
    """

    aggregations = ("none",)
    statuses = frozenset({Status.FEASIBLE, Status.UNKNOWN})
    several_sizes = True
    kind = "streams"
    one_pass = True

    def shortfall(self, result: SearchResult, request: str) -> str:
        number = sum(map(bool, result.sets))
        if not number:
            return (
                "selector: no feature is relevant to the target, or enough to be kept, use other "
                "options of the selector or another one."
            )
        return (
            f"n_alternatives={result.n_alternatives}: {number} of {len(result.sets)} feature sets "
            "found, the others kept none of the features that were passed on to them, use fewer "
            "sets or another selector."
        )

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        quality = problem.quality
        if not isinstance(quality, Stream):
            raise UnsupportedProblemError(
                "search",
                f"'streaming' cannot handle a {type(quality).__name__}, it takes streaming "
                "selectors such as 'saola'",
                "use 'sequential' or 'simultaneous'",
            )
        if problem.kinds:
            reason = f"'streaming' cannot handle constraints ({', '.join(problem.kinds)})"
            raise UnsupportedProblemError("search", reason, "leave them out")
        if problem.sizes[0] > 1:
            raise UnsupportedProblemError(
                "n_features",
                f"the search 'streaming' finds sets of up to {problem.n_features} features, "
                f"{problem.sizes[0]} as the smallest number is not possible",
                f"use {problem.n_features} alone",
            )
        largest = None if problem.n_features >= quality.n_total else problem.n_features
        result = quality.find(problem.n_sets, problem.overlap, largest)
        seconds = work_clock() - start
        entries = (
            FeatureSet(
                indices,
                quality.evaluate(indices) if indices else NAN,
                Status.FEASIBLE if indices else Status.UNKNOWN,
                solver=self.name if indices else "",
                work=0 if i else result.tests,
                seconds=0.0 if i else seconds,
                steps=_steps(quality, [(seen, sets[i]) for seen, sets in result.trace]),
                counts={name: numbers[i] for name, numbers in result.counts.items()},
            )
            for i, indices in enumerate(result.sets)
        )
        return SearchResult(tuple(entries), problem.n_features, "none")


def _steps(quality: Stream, trace: list[tuple[int, FeatureIndices]]) -> tuple[Step, ...]:
    """Return the way of a set; what stays the same is evaluated once."""
    values = {s: quality.evaluate(s) if s else NAN for s in dict.fromkeys(s for _, s in trace)}
    return tuple(Step(seen, values[s], (s,)) for seen, s in trace)
