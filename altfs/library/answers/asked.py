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
    """A request, the quality it was made for, and its result.

    Parameters
    ----------
    request : Request
    quality : Quality
    names : tuple of str
        Of the features, in the order of the columns.
    result : SearchResult
    sets : list of FeatureSet
        Those that were found, the original one first; empty if there is none.
    shortfall : str
        Why there are fewer than asked for; empty if there are not.
    """

    request: Request
    quality: Quality
    names: tuple[str, ...]
    result: SearchResult
    sets: list[FeatureSet]
    shortfall: str

    @property
    def n_sets(self) -> int:
        """The number of sets that were asked for."""
        return self.request.n_sets

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
        """True if pairs of sets have different sizes, so that an overlap does not say all."""
        given = bool(self.request.given) and self.request.max_overlap is None
        return self.request.is_range or given

    @cached_property
    def overlaps(self) -> dict[int, str]:
        """Every overlap of two sets of the largest size, from all features to none, with its tau.

        It is the largest such tau, but the asked one where sets of other sizes are judged by it.
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

        A feature that has to be included, or that a group wants, is left out all the
        same: a group that then asks for too much makes the problem infeasible.
        """
        wanted = self.problem.constraints
        without = replace(
            self.problem,
            n_sets=1,
            constraints=replace(
                wanted,
                include=tuple(j for j in wanted.include if j != feature),
                exclude=(*wanted.exclude, feature),
            ),
        )
        limits = self.request.limits
        try:
            solution = solve(without, limits)
        except UnsupportedProblemError:
            if len(without.sizes) > 1:
                raise
        else:
            return (solution.sets[0] if solution.sets else ()), solution.status
        # These searches take any quality with any constraint.
        try:
            result = Enumeration().search(without, limits)
        except UnsupportedProblemError:
            result = LocalSearch().search(without, limits)
        return result.sets[0], result.status[0]


Say = Callable[[str], None]


def share(part: float, whole: float) -> float:
    """Return a quality as a share of the best one; NaN where that has no meaning."""
    return part / whole if whole > 0 else float("nan")
