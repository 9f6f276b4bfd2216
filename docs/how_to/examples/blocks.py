"""Blocks: the best features, then the next best ones, and so on."""

from __future__ import annotations

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.errors import UnsupportedProblemError
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear, Quality
from altfs.results import NAN, SearchResult, Status
from altfs.searches import Search, searches
from altfs.solvers import Limits


@searches.register("blocks")
class Blocks(Search):
    """Disjoint sets from best to worst, whatever overlap is allowed; proves nothing."""

    aggregations = ("none",)

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
        # A problem checks its numbers; what a search cannot honour it refuses.
        problem = Problem(quality, n_features, max_overlap, given=given, constraints=constraints)
        if not isinstance(quality, Linear) or quality.conflicts is not None or problem.kinds:
            raise UnsupportedProblemError(
                "search: 'blocks' takes Linear qualities without conflicts and constraints only, "
                "use 'sequential' or 'simultaneous'."
            )
        order = [int(j) for j in quality.order]
        starts = [i * n_features for i in range(n_alternatives + 1)]
        cut = [tuple(sorted(order[s : s + n_features])) for s in starts]
        sets = [s if len(s) == n_features else () for s in cut]
        best = quality.evaluate(sets[0])
        return SearchResult(
            sets=sets,
            objectives=[quality.evaluate(s) if s else NAN for s in sets],
            # Not "infeasible": that nothing else was looked for is no proof.
            status=[Status.FEASIBLE if s else Status.UNKNOWN for s in sets],
            bound=[best] * len(sets),
            n_features=n_features,
            n_alternatives=n_alternatives,
            aggregation="none",
            work=[0] * len(sets),
            solvers=["blocks" if s else "" for s in sets],
            seconds=[0.0] * len(sets),
        )
