"""Elimination: the features of FCBF that no better one makes redundant, the best first."""

from __future__ import annotations

from altfs.problem import Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, Solution, Solver, solve, solvers


@solvers.register("elimination")
class Elimination(Solver):
    """The elimination of FCBF as it was published, which looks at each feature once.

    Features come by their values, the first of equals first. A feature is kept unless it tells
    nothing (its value is 0 or less), conflicts with a kept one, or is one too many that an earlier
    set has. The first features that are kept are the set. Nothing is looked ahead and nothing is
    taken back: it can find none, or a worse one, where exact search proves a set.

    Source: Yu and Liu, *Feature Selection for High-Dimensional Data: A Fast Correlation-Based
    Filter Solution*, ICML 2003, Figure 2. Overlaps with earlier sets are an addition.
    """

    by_name_only = True
    proves = False
    qualities = (Linear,)
    carries = frozenset({"exclude", "given"})

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality, excluded = problem.quality_as(Linear), set(problem.constraints.exclude)
        size, given = problem.n_features, [set(earlier) for earlier in problem.given]
        most = [problem.overlap(size, len(earlier)) for earlier in given]
        kept: list[int] = []
        ranking = sorted(range(quality.n_total), key=lambda j: -quality.values[j])
        for looked, j in enumerate(ranking, 1):
            if quality.values[j] <= 0:
                break
            larger = {*kept, j}
            over = any(len(larger & g) > m for g, m in zip(given, most, strict=True))
            if j in excluded or over or not quality.allows(sorted(larger)):
                continue
            kept.append(j)
            if len(kept) == size:
                bound = quality.bound(size)
                return Solution(Status.FEASIBLE, (tuple(sorted(kept)),), bound, looked)
        if solve(problem.without_values(), limits).status is Status.INFEASIBLE:
            return Solution(Status.INFEASIBLE, (), NAN, quality.n_total)
        return Solution(Status.UNKNOWN, (), quality.bound(size), quality.n_total)
