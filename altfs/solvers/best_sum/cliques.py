"""Exact solver for several sets without conflicting features, if there are few such sets."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray
from altfs.problem import Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, LinearSolver, Solution, answer, bound_in_truth, solvers
from altfs.solvers.best_sum._histogram_table import MOST_HISTOGRAMS, frontier, frontier_size
from altfs.solvers.listed.bits import bits_of
from altfs.solvers.listed.packing import best_packing
from altfs.solvers.listed.tuples import Tuple, best_tuple
from altfs.solvers.reduced import Reduced

_FEW = 5_000
_MANY = 100_000
# A node takes some 70 nanoseconds.
_NODES_PER_UNIT = 4_000_000
# Parts of the budget: for listing the sets, for a first look at them, for a packing.
_LIST, _LOOK, _PACK = 8, 100, 16
_ROUNDS = 100
# After so many rounds without a better bound the steps become half as long.
_PATIENCE = 6
_NOTHING = -(1 << 61)


@solvers.register("cliques")
class Cliques(LinearSolver):
    """Several sets with conflicts (FCBF), from a list of all sets of compatible features.

    With more than 5,000 such sets the next solver takes over if a first look fails. With
    more than 100,000 it takes over at once.
    """

    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "quality_floor", "given"})

    def handles(self, problem: Problem) -> bool:
        return problem.quality.conflicts is not None and problem.n_sets > 1

    def solve_reduced(
        self, problem: Problem, quality: Linear, reduced: Reduced, limits: Limits
    ) -> Solution:
        return solve_by_cliques(problem, quality, reduced, limits, _MANY, _FEW)


def solve_by_cliques(
    problem: Problem, quality: Linear, reduced: Reduced, limits: Limits, most: int, few: int
) -> Solution:
    """Solve a problem with conflicts if it has at most `most` single sets.

    With more than `few` of them the status is unknown if a first look fails.
    """
    assert quality.conflicts is not None
    budget = max(int(_NODES_PER_UNIT * limits.work), 1)
    features, k = reduced.features, reduced.n_features
    graph = quality.conflicts[np.ix_(features, features)]
    complete, sets = cliques(graph, k, most, max(budget // _LIST, 1))
    if not complete:
        return Solution(Status.UNKNOWN, (), inf, most)
    valid = np.ones(len(sets), dtype=bool)
    for flags, room in zip(*reduced.limits(), strict=True):
        valid &= flags[sets].sum(axis=1) <= room
    offset = sum(quality.scaled[j] for j in reduced.include)
    values = quality.weights[features[sets]].sum(axis=1) + offset
    if problem.constraints.quality_floor is not None:
        floor = problem.constraints.quality_floor
        valid &= values >= quality.scaled_floor(floor, problem.n_features)
    sets, values = sets[valid], values[valid]
    if len(sets) == 0:
        return Solution(Status.INFEASIBLE, (), NAN, len(valid) + 1)
    if reduced.max_overlap >= k:
        # The best set may occur any number of times.
        best = (reduced.restore(sets[int(np.argmax(values))]),) * problem.n_sets
        return answer(problem, best, True, NAN, len(valid))
    search = _Search(sets, values, quality.weights[features], problem, reduced.max_overlap, budget)
    found = search.first_look()
    if not found.complete:
        if len(sets) > few:
            return Solution(Status.UNKNOWN, (), inf, len(valid) + found.nodes)
        found = search.all_of_it(found)
    family = None
    if found.members is not None:
        family = tuple(sorted(reduced.restore(sets[i]) for i in found.members))
    bound = bound_in_truth(problem, quality, found.bound)
    return answer(problem, family, found.complete, bound, len(valid) + found.nodes)


class _Search:
    """The best family of listed sets."""

    def __init__(
        self,
        sets: IntArray,
        values: IntArray,
        weights: IntArray,
        problem: Problem,
        max_overlap: int,
        budget: int,
    ) -> None:
        self.sets, self.values, self.weights, self.budget = sets, values, weights, budget
        self.n_sets, self.max_overlap = problem.n_sets, max_overlap
        self.minimum = problem.aggregation == "min"
        self.bits = bits_of(sets, len(weights))

    def first_look(self) -> Tuple:
        """Search with little effort, and in a second way if the sets are disjoint."""
        found = self._tuples(max(self.budget // _LOOK, 1), None)
        if found.complete or self.minimum or self.max_overlap > 0:
            return found
        dolls = found.dolls[: self.n_sets]
        # Bounds of fewer sets follow, because r sets hold r families of r - 1.
        for r in range(len(dolls), self.n_sets):
            dolls.append(dolls[-1] * r // (r - 1) if r > 1 else int(self.values.max()))
        floor = _NOTHING if found.members is None else found.value - 1
        share = max(self.budget // _PACK, 1)
        packed = best_packing(
            self.values, self.sets, self.weights, self.n_sets, share, floor, dolls
        )
        return _better(packed, found)

    def all_of_it(self, known: Tuple) -> Tuple:
        """Search with all effort, and add a bound from prices if that is not enough."""
        found = _better(self._tuples(self.budget, known), known)
        shape = (self.n_sets, self.sets.shape[1], self.max_overlap)
        if found.complete or self.minimum or frontier_size(*shape) > MOST_HISTOGRAMS:
            return found
        if frontier(*shape)[:, 0].min() > len(self.weights):
            # Any such family needs more features than exist.
            return replace(found, complete=True)
        aim = found.value if found.members is not None else int(0.9 * found.bound)
        rounds = min(_ROUNDS, self.budget)
        return _bounded(
            found,
            bound_by_prices(self.sets, self.values, len(self.weights), shape, aim, rounds),
        )

    def _tuples(self, budget: int, known: Tuple | None) -> Tuple:
        floor = _NOTHING
        if known is not None and known.members is not None:
            floor = known.value - 1
        return best_tuple(
            self.values, self.bits, (self.n_sets, self.max_overlap), self.minimum, budget, floor,
            None if known is None else known.dolls[: self.n_sets],
        )  # fmt: skip


def _better(again: Tuple, before: Tuple) -> Tuple:
    """Combine the results of two searches, of which the second did not end."""
    nodes = again.nodes + before.nodes
    if again.complete:
        return replace(again, nodes=nodes)
    best = before if again.members is None else again
    longer = max(again.dolls, before.dolls, key=len)
    best = replace(best, dolls=longer, nodes=nodes)
    return _bounded(best, min(again.bound, before.bound))


def _bounded(found: Tuple, bound: int) -> Tuple:
    bound = min(found.bound, bound)
    return replace(found, bound=bound if found.members is None else max(bound, found.value))


@compiled()
def cliques(graph: BoolArray, size: int, most: int, node_limit: int) -> tuple[bool, IntArray]:
    """List the sets of a size in which no two features exclude each other.

    They are in lexicographic order. Returns whether these are all. At most `most` sets are
    listed, and `node_limit` partial sets looked at.
    """
    n = graph.shape[0]
    found = np.zeros((most, size), dtype=np.int64)
    count = 0
    lists = np.zeros((size, n), dtype=np.int64)
    length = np.zeros(size, dtype=np.int64)
    turn = np.zeros(size, dtype=np.int64)
    for j in range(n):
        lists[0, j] = j
    length[0] = n
    level = 0
    nodes = 0
    while level >= 0:
        if turn[level] > length[level] - (size - level):
            level -= 1
            continue
        j = lists[level, turn[level]]
        turn[level] += 1
        nodes += 1
        if nodes > node_limit:
            return False, found[:count]
        if level == size - 1:
            if count == most:
                return False, found[:count]
            for back in range(size):
                found[count, back] = lists[back, turn[back] - 1]
            count += 1
            continue
        more = 0
        for p in range(turn[level], length[level]):
            g = lists[level, p]
            if not graph[j, g]:
                lists[level + 1, more] = g
                more += 1
        if more >= size - level - 1:
            level += 1
            length[level] = more
            turn[level] = 0
    return True, found[:count]


def bound_by_prices(
    sets: IntArray, values: IntArray, n: int, shape: tuple[int, int, int], lower: int, rounds: int
) -> int:
    """Lower the bound of the sum of T sets towards `lower`, a known family's value.

    With a price on every feature, each set is at most the best single set after prices.
    All of them together pay at most the best that any family of T such sets could pay,
    which the histograms of linear quality know. `shape` is (n_sets, n_features,
    max_overlap), n the number of features.
    """
    n_sets = shape[0]
    table = frontier(*shape)
    table = table[table[:, 0] <= n]
    best: tuple[int, IntArray] | None = None
    exact = np.zeros(n)
    scale, since = 1.0, 0
    for _ in range(rounds):
        prices = np.rint(exact).astype(np.int64)
        after = values - prices[sets].sum(axis=1)
        single = int(np.argmax(after))
        order = np.argsort(-prices, kind="stable")
        paid = np.concatenate([[0], np.cumsum(prices[order])])[table].sum(axis=1)
        top = int(np.argmax(paid))
        bound = n_sets * int(after[single]) + int(paid[top])
        since += 1
        if best is None or bound < best[0]:
            best, since = (bound, prices), 0
        if bound <= lower:
            break
        if since >= _PATIENCE:
            scale, since = scale / 2, 0
            exact = best[1].astype(np.float64)
        slope = np.zeros(n)
        slope[sets[single]] = n_sets
        slope[order] -= (np.arange(n)[:, None] < table[top]).sum(axis=1)
        length = float(slope @ slope)
        if length == 0:
            break
        exact = exact + scale * (bound - lower) / length * slope
    assert best is not None
    return best[0]
