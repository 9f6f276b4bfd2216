"""One request for feature sets: run it, and say why it cannot be met."""

from __future__ import annotations

from dataclasses import dataclass

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.dissimilarity import Dissimilarity, Tau
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices
from altfs.quality import Quality
from altfs.results import SearchResult, Status
from altfs.searches import Search
from altfs.searches._arguments import overlap_of
from altfs.searches._floor import with_floor
from altfs.searches.feasibility import explain_feasibility
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
    n_features: int | None
    n_alternatives: int
    tau: Tau | None
    max_overlap: int | None
    dissimilarity: Dissimilarity
    aggregation: str | None
    limits: Limits
    given: tuple[FeatureIndices, ...] = ()
    constraints: Constraints = NO_CONSTRAINTS

    def __post_init__(self) -> None:
        if self.aggregation is not None and self.aggregation not in self.search.aggregations:
            allowed = " or ".join((*self.search.aggregations, "None"))
            raise AltfsError(
                f"aggregation: {self.aggregation!r} is not allowed with the search "
                f"'{self.search.name}', use {allowed}."
            )
        self.overlap(1 if self.n_features is None else self.n_features)

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
        if self.n_features is not None:
            return self._run(quality, int(self.n_features))
        best: SearchResult | None = None
        for size in range(max(1, min(_MOST_FEATURES, quality.n_total // 2)), 0, -1):
            result = self._run(quality, size)
            if all(result.sets):
                return result
            if best is None or (any(result.sets) and not any(best.sets)):
                best = result
        assert best is not None
        return best

    def _run(self, quality: Quality, n_features: int) -> SearchResult:
        return self.search.search(
            quality,
            n_features=n_features,
            n_alternatives=int(self.n_alternatives),
            max_overlap=self.overlap(n_features),
            aggregation=self.aggregation or self.search.aggregations[0],
            limits=self.limits,
            given=self.given,
            constraints=self.constraints_of(quality, n_features),
        )

    def constraints_of(self, quality: Quality, n_features: int) -> Constraints:
        """The constraints of sets of a size, a relative floor made a number."""
        return with_floor(
            quality, n_features, self.constraints, self.limits, self.overlap(n_features), self.given
        )

    def shortfall(self, quality: Quality, result: SearchResult) -> str:
        """Why a result has fewer sets than asked for, in a sentence."""
        found, k = sum(1 for s in result.sets if s), result.n_features
        overlap = self.overlap(k)
        asked = (
            f"n_features={k}, n_alternatives={self.n_alternatives}, max_overlap={overlap}: "
            f"{found} of {len(result.sets)} feature sets found"
        )
        if Status.UNKNOWN in result.status:
            return f"{asked}, the work limit {self.limits.work:g} was reached, raise `work`."
        limits = min(self.limits, _EXPLAINING, key=lambda one: one.work)
        why = explain_feasibility(
            quality,
            n_features=k,
            n_alternatives=int(self.n_alternatives),
            max_overlap=overlap,
            dissimilarity=self.dissimilarity,
            given=self.given,
            constraints=self.constraints_of(quality, k),
            limits=limits,
        )
        if why.n_sets < len(result.sets):
            return f"{asked}, as {why.sentence}"
        # Sets that are the best ones in turn can leave no room for further ones.
        return (
            f"{asked}, no other set differs enough from those before, but {why.sentence[:-1]}, "
            "use search='simultaneous'."
        )
