"""What was asked and what came out: all that answers are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from altfs._feature_sets import FeatureSet
from altfs._request import Request
from altfs.constraints import Constraints
from altfs.dissimilarity import attainable
from altfs.errors import UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Quality
from altfs.results import SearchResult, Status
from altfs.searches._sizes import best_of_sizes, sized_problem
from altfs.searches.enumeration import Enumeration
from altfs.searches.local_search import LocalSearch
from altfs.solvers import solve


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
        """How many sets were asked for."""
        return int(self.request.n_alternatives) + 1

    @property
    def overlap(self) -> int:
        """The largest number of features that two sets may share."""
        return self.request.overlap(self.result.n_features)

    @cached_property
    def given(self) -> tuple[FeatureIndices, ...]:
        """Given sets; of one size only those that are not among the constraints."""
        if self.request.is_range:
            return self.request.given
        return self.request.judged(self.quality, self.result.n_features)[0]

    @cached_property
    def constraints(self) -> Constraints:
        """What every set has to satisfy, a relative floor made a number."""
        return self.by_size[self.result.n_features]

    @cached_property
    def by_size(self) -> dict[int, Constraints]:
        """The same for every size that a set may have."""
        if self.request.is_range:
            return self.request.constraints_by_size(self.quality)
        size = self.result.n_features
        return {size: self.request.constraints_of(self.quality, size)}

    @cached_property
    def sized(self) -> Request:
        """The request with the size that was chosen, where none was asked for."""
        if self.request.is_range:
            return self.request
        return replace(self.request, n_features=self.result.n_features)

    @cached_property
    def overlaps(self) -> dict[int, str]:
        """Every overlap that makes a difference, from all features to none, with its tau."""
        return attainable(self.result.n_features, self.request.dissimilarity)

    def label(self, features: tuple[int, ...] | list[int]) -> list[str]:
        """The names of features."""
        return [self.names[j] for j in features]

    def at(self, overlap: int) -> Request:
        """The request with another overlap; with several sizes, of two sets of the largest."""
        # How far given sets of another size have to differ is told by tau only.
        by_tau = bool(self.request.given) and self.request.max_overlap is None
        if self.request.is_range or by_tau:
            return replace(self.sized, tau=self.overlaps[overlap], max_overlap=None)
        return replace(self.sized, tau=None, max_overlap=overlap)

    def singles(self) -> list[Problem]:
        """The problem of one set, for every size that it may have."""
        return [
            self._single(self.quality, self.given, size, wanted)
            for size, wanted in sorted(self.by_size.items())
        ]

    def single_at(self, problem: Problem, overlap: int) -> Problem:
        """The problem of one set with another overlap."""
        if self.request.is_range or not self.request.given:
            return replace(problem, max_overlap=overlap)
        given, wanted = self.at(overlap).judged(self.quality, problem.n_features)
        wanted = replace(problem.constraints, groups=wanted.groups)
        return replace(problem, max_overlap=overlap, given=given, constraints=wanted)

    def _single(
        self,
        quality: Quality,
        given: tuple[FeatureIndices, ...],
        size: int,
        constraints: Constraints,
    ) -> Problem:
        if self.request.is_range:
            return sized_problem(quality, size, self.request.pair_overlap, given, constraints)
        return Problem(quality, size, self.overlap, given=given, constraints=constraints)

    def _best(
        self,
        quality: Quality,
        given: tuple[FeatureIndices, ...],
        constraints: dict[int, Constraints],
    ) -> tuple[FeatureIndices, Status]:
        """The best set of any allowed size, and what is known of it."""
        limits = self.request.limits
        if self.request.is_range:
            overlap = self.request.pair_overlap
            solution = best_of_sizes(quality, overlap, limits, given, constraints)
        else:
            ((size, wanted),) = constraints.items()
            problem = self._single(quality, given, size, wanted)
            try:
                solution = solve(problem, limits)
            except UnsupportedProblemError:
                return self._best_looked_for(problem)
        return (solution.sets[0] if solution.sets else ()), solution.status

    def _best_looked_for(self, problem: Problem) -> tuple[FeatureIndices, Status]:
        """The same by the searches that take any quality with any constraint."""
        request: dict[str, Any] = {
            "n_features": problem.n_features,
            "n_alternatives": 0,
            "max_overlap": problem.max_overlap,
            "limits": self.request.limits,
            "given": problem.given,
            "constraints": problem.constraints,
        }
        try:
            result = Enumeration().search(problem.quality, **request)
        except UnsupportedProblemError:
            result = LocalSearch().search(problem.quality, aggregation="sum", **request)
        return result.sets[0], result.status[0]

    def best_without(self, feature: int) -> tuple[FeatureIndices, Status]:
        """The best set without a feature, and what is known of it.

        A feature that has to be included, or that a group wants, is left out all the
        same: a group that then asks for too much makes the problem infeasible.
        """
        without = {
            size: replace(
                wanted,
                include=tuple(j for j in wanted.include if j != feature),
                exclude=(*wanted.exclude, feature),
            )
            for size, wanted in self.by_size.items()
        }
        return self._best(self.quality, self.given, without)


Say = Callable[[str], None]


def share(part: float, whole: float) -> float:
    """A quality as a share of the best one's; NaN where that has no meaning."""
    return part / whole if whole > 0 else float("nan")
