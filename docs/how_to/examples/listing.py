"""Listing: every set of a small problem, for any quality."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

from altfs.problem import Problem
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status
from altfs.solvers import Limits, Solution, Solver, solvers

_MOST = 20_000


@solvers.register("listing")
class Listing(Solver):
    """One set of a problem with at most 20,000 sets; exact for every quality."""

    proves = True
    # Below all others: it is called if no other solver supports the problem.
    rank = -10
    carries = frozenset(KINDS)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1 and comb(problem.quality.n_total, problem.n_features) <= _MOST

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        best, value, n_seen = None, Fraction(0), 0
        # In lexicographic order, so the first of equals, the canonical one, is kept.
        for chosen in combinations(range(problem.quality.n_total), problem.n_features):
            n_seen += 1
            if problem.violation((chosen,)) is None:
                # Solvers compare scaled integers, in which sums have no rounding errors.
                (found,) = problem.quality.exact_values((chosen,))
                if best is None or found > value:
                    best, value = chosen, found
        if best is None:
            return Solution(Status.INFEASIBLE, (), NAN, n_seen)
        return Solution(Status.OPTIMAL, (best,), problem.quality.evaluate(best), n_seen)
