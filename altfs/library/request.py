"""One request for feature sets, and the reason if it cannot be met."""

from __future__ import annotations

from dataclasses import dataclass, replace

from altfs._numbers import MOST_ALTERNATIVES, check_whole
from altfs.problem import Overlap, Tau
from altfs.problem.overlap import Dissimilarity
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.searches import Search
from altfs.searches import request as asked_for
from altfs.searches._greedy import GreedySearch
from altfs.searches.feasibility import feasibility
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor

# The largest default size, and the default threshold.
_MOST_FEATURES = 5
_TAU = "0.4"
# The explanation of missing sets should be faster than the search.
_EXPLAINING = Limits(work=1.0)


def tau_asked(tau: Tau | None, max_overlap: int | None) -> Tau | None:
    """Return the threshold of a request, the default one if it has neither of the two."""
    return _TAU if tau is None and max_overlap is None else tau


def overlap_asked(
    n_alternatives: int, tau: Tau | None, max_overlap: int | None, dissimilarity: Dissimilarity
) -> Overlap:
    """Return the overlap of sets that are kept side by side, after a check of their number."""
    check_whole("n_alternatives", n_alternatives, 0, MOST_ALTERNATIVES)
    return Overlap(tau_asked(tau, max_overlap), max_overlap, dissimilarity)


def _default_size(quality: Quality) -> int:
    return max(1, min(_MOST_FEATURES, quality.n_total // 2))


@dataclass(frozen=True, kw_only=True)
class Request(asked_for.Request):
    """The arguments of a search, which have to fit it, with the search and its limits."""

    search: Search
    limits: Limits

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_features is not None:
            self.search.check_sizes(self.sizes)
        self.search.check_overlap(self.averages)

    @property
    def is_range(self) -> bool:
        """True if sets may have several sizes."""
        return len(self.sizes) > 1

    @property
    def n_sets(self) -> int:
        """The requested number of sets."""
        return int(self.n_alternatives) + 1

    def up_to(self, quality: Quality) -> Request:
        """Return the request for sets of up to the asked size.

        If it is open, the largest size is the default one or, for streams of features, none.
        """
        if self.n_features is None:
            largest = _default_size(quality) if quality.needs_size else quality.n_total
            return replace(self, n_features=(1, largest))
        # The problem refuses more features than there are.
        return self if self.is_range else replace(self, n_features=(1, self.sizes[-1]))

    def run(self, quality: Quality) -> SearchResult:
        """Search for the sets of largest quality."""
        return self.search.search(self.problem(quality), self.limits)

    def of_size(self, size: int) -> Request:
        """Return the request for sets of one size."""
        # An overlap above the size is not allowed.
        overlap = None if self.max_overlap is None else min(int(self.max_overlap), size)
        return replace(self, n_features=size, max_overlap=overlap)

    def run_sized(self, quality: Quality) -> tuple[Request, SearchResult]:
        """Search, with the default size if there is none, and return the request of the result.

        The default size is at most 5 and at most half of the features. It is the largest one
        for which all sets are found, else the largest one for which any set is found.
        """
        if self.n_features is not None:
            return self, self.run(quality)
        best: tuple[Request, SearchResult] | None = None
        for size in range(_default_size(quality), 0, -1):
            request = self.of_size(size)
            result = request.run(quality)
            if all(result.sets):
                return request, result
            if best is None or (any(result.sets) and not any(best[1].sets)):
                best = request, result
        assert best is not None
        return best

    def at_most(self, limits: Limits) -> Limits:
        """Return the smaller limits of these and those of the request."""
        return min(self.limits, limits, key=lambda one: one.work)

    def _missing(self, quality: Quality) -> str:
        """Say why there are not enough sets of several sizes."""
        if not isinstance(self.search, Simultaneous):
            return (
                "no further set of any of these sizes differs enough from the previous ones and "
                "satisfies all constraints"
            )
        # Compiled code is slow to import.
        from altfs.solvers.sizes.known import number_of_sets

        problem = with_floor(self.problem(quality), self.limits)
        number, exact = number_of_sets(problem, self.at_most(_EXPLAINING))
        return (
            f"as {self.n_sets} sets of these sizes that differ enough from one another and satisfy "
            f"all constraints do not exist: {'there are' if exact else 'known are'} {number}"
        )

    def shortfall(self, quality: Quality, result: SearchResult) -> str:
        """Explain in a sentence why a result has fewer sets than requested."""
        problem, others = self.problem(quality), f"n_alternatives={self.n_alternatives}"
        number = f"{sum(map(bool, result.sets))} of {len(result.sets)} feature sets found"
        overlap = f"max_overlap={problem.max_overlap}"
        asked = f"n_features={result.n_features}, {others}, {overlap}: {number}"
        if reason := self.search.shortfall(result, asked):
            return reason
        if self.averages and Status.INFEASIBLE in result.status:
            return (
                f"{asked}, no further set has so few features in common with the others on "
                "average, use a smaller tau, fewer sets or smaller ones."
            )
        fills = isinstance(self.search, GreedySearch)
        if Status.UNKNOWN in result.status and not fills:
            return f"{asked}, the work limit {self.limits.work:g} was reached, raise `work`."
        if self.is_range:
            return (
                f"n_features={(self.sizes[0], self.sizes[-1])}, {others}: {number}, "
                f"{self._missing(quality)}, use a smaller tau, fewer sets or smaller ones."
            )
        floor = with_floor(problem, self.limits).constraints.quality_floor
        if floor is not None and not quality.additive:
            # The number of sets that reach it is not known.
            return (
                f"{asked}, so many that differ enough and reach the quality floor {floor:g} were "
                "not found, use a smaller tau, fewer sets or a lower floor."
            )
        resolved = replace(self.constraints, relative_floor=None, quality_floor=floor)
        request = replace(self, constraints=resolved)
        why = feasibility(request, quality, self.at_most(_EXPLAINING))
        if why.n_sets < len(result.sets):
            return f"{asked}, as {why.sentence}"
        # The best sets in turn can leave no room for further ones.
        ended = "no further set differs enough from the previous ones"
        if fills:
            ended = f"the search '{self.search.name}' has too few features left for the others"
        advice = "use search='simultaneous' or a smaller tau"
        return f"{asked}, {ended}, but {why.sentence[:-1]}, {advice}."
