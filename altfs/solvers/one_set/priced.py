"""Exact solver for one set whose quality is less the prices of violated wishes.

The best set violates some of the wishes. For each choice of those that may be violated, the
others are constraints, and the solvers of the quality without wishes find the best set. Choices
are tried by their price, as long as the best quality without any wish, less that price, is not
below the best set so far.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations
from math import inf, isnan

from altfs.problem import Constraints, FeatureIndices, Problem, Wish
from altfs.problem.constraints import KINDS
from altfs.problem.priced import Priced
from altfs.problem.results import NAN, Status
from altfs.solvers.base import Limits, Solution, Solver, answer, solve, solvers

# There are 2 to the power of so many choices at most.
_MOST_WISHES = 10
# Qualities that differ by a smaller part are equal.
_EQUAL = 1e-12


@solvers.register("priced")
class PricedSearch(Solver):
    """One set of a quality with wishes; up to ten of these, and the price of shared features.

    The answer is proven if the solvers of the quality without wishes prove theirs.
    """

    proves = True
    rank = 40
    qualities = (Priced,)
    carries = frozenset(KINDS) - {"quality_floor"}

    def handles(self, problem: Problem) -> bool:
        quality = problem.quality_as(Priced)
        solvable = quality.without_wishes(problem.n_features) is not None
        return problem.n_sets == 1 and len(quality.wishes) <= _MOST_WISHES and solvable

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality_as(Priced)
        plain = quality.without_wishes(problem.n_features)
        assert plain is not None
        free = replace(problem, quality=plain)
        relaxed = solve(free, limits)
        if relaxed.status is Status.INFEASIBLE:
            return Solution(Status.INFEASIBLE, (), NAN, relaxed.work)
        best: FeatureIndices = ()
        value, bound, work, complete = -inf, -inf, relaxed.work, True
        for violated in _by_price(quality.wishes):
            price = sum(quality.wishes[i].price for i in violated)
            if relaxed.bound - price < value - _EQUAL * abs(value):
                break
            hard = _with_conditions(problem.constraints, quality.wishes, violated)
            solution = solve(replace(free, constraints=hard), limits)
            work += solution.work
            if not isnan(solution.bound):
                bound = max(bound, solution.bound - price)
            complete &= solution.status in (Status.OPTIMAL, Status.INFEASIBLE)
            if not solution.sets:
                continue
            chosen, worth = solution.sets[0], quality.evaluate(solution.sets[0])
            close = abs(worth - value) <= _EQUAL * abs(worth) if best else False
            if (worth > value and not close) or (close and chosen < best):
                best, value = chosen, max(worth, value) if close else worth
        sets = (best,) if best else None
        return answer(problem, sets, complete, max(bound, value), work)


def _by_price(wishes: tuple[Wish, ...]) -> list[tuple[int, ...]]:
    """Return all choices of wishes, the cheapest first."""
    places = range(len(wishes))
    choices = chain.from_iterable(combinations(places, n) for n in range(len(wishes) + 1))
    return sorted(choices, key=lambda some: (sum(wishes[i].price for i in some), some))


def _with_conditions(
    constraints: Constraints, wishes: tuple[Wish, ...], violated: tuple[int, ...]
) -> Constraints:
    """Return constraints with the conditions of the wishes that are not violated."""
    lists = {"group": "groups", "implication": "implications", "sum": "sums"}
    more: dict[str, tuple[object, ...]] = {key: getattr(constraints, key) for key in lists.values()}
    for i, wish in enumerate(wishes):
        if i not in violated:
            more[lists[wish.kind]] += (wish.condition,)
    return constraints.model_copy(update=more)
