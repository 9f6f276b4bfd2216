"""What was asked and what came out: all that answers are made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from altfs._feature_sets import FeatureSet
from altfs._request import Request
from altfs.constraints import Constraints
from altfs.dissimilarity import attainable
from altfs.problem import FeatureIndices, Problem
from altfs.quality import BlackBox, Quality
from altfs.results import SearchResult, Status
from altfs.solvers import Solution, solve


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
    def constraints(self) -> Constraints:
        """What every set has to satisfy, a relative floor made a number."""
        return self.request.constraints_of(self.quality, self.result.n_features)

    @cached_property
    def sized(self) -> Request:
        """The request with the size that was chosen, where none was asked for."""
        return replace(self.request, n_features=self.result.n_features)

    @cached_property
    def overlaps(self) -> dict[int, str]:
        """Every overlap that makes a difference, from all features to none, with its tau."""
        return attainable(self.result.n_features, self.request.dissimilarity)

    def label(self, features: tuple[int, ...] | list[int]) -> list[str]:
        """The names of features."""
        return [self.names[j] for j in features]

    def single(self, constraints: Constraints) -> Problem:
        """The problem of one set."""
        return Problem(
            self.quality,
            self.result.n_features,
            self.overlap,
            given=self.request.given,
            constraints=constraints,
        )

    def best_without(self, feature: int) -> tuple[FeatureIndices, Status]:
        """The best set without a feature, and what is known of it.

        A feature that has to be included, or that a group wants, is left out all the
        same: a group that then asks for too much makes the problem infeasible.
        """
        wanted = self.constraints
        without = replace(
            wanted,
            include=tuple(j for j in wanted.include if j != feature),
            exclude=(*wanted.exclude, feature),
        )
        if isinstance(self.quality, BlackBox):
            return self._black_box_without(self.quality, feature)
        if self.result.n_features > self.quality.n_total - len(without.exclude):
            return (), Status.INFEASIBLE
        solution = solve(self.single(without), self.request.limits)
        return _only(solution)

    def _black_box_without(self, quality: BlackBox, feature: int) -> tuple[FeatureIndices, Status]:
        """The same where the climber is given the other features alone."""
        if quality.n_total - 1 < self.result.n_features:
            return (), Status.INFEASIBLE
        others = [j for j in range(quality.n_total) if j != feature]
        left = BlackBox(
            lambda s: quality.evaluate([others[p] for p in s]),
            len(others),
            quality.upper_bound,
            quality.max_iterations,
        )
        given = tuple(tuple(others.index(j) for j in g if j != feature) for g in self.request.given)
        problem = Problem(left, self.result.n_features, self.overlap, given=given)
        found, status = _only(solve(problem, self.request.limits))
        return tuple(others[p] for p in found), status


def _only(solution: Solution) -> tuple[FeatureIndices, Status]:
    return (solution.sets[0] if solution.sets else ()), solution.status


Say = Callable[[str], None]


def share(part: float, whole: float) -> float:
    """A quality as a share of the best one's; NaN where that has no meaning."""
    return part / whole if whole > 0 else float("nan")
