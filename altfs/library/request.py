"""One request for feature sets: run it, and say why it cannot be met."""

from __future__ import annotations

from dataclasses import dataclass, replace

from altfs.problem import Tau
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.searches import Search
from altfs.searches import request as asked_for
from altfs.searches._greedy import GreedySearch
from altfs.searches.feasibility import feasibility
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits
from altfs.solvers.floor import with_floor

# Where no size is given: sizes up to this one.
_MOST_FEATURES = 5
_TAU = "0.4"
# Explaining why sets are missing should not take longer than looking for them.
_EXPLAINING = Limits(work=1.0)


def tau_asked(tau: Tau | None, max_overlap: int | None) -> Tau | None:
    """Return the threshold of a request: the default one unless it has one or an overlap."""
    return _TAU if tau is None and max_overlap is None else tau


@dataclass(frozen=True, kw_only=True)
class Request(asked_for.Request):
    """A user's request: the arguments of a search, and the search itself.

    Parameters
    ----------
    search : Search
    limits : Limits

    Raises
    ------
    AltfsError
        If an argument is outside its range, or does not go with the search.
    """

    search: Search
    limits: Limits

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n_features is not None:
            self.search.check_sizes(self.sizes)

    @property
    def is_range(self) -> bool:
        """True if sets of several sizes are asked for."""
        return len(self.sizes) > 1

    @property
    def n_sets(self) -> int:
        """The number of sets that are asked for."""
        return int(self.n_alternatives) + 1

    def run(self, quality: Quality) -> SearchResult:
        """Search for the sets of largest quality."""
        return self.search.search(self.problem(quality), self.limits)

    def of_size(self, size: int) -> Request:
        """Return the request for sets of one size."""
        overlap = self.max_overlap
        # A size that was not asked for is not to be contradicted by an overlap that was.
        smaller = None if overlap is None else min(int(overlap), size)
        return replace(self, n_features=size, max_overlap=smaller)

    def run_sized(self, quality: Quality) -> tuple[Request, SearchResult]:
        """Search, with a default where no size is asked for, and return the request that was run.

        The default is the largest size up to 5, and up to half of the features, with
        which all sets exist; else the largest one with which any does.
        """
        if self.n_features is not None:
            return self, self.run(quality)
        best: tuple[Request, SearchResult] | None = None
        for size in range(max(1, min(_MOST_FEATURES, quality.n_total // 2)), 0, -1):
            request = self.of_size(size)
            result = request.run(quality)
            if all(result.sets):
                return request, result
            if best is None or (any(result.sets) and not any(best[1].sets)):
                best = request, result
        assert best is not None
        return best

    def _missing(self, quality: Quality) -> str:
        """Say why there are not enough sets of several sizes."""
        if not isinstance(self.search, Simultaneous):
            return (
                "no further set of any of these sizes differs enough from the previous ones and "
                "satisfies all constraints"
            )
        # Compiled code is slow to import.
        from altfs.solvers.sizes.known import number_of_sets

        limits = min(self.limits, _EXPLAINING, key=lambda one: one.work)
        problem = with_floor(self.problem(quality), self.limits)
        number, exact = number_of_sets(problem, limits)
        return (
            f"as {self.n_sets} sets of these sizes that differ enough from one another and satisfy "
            f"all constraints do not exist: {'there are' if exact else 'known are'} {number}"
        )

    def shortfall(self, quality: Quality, result: SearchResult) -> str:
        """Say in a sentence why a result has fewer sets than asked for."""
        found, k = sum(1 for s in result.sets if s), result.n_features
        problem = self.problem(quality)
        asked = (
            f"n_features={k}, n_alternatives={self.n_alternatives}, "
            f"max_overlap={problem.max_overlap}: {found} of {len(result.sets)} feature sets found"
        )
        fills = isinstance(self.search, GreedySearch)
        if Status.UNKNOWN in result.status and not fills:
            return f"{asked}, the work limit {self.limits.work:g} was reached, raise `work`."
        if self.is_range:
            return (
                f"n_features={(self.sizes[0], self.sizes[-1])}, "
                f"n_alternatives={self.n_alternatives}: "
                f"{found} of {len(result.sets)} feature sets found, {self._missing(quality)}, "
                "use a smaller tau, fewer sets or smaller ones."
            )
        floor = with_floor(problem, self.limits).constraints.quality_floor
        if floor is not None and not quality.additive:
            # How many reach it is known when all sets have been evaluated.
            return (
                f"{asked}, so many that differ enough and reach the quality floor {floor:g} were "
                "not found, use a smaller tau, fewer sets or a lower floor."
            )
        limits = min(self.limits, _EXPLAINING, key=lambda one: one.work)
        resolved = replace(self.constraints, relative_floor=None, quality_floor=floor)
        why = feasibility(replace(self, constraints=resolved), quality, limits)
        if why.n_sets < len(result.sets):
            return f"{asked}, as {why.sentence}"
        # Sets that are the best ones in turn can leave no room for further ones; heuristics
        # take each feature once.
        ended = "no further set differs enough from the previous ones"
        if fills:
            ended = f"the search '{self.search.name}' has too few features left for the others"
        advice = "use search='simultaneous' or a smaller tau"
        return f"{asked}, {ended}, but {why.sentence[:-1]}, {advice}."
