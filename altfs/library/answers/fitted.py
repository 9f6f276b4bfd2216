"""A request with its result, from which all answers are computed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from altfs.errors import UnsupportedProblemError
from altfs.library.feature_sets import feature_set
from altfs.library.inputs import Feature
from altfs.library.screening import Screen
from altfs.problem import Problem
from altfs.problem.constraints import as_indices
from altfs.problem.overlap import attainable, canonical_tau
from altfs.problem.results import FeatureSet, SearchResult, Status
from altfs.quality import BlackBox, Quality
from altfs.searches import Search
from altfs.searches.enumeration import Enumeration
from altfs.searches.local_search import LocalSearch
from altfs.searches.request import Request
from altfs.solvers import solve
from altfs.solvers.floor import with_floor


@dataclass(frozen=True, eq=False)
class FittedRequest:
    """A request with its quality and its result.

    `names` are those of all features; numbers are names, too, if `numbered`. `sets` are the
    found ones, the original one first. `shortfall` is the reason why there are fewer than
    requested, else empty; `size_reason` is why they are smaller than by default. With a `screen`,
    everything is about the columns that it kept.
    """

    request: Request
    quality: Quality
    names: tuple[str, ...]
    result: SearchResult
    sets: list[FeatureSet]
    shortfall: str
    numbered: bool = False
    screen: Screen | None = None
    size_reason: str = ""

    def share(self, part: float, whole: float) -> float:
        """Return a quality as a share of the best one; NaN if that is not positive.

        It is NaN, too, of scores of models, of which 0 need not be chance.
        """
        if isinstance(self.quality, BlackBox) or not whole > 0:
            return float("nan")
        return part / whole

    @property
    def search(self) -> Search:
        """The search that found the sets."""
        assert self.request.search is not None
        return self.request.search

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
        """True if no number of shared features says what tau allows.

        It depends on the sizes of a pair of sets, or only the mean counts.
        """
        request = self.request
        by_tau = request.max_overlap is None and bool(request.constraints.given or request.averages)
        return request.is_range or by_tau

    @cached_property
    def overlaps(self) -> dict[int, str]:
        """Every overlap of two sets of the largest size, from all features to none, with its tau.

        It is the largest such tau, or the requested one if no number says what that allows.
        """
        taus = attainable(self.result.n_features, self.request.dissimilarity)
        if self._by_tau and self.request.tau is not None:
            taus[self.overlap] = canonical_tau(self.request.tau)
        return taus

    @property
    def has_prices(self) -> bool:
        """True if wishes or shared features have a price."""
        constraints = self.request.constraints
        return bool(constraints.wishes or constraints.share_price)

    def label(self, features: Sequence[int]) -> list[str]:
        """Return the names of features."""
        return [self.names[j] for j in features]

    def columns(self, argument: str, features: Iterable[Feature]) -> tuple[int, ...]:
        """Return the column numbers of features, which are given by name or number."""
        if self.screen is None:
            return as_indices(argument, features, self.names, by_label=self.numbered)
        chosen = as_indices(argument, features, self.screen.names, by_label=self.numbered)
        return self.screen.inner(argument, chosen)

    def originals(self, features: Iterable[int]) -> list[int]:
        """Return features as column numbers of the user's table."""
        return list(features if self.screen is None else self.screen.originals(features))

    def shown(self, features: FeatureSet) -> FeatureSet:
        """Return a set as one of the user's table."""
        return features if self.screen is None else self.screen.shown(features)

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

    def best_without(self, features: Collection[int]) -> tuple[FeatureSet | None, Status]:
        """Return the best set without some features, and its status.

        The features are excluded even if they have to be included. A group that needs them
        makes the problem infeasible.
        """
        constraints = self.problem.constraints
        include = tuple(j for j in constraints.include if j not in features)
        exclude = tuple(dict.fromkeys((*constraints.exclude, *features)))
        constraints = constraints.model_copy(update={"include": include, "exclude": exclude})
        without = replace(self.problem, n_sets=1, constraints=constraints)
        limits = self.request.limits
        try:
            solution = solve(without, limits, getattr(self.search, "solver", None))
        except UnsupportedProblemError:
            if len(without.sizes) > 1:
                raise
        else:
            indices = solution.sets[0] if solution.sets else ()
            return self._named(indices, solution.bound, solution.status)
        # These searches handle any quality with any constraint.
        try:
            result = Enumeration().search(without, limits)
        except UnsupportedProblemError:
            result = LocalSearch().search(without, limits)
        return self._named(result[0].indices, result[0].bound, result[0].status)

    def _named(
        self, indices: Sequence[int], bound: float, status: Status
    ) -> tuple[FeatureSet | None, Status]:
        if not indices:
            return None, status
        objective = self.problem.quality.evaluate(indices)
        return feature_set(indices, self.names, objective, bound, status), status


Say = Callable[[str], None]


def check_without_prices(fitted: FittedRequest, answer: str) -> None:
    """Check that nothing has a price, for an answer about the quality alone."""
    if fitted.has_prices:
        reason = "the quality of a set is less what it pays for wishes"
        raise UnsupportedProblemError(answer, reason, "leave out `wishes` and `share_price`")
