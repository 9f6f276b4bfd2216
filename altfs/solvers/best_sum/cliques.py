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
from altfs.solvers.listed.tuples import Tuple, best_tuple
from altfs.solvers.reduced import Reduced

_FEW = 5_000
_MANY = 100_000
# A node takes some 70 nanoseconds.
_NODES_PER_UNIT = 4_000_000
# Parts of the budget: for listing the sets, and for a first look at them.
_LIST, _LOOK = 8, 100
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
    shape, minimum = (problem.n_sets, reduced.max_overlap), problem.aggregation == "min"
    table = (values, bits_of(sets, len(features)), shape, minimum)
    found = best_tuple(*table, max(budget // _LOOK, 1))
    if not found.complete:
        if len(sets) > few:
            return Solution(Status.UNKNOWN, (), inf, len(valid) + found.nodes)
        floor = _NOTHING if found.members is None else found.value - 1
        again = best_tuple(*table, budget, floor, found.dolls[: problem.n_sets])
        found = _better(again, found)
    if found.members is None and _need_more_features(len(features), k, *shape):
        found = replace(found, complete=True)
    family = None
    if found.members is not None:
        family = tuple(sorted(reduced.restore(sets[i]) for i in found.members))
    bound = bound_in_truth(problem, quality, found.bound)
    return answer(problem, family, found.complete, bound, len(valid) + found.nodes)


def _better(again: Tuple, before: Tuple) -> Tuple:
    """Combine the results of two searches, of which the second did not end."""
    nodes = again.nodes + before.nodes
    if again.complete:
        return replace(again, nodes=nodes)
    best = before if again.members is None else again
    bound = min(again.bound, before.bound)
    if best.members is not None:
        bound = max(bound, best.value)
    return replace(best, bound=bound, nodes=nodes)


def _need_more_features(n: int, k: int, n_sets: int, max_overlap: int) -> bool:
    """Return True if any such family needs more features than exist."""
    if frontier_size(n_sets, k, max_overlap) > MOST_HISTOGRAMS:
        return False
    return bool(frontier(n_sets, k, max_overlap)[:, 0].min() > n)


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
