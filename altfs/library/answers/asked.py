"""A request with its result, from which all answers are computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from altfs.errors import UnsupportedProblemError
from altfs.library.feature_sets import FeatureSet
from altfs.library.request import Request
from altfs.problem import FeatureIndices, Problem
from altfs.problem.overlap import attainable, canonical_tau
from altfs.problem.results import SearchResult, Status
from altfs.quality import Quality
from altfs.searches.enumeration import Enumeration
from altfs.searches.local_search import LocalSearch
from altfs.solvers import solve
from altfs.solvers.floor import with_floor


@dataclass(frozen=True, eq=False)
class Asked:
    """A request with its quality and its result.

    `names` are those of all features. `sets` are the found ones, the original one first.
    `shortfall` is the reason why there are fewer than requested, else empty.
    """

    request: Request
    quality: Quality
    names: tuple[str, ...]
    result: SearchResult
    sets: list[FeatureSet]
    shortfall: str

    @property
    def overlap(self) -> int:
        """The largest number of features that two sets of the largest size may share."""
        return self.problem.max_overlap

    @cached_property
    def problem(self) -> Problem:
        """The problem that was solved."""
        return with_floor(self.request.problem(self.quality), self.request.limits)

    @property
    def _by_tau(self) -> bool:
        """True if the allowed overlap depends on the sizes of a pair of sets."""
        given = bool(self.request.given) and self.request.max_overlap is None
        return self.request.is_range or given

    @cached_property
    def overlaps(self) -> dict[int, str]:
        """Every overlap of two sets of the largest size, from all features to none, with its tau.

        It is the largest such tau, or the requested one if sets have several sizes.
        """
        taus = attainable(self.result.n_features, self.request.dissimilarity)
        if self._by_tau and self.request.tau is not None:
            taus[self.overlap] = canonical_tau(self.request.tau)
        return taus

    def label(self, features: Sequence[int]) -> list[str]:
        """Return the names of features."""
        return [self.names[j] for j in features]

    def at(self, overlap: int) -> Request:
        """Return the request with another overlap of two sets of the largest size."""
        if overlap == self.overlap:
            return self.request
        if self._by_tau:
            return replace(self.request, tau=self.overlaps[overlap], max_overlap=None)
        return replace(self.request, tau=None, max_overlap=overlap)

    def singles(self) -> list[Problem]:
        """Return the problem of one set, for every size that it may have."""
        return [self.problem.of_size(size, 1) for size in self.problem.sizes]

    def best_without(self, feature: int) -> tuple[FeatureIndices, Status]:
        """Return the best set without a feature, and its status.

        The feature is excluded even if it has to be included. A group that needs it makes the
        problem infeasible.
        """
        wanted = self.problem.constraints
        include = tuple(j for j in wanted.include if j != feature)
        changed = replace(wanted, include=include, exclude=(*wanted.exclude, feature))
        without = replace(self.problem, n_sets=1, constraints=changed)
        limits = self.request.limits
        try:
            solution = solve(without, limits)
        except UnsupportedProblemError:
            if len(without.sizes) > 1:
                raise
        else:
            return (solution.sets[0] if solution.sets else ()), solution.status
        # These searches handle any quality with any constraint.
        try:
            result = Enumeration().search(without, limits)
        except UnsupportedProblemError:
            result = LocalSearch().search(without, limits)
        return result.sets[0], result.status[0]


Say = Callable[[str], None]


def share(part: float, whole: float) -> float:
    """Return a quality as a share of the best one; NaN if that is not positive."""
    return part / whole if whole > 0 else float("nan")
