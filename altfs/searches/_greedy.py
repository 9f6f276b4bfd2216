"""The base of heuristics that need no solver."""

from __future__ import annotations

from abc import abstractmethod

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem
from altfs.problem.results import SearchResult, Status
from altfs.quality import Linear
from altfs.searches.base import Search, listed_result
from altfs.solvers import Limits


class GreedySearch(Search):
    """A heuristic for linear qualities without conflicts and constraints.

    The features are taken from best to worst, the smaller index first among equals. The
    best `max_overlap` of them are in every set.
    """

    claims = "bound"
    aggregations = ("none",)
    statuses = frozenset({Status.FEASIBLE, Status.UNKNOWN})
    every_quality = False

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        linear = self._checked(problem)
        sets = tuple(tuple(sorted(s)) for s in self.fill(linear, problem))
        statuses = [Status.FEASIBLE] * len(sets)
        statuses += [Status.UNKNOWN] * (problem.n_sets - len(sets))
        return listed_result(
            problem, sets, statuses, solver=self.name, work=0,
            seconds=work_clock() - start, bound=linear.bound(problem.n_features),
        )  # fmt: skip

    @abstractmethod
    def fill(self, quality: Linear, problem: Problem) -> list[list[int]]:
        """Return the sets; fewer than `n_sets` if there are too few features."""

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
            "search",
            f"'{self.name}' cannot handle {what}, it takes Linear qualities without conflicts and "
            "constraints",
            "use 'sequential' or 'simultaneous'",
        )
