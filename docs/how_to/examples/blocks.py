"""Blocks: the best features, then the next best ones, and so on."""

from __future__ import annotations

from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem, SearchResult, Status
from altfs.quality import Linear
from altfs.searches import Search, listed_result, searches, work_clock
from altfs.solvers import Limits


@searches.register("blocks")
class Blocks(Search):
    """Disjoint sets from best to worst, for any allowed overlap; proves nothing."""

    aggregations = ("none",)

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        quality, size = problem.quality, problem.n_features
        if not isinstance(quality, Linear) or quality.conflicts is not None or problem.kinds:
            raise UnsupportedProblemError(
                "search",
                "'blocks' takes Linear qualities without conflicts and constraints only",
                "use 'sequential' or 'simultaneous'",
            )
        order = [int(j) for j in quality.order]
        blocks = [tuple(sorted(order[i * size : (i + 1) * size])) for i in range(problem.n_sets)]
        found = tuple(s for s in blocks if len(s) == size)
        # Not "infeasible": the search has no proof that no other set exists.
        statuses = [Status.FEASIBLE] * len(found)
        statuses += [Status.UNKNOWN] * (problem.n_sets - len(found))
        return listed_result(
            problem, found, statuses, solver=self.name, work=0,
            seconds=work_clock() - start, bound=quality.evaluate(found[0]),
        )  # fmt: skip
