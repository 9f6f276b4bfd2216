"""Exact solver for one set whose quality is less the prices of wishes and of shared features.

The best set violates some of the wishes. For each choice of those that may be violated, the
others are constraints, and the solvers of the quality without wishes find the best set. If shared
features have a price that these solvers do not know, their number is limited, too. Choices are
tried by their price, as long as the best quality without any wish, less that price, is not below
the best set so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, combinations
from math import inf, isnan

from altfs.problem import Constraints, FeatureIndices, Problem, WeightedSum, Wish
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
        plain = quality.without_wishes(problem.n_features)
        solvable = plain is not None or quality.base.max_evaluations is None
        return problem.n_sets == 1 and len(quality.wishes) <= _MOST_WISHES and solvable

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality_as(Priced)
        plain = quality.without_wishes(problem.n_features)
        counts = quality.shared_counts if plain is None else None
        free = replace(problem, quality=quality.base if plain is None else plain)
        relaxed = solve(free, limits)
        if relaxed.status is Status.INFEASIBLE:
            return Solution(Status.INFEASIBLE, (), NAN, relaxed.work)
        best: FeatureIndices = ()
        value, bound, work, complete = -inf, -inf, relaxed.work, True
        for price, violated, shared in _by_price(quality, counts, problem.n_features):
            if relaxed.bound - price < value - _EQUAL * abs(value):
                break
            hard = _with_conditions(problem.constraints, quality.wishes, violated)
            if counts is not None:
                limit = WeightedSum(counts, at_most=shared)
                hard = hard.model_copy(update={"sums": (*hard.sums, limit)})
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


def _by_price(
    quality: Priced, counts: Mapping[int, float] | None, n_features: int
) -> list[tuple[float, tuple[int, ...], int]]:
    """Return all choices of wishes and of a number of shared features, the cheapest first.

    With `counts`, in how many earlier sets each feature is, a set shares up to so many as the most
    frequent ones do. Else they have no price here.
    """
    wishes, places = quality.wishes, range(len(quality.wishes))
    choices = chain.from_iterable(combinations(places, n) for n in range(len(wishes) + 1))
    most = 0 if counts is None else int(sum(sorted(counts.values())[-n_features:]))
    return sorted(
        (sum(wishes[i].price for i in some) + quality.share_price * shared, some, shared)
        for some in choices
        for shared in range(most + 1)
    )


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
