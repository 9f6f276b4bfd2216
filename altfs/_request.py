"""One request for feature sets: run it, and say why it cannot be met."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from altfs._numbers import is_whole
from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import Dissimilarity, Tau
from altfs.errors import AltfsError
from altfs.problem import Aggregation, FeatureIndices
from altfs.quality import Linear, Quality
from altfs.results import SearchResult, Status
from altfs.searches import Search
from altfs.searches._arguments import overlap_of, pairs_overlap
from altfs.searches._floor import with_floor
from altfs.searches._given import by_size
from altfs.searches._greedy import GreedySearch
from altfs.searches._sizes import search_sizes, sized_problem
from altfs.searches._sizes_together import number_of_sets, search_sizes_together
from altfs.searches.feasibility import explain_feasibility
from altfs.searches.sequential import Sequential
from altfs.searches.simultaneous import Simultaneous
from altfs.sized_problem import RangeProblem
from altfs.solvers import Limits

# Where nothing is said: sizes up to this one, and this threshold.
_MOST_FEATURES, _TAU = 5, "0.4"
# Explaining why sets are missing should not take longer than looking for them.
_EXPLAINING = Limits(work=1.0)


@dataclass(frozen=True)
class Request:
    """What a user asks for; see :class:`altfs.AlternativeFeatures`.

    Raises
    ------
    AltfsError
        If a number is outside its range, or both or the wrong ones are given.
    """

    search: Search
    n_features: int | tuple[int, int] | None
    n_alternatives: int
    tau: Tau | None
    max_overlap: int | None
    dissimilarity: Dissimilarity
    aggregation: str | None
    limits: Limits
    given: tuple[FeatureIndices, ...] = ()
    constraints: Constraints = NO_CONSTRAINTS

    def __post_init__(self) -> None:
        known = (None, *self.search.aggregations)
        if not isinstance(self.aggregation, str | None) or self.aggregation not in known:
            allowed = " or ".join((*self.search.aggregations, "None"))
            raise AltfsError(
                f"aggregation: {self.aggregation!r} is not allowed with the search "
                f"'{self.search.name}', use {allowed}."
            )
        if self.is_range:
            self._check_range()
        else:
            self.overlap(1 if self.n_features is None else self.n_features)  # type: ignore[arg-type]

    @property
    def is_range(self) -> bool:
        """Whether sets of several sizes are asked for."""
        return isinstance(self.n_features, tuple | list)

    @property
    def sizes(self) -> range:
        """The sizes that were asked for; none if none was."""
        if self.n_features is None:
            return range(0)
        if isinstance(self.n_features, tuple | list):
            return range(int(self.n_features[0]), int(self.n_features[1]) + 1)
        return range(int(self.n_features), int(self.n_features) + 1)

    def _check_range(self) -> None:
        bounds = self.n_features
        assert isinstance(bounds, tuple | list)
        whole = len(bounds) == 2 and all(map(is_whole, bounds))
        if not whole or not 1 <= bounds[0] <= bounds[1]:
            raise AltfsError(
                f"n_features: {bounds!r} is not allowed, use a whole number from 1 or two of them, "
                "the smallest and the largest size."
            )
        if not isinstance(self.search, Sequential | Simultaneous):
            raise AltfsError(
                f"n_features: two sizes are not possible with the search '{self.search.name}', use "
                "one number or the search 'sequential' or 'simultaneous'."
            )
        self.overlap(int(bounds[0]))
        if self.max_overlap is not None and self.max_overlap > bounds[1]:
            raise AltfsError(
                f"max_overlap: {self.max_overlap} is not allowed, use a number from 0 to "
                f"{bounds[1]}, the largest size of a feature set."
            )

    def pair_overlap(self, first: int, second: int) -> int:
        """The largest number of features that sets of two sizes may share."""
        tau = _TAU if self.tau is None else self.tau
        return pairs_overlap(tau, self.max_overlap, self.dissimilarity)(first, second)

    def overlap(self, n_features: int) -> int:
        """The largest number of features that two sets of a size may share."""
        tau = _TAU if self.tau is None and self.max_overlap is None else self.tau
        overlap = overlap_of(
            n_features, self.n_alternatives, tau, self.max_overlap, self.dissimilarity
        )
        # A size that was not asked for is not to be contradicted by an overlap that was.
        return min(overlap, n_features) if self.n_features is None else overlap

    def run(self, quality: Quality) -> SearchResult:
        """Search.

        Where no size is asked for, the largest one up to 5 and up to half of
        the features with which all sets exist; else the largest one with which
        any does.
        """
        if self.is_range:
            if self.sizes[-1] > quality.n_total:
                raise AltfsError(
                    f"n_features: {self.n_features!r} is not allowed, use numbers from 1 to "
                    f"{quality.n_total}, the number of features."
                )
            return self._run_range(quality)
        if self.n_features is not None:
            return self._run(quality, self.sizes[0])
        best: SearchResult | None = None
        for size in range(max(1, min(_MOST_FEATURES, quality.n_total // 2)), 0, -1):
            result = self._run(quality, size)
            if all(result.sets):
                return result
            if best is None or (any(result.sets) and not any(best.sets)):
                best = result
        assert best is not None
        return best

    def _run_range(self, quality: Quality) -> SearchResult:
        if isinstance(self.search, Simultaneous):
            return search_sizes_together(self._at_once(quality), self.limits)
        return search_sizes(
            quality,
            n_alternatives=int(self.n_alternatives),
            overlap=self.pair_overlap,
            limits=self.limits,
            given=self.given,
            constraints=self.constraints_by_size(quality),
        )

    def _at_once(self, quality: Quality) -> RangeProblem:
        """What a simultaneous search among several sizes has to solve."""
        return RangeProblem(
            quality, tuple(self.sizes), cache(self.pair_overlap), int(self.n_alternatives) + 1,
            cast(Aggregation, self.aggregation or "sum"), self.given,
            self.constraints_by_size(quality)[self.sizes[0]],
        )  # fmt: skip

    def _run(self, quality: Quality, n_features: int) -> SearchResult:
        return self.search.search(
            quality,
            n_features=n_features,
            n_alternatives=int(self.n_alternatives),
            max_overlap=self.overlap(n_features),
            aggregation=self.aggregation or self.search.aggregations[0],
            limits=self.limits,
            given=self.judged(quality, n_features)[0],
            constraints=self.constraints_of(quality, n_features),
        )

    def judged(
        self, quality: Quality, n_features: int
    ) -> tuple[tuple[FeatureIndices, ...], Constraints]:
        """Given sets that the overlap says all of, and constraints with the others in groups."""
        return by_size(self.given, self.constraints, quality.n_total, n_features, self.pair_overlap)

    def constraints_of(self, quality: Quality, n_features: int) -> Constraints:
        """The constraints of sets of a size, a relative floor made a number."""
        given, wanted = self.judged(quality, n_features)
        return with_floor(quality, n_features, wanted, self.limits, self.overlap(n_features), given)

    def constraints_by_size(self, quality: Quality) -> dict[int, Constraints]:
        """The constraints of every size; a relative floor is a share of the best set of any."""
        others = replace(self.constraints, relative_floor=None)
        share = self.constraints.relative_floor
        if share is None:
            return dict.fromkeys(self.sizes, others)
        floors = []
        for k in self.sizes:
            problem = sized_problem(quality, k, self.pair_overlap, self.given, others)
            wanted = replace(problem.constraints, relative_floor=share)
            floors.append(with_floor(quality, k, wanted, self.limits).quality_floor)
        there = [floor for floor in floors if floor is not None]
        return dict.fromkeys(self.sizes, replace(others, quality_floor=max(there, default=None)))

    def _missing(self, quality: Quality) -> str:
        """Why there are not enough sets of several sizes."""
        if not isinstance(self.search, Simultaneous):
            return (
                "no other set of any of these sizes differs enough from those before and satisfies "
                "all constraints"
            )
        limits = min(self.limits, _EXPLAINING, key=lambda one: one.work)
        number, exact = number_of_sets(self._at_once(quality), limits)
        return (
            "as so many sets of these sizes that differ enough from one another and satisfy all "
            f"constraints do not exist: {'there are' if exact else 'known are'} {number}"
        )

    def shortfall(self, quality: Quality, result: SearchResult) -> str:
        """Why a result has fewer sets than asked for, in a sentence."""
        found, k = sum(1 for s in result.sets if s), result.n_features
        overlap = self.overlap(k)
        asked = (
            f"n_features={k}, n_alternatives={self.n_alternatives}, max_overlap={overlap}: "
            f"{found} of {len(result.sets)} feature sets found"
        )
        fills = isinstance(self.search, GreedySearch)
        if Status.UNKNOWN in result.status and not fills:
            return f"{asked}, the work limit {self.limits.work:g} was reached, raise `work`."
        if self.is_range:
            return (
                f"n_features={tuple(self.n_features)}, n_alternatives={self.n_alternatives}: "  # type: ignore[arg-type]
                f"{found} of {len(result.sets)} feature sets found, {self._missing(quality)}, "
                "use a smaller tau, fewer sets or smaller ones."
            )
        floor = self.constraints_of(quality, k).quality_floor
        if floor is not None and not isinstance(quality, Linear):
            # How many reach it is known when all sets have been evaluated.
            return (
                f"{asked}, so many that differ enough and reach the quality floor {floor:g} were "
                "not found, use a smaller tau, fewer sets or a lower floor."
            )
        limits = min(self.limits, _EXPLAINING, key=lambda one: one.work)
        why = explain_feasibility(
            quality,
            n_features=k,
            n_alternatives=int(self.n_alternatives),
            tau=None if self.max_overlap is not None else (_TAU if self.tau is None else self.tau),
            max_overlap=None if self.max_overlap is None else overlap,
            dissimilarity=self.dissimilarity,
            given=self.given,
            constraints=replace(self.constraints, relative_floor=None, quality_floor=floor),
            limits=limits,
        )
        if why.n_sets < len(result.sets):
            return f"{asked}, as {why.sentence}"
        # Sets that are the best ones in turn can leave no room for further ones; heuristics
        # take each feature once.
        ended = "no other set differs enough from those before"
        if fills:
            ended = f"the search '{self.search.name}' has too few features left for the others"
        advice = "use search='simultaneous' or a smaller tau"
        return f"{asked}, {ended}, but {why.sentence[:-1]}, {advice}."
