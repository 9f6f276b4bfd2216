"""What the heuristics without a solver share."""

from __future__ import annotations

from abc import abstractmethod
from time import perf_counter

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.errors import UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear, Quality
from altfs.results import SearchResult, Status
from altfs.searches._bounds import plain_bound
from altfs.searches._found import result_of
from altfs.searches.base import Search
from altfs.solvers import Limits


class GreedySearch(Search):
    """A heuristic for features that have a value each, and for nothing else.

    The features are taken from best to worst, the smaller index first among
    equals. The best `max_overlap` of them are in every set.
    """

    aggregations = ("none",)
    statuses = frozenset({Status.FEASIBLE, Status.UNKNOWN})

    def search(
        self,
        quality: Quality,
        *,
        n_features: int,
        n_alternatives: int,
        max_overlap: int,
        aggregation: str = "none",
        limits: Limits,
        given: tuple[FeatureIndices, ...] = (),
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> SearchResult:
        start = perf_counter()
        problem = Problem(quality, n_features, max_overlap, given=given, constraints=constraints)
        linear = self._checked(problem)
        families = self.fill(linear, n_features, n_alternatives + 1, max_overlap)
        found = [tuple(sorted(s)) for s in families]
        missing = [Status.UNKNOWN] * (n_alternatives + 1 - len(found))
        return result_of(
            problem, found, Status.FEASIBLE, missing, solver=self.name, work=0, start=start,
            bound=plain_bound(quality, n_features),
        )  # fmt: skip

    @abstractmethod
    def fill(
        self, quality: Linear, n_features: int, n_sets: int, max_overlap: int
    ) -> list[list[int]]:
        """The sets; fewer than `n_sets` if the features do not suffice."""

    def _checked(self, problem: Problem) -> Linear:
        quality = problem.quality
        what = type(quality).__name__
        if isinstance(quality, Linear):
            if quality.conflicts is None and not problem.kinds:
                return quality
            what = "features that exclude each other"
            if problem.kinds:
                what = f"constraints ({', '.join(problem.kinds)})"
        raise UnsupportedProblemError(
            f"search: '{self.name}' cannot handle {what}, it takes Linear qualities without "
            "conflicts and constraints, use 'sequential' or 'simultaneous'."
        )
