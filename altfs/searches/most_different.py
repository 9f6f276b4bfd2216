"""Most different sets: the largest dissimilarity of sets that are good enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from altfs._clock import work_clock
from altfs.errors import UnsupportedProblemError
from altfs.problem import Family, Overlap, Problem
from altfs.problem.overlap import dissimilarity_of, smallest_step
from altfs.problem.results import SearchResult, Status
from altfs.searches.base import SolverSearch, family_result, searches
from altfs.solvers import Limits, Solution, solve


@searches.register("most_different")
class MostDifferent(SolverSearch):
    """The sets with the largest dissimilarity that reach a quality floor.

    Of equally dissimilar families it is the one of largest quality, the sum or the smallest of
    its sets. tau is the least dissimilarity that is accepted. The smallest dissimilarity of all
    pairs counts, or the mean one with an average overlap. A family is asked for at tau, then at
    the next larger dissimilarity than it has, until none exists. It is ``optimal`` if the last
    family is the best one and a more dissimilar one is proven not to exist.

    For a quality of pairs with a floor, the sum of a family's qualities may be unproven. Such a
    family is ``feasible``.

    Source: the third formulation of Bach, *Finding Optimal Diverse Feature Sets via Alternative
    Feature Selection*, Section 3.
    """

    several_sizes = True
    proof = "most different"

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        sizes_differ = any(len(g) != problem.n_features for g in problem.given)
        if problem.average and problem.overlap.max_overlap is not None and sizes_differ:
            reason = "a mean number of features says little of given sets of other sizes"
            raise UnsupportedProblemError("max_overlap", reason, "use tau")
        start, work = work_clock(), 0
        best: Solution | None = None
        limited: Problem | None = problem
        status = Status.OPTIMAL
        while limited is not None:
            solution = solve(limited, limits, self.solver)
            work += solution.work
            if not solution.sets:
                status = solution.status
                break
            best, limited = solution, _further(limited, solution.sets)
        if best is None:
            best = Solution(status, (), problem.quality.bound(problem.n_features), work)
        elif best.status is Status.OPTIMAL and status is Status.UNKNOWN:
            # A more dissimilar family may exist.
            best = replace(best, status=Status.FEASIBLE)
        best = replace(best, work=work)
        return family_result(problem, best, work_clock() - start)


def _further(problem: Problem, sets: Family) -> Problem | None:
    """Return the problem of families that are more dissimilar than one; None if none can be.

    If a number of shared features is the limit, fewer have to be shared.
    """
    measure = problem.overlap.dissimilarity
    pairs = [*combinations(sets, 2), *((s, g) for s in sets for g in problem.given)]
    if not pairs:
        return None
    if problem.overlap.max_overlap is not None and not problem.average:
        shared = max(len({*a} & {*b}) for a, b in pairs)
        return replace(problem, overlap=Overlap(max_overlap=shared - 1)) if shared else None
    values = [dissimilarity_of(a, b, measure) for a, b in pairs]
    reached = sum(values, Fraction()) / len(pairs) if problem.average else min(values)
    if reached >= 1:
        return None
    sizes = {*problem.sizes, *map(len, problem.given)}
    tau = reached + smallest_step(sizes, len(pairs) if problem.average else 1)
    return replace(problem, overlap=Overlap(tau, None, measure))
