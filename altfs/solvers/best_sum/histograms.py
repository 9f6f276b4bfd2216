"""Exact solver for the best sum of several sets of linear quality: multiplicity histograms.

By rearrangement the best features lie in the largest number of sets. So the value of a
family is at most that of its histogram (the numbers of features in m sets or more,
m = 1..T). The first histogram by value that any family has is optimal.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, LinearSolver, Solution, answer, bound_in_truth, solvers
from altfs.solvers.best_sum._counting import FeatureClass, first_by_counting
from altfs.solvers.best_sum._families import FAMILY, LIMIT, first_family
from altfs.solvers.best_sum._histogram_table import (
    MOST_HISTOGRAMS,
    Histogram,
    exists,
    frontier,
    frontier_size,
    less_equal,
)
from altfs.solvers.reduced import Reduced

# Decisions of the search for the canonical family that a unit of work allows. Then CP-SAT
# is asked, which costs as much as ten million of them.
_NODES_PER_UNIT = 100_000
# Histograms that may be asked for before the next solver takes over.
_QUESTIONS_PER_UNIT = 1_000

Uses = tuple[int, ...]


@solvers.register("histograms")
class Histograms(LinearSolver):
    """Two or more sets, linear quality without conflicts, aggregation sum.

    It takes milliseconds for any number of features, as only the best T k of them matter.
    """

    rank = 30
    carries = frozenset({"include", "exclude"})

    def handles(self, problem: Problem) -> bool:
        if (
            problem.quality.conflicts is not None
            or problem.aggregation != "sum"
            or problem.n_sets < 2
        ):
            return False
        k = problem.n_features - len(problem.constraints.include)
        c = min(problem.max_overlap - len(problem.constraints.include), k)
        if min(k, c) < 0:
            return True
        return frontier_size(problem.n_sets, k, c) <= MOST_HISTOGRAMS

    def solve_reduced(
        self, problem: Problem, quality: Linear, reduced: Reduced, limits: Limits
    ) -> Solution:
        free = _Free(quality, reduced, problem.n_sets)
        offset = problem.n_sets * sum(quality.scaled[j] for j in reduced.include)
        best, value, work = None, 0, 0
        optima: dict[Uses, Histogram] = {}
        for total, histogram in _by_value(free, optima):
            if best is not None and total < value:
                break
            work += 1
            possible, _ = exists(histogram, reduced.n_features, reduced.max_overlap)
            if possible is None or work > _QUESTIONS_PER_UNIT * limits.work:
                if best is None:
                    bound = bound_in_truth(problem, quality, total + offset)
                    return Solution(Status.UNKNOWN, (), bound, work)
                break
            if possible:
                best, value = histogram, total
                optima[free.uses(histogram)] = histogram
        if best is None:
            return Solution(Status.INFEASIBLE, (), NAN, work)
        family, nodes = _canonical(free, optima, limits)
        sets = tuple(sorted(reduced.restore(s) for s in family))
        return answer(problem, sets, True, NAN, work + nodes)


class _Free:
    """The best free features, in classes of equal value."""

    def __init__(self, quality: Linear, reduced: Reduced, n_sets: int) -> None:
        self.shape = (n_sets, reduced.n_features, reduced.max_overlap)
        #: Positions in ``reduced.features``, best first.
        self.positions = reduced.best_first(quality)[: n_sets * reduced.n_features]
        values = quality.weights[reduced.features[self.positions]]
        self.cumulated = np.concatenate([[0], np.cumsum(values)])
        starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
        self.edges = np.concatenate([starts, [len(values)]]) if len(values) else np.zeros(1, int)

    def value(self, histograms: IntArray) -> IntArray:
        return np.asarray(self.cumulated[histograms].sum(axis=-1), dtype=np.int64)

    def uses(self, histogram: Histogram) -> Uses:
        """Return the number of uses of each class, all its features together."""
        y = np.array(histogram)
        counts = np.minimum(y, self.edges[:, None]).sum(axis=1)
        return tuple(np.diff(counts).tolist())


def _by_value(free: _Free, optima: dict[Uses, Histogram]) -> Iterator[tuple[int, Histogram]]:
    """Yield histograms by descending value, and those below one that no family has.

    A histogram whose uses are in `optima` already is skipped.
    """
    table = frontier(*free.shape)
    table = table[table[:, 0] <= len(free.positions)]
    values = free.value(table)
    by_value = np.argsort(-values, kind="stable")
    heap: list[tuple[int, Histogram]] = []
    seen: set[Histogram] = set()
    p = 0
    while p < len(by_value) or heap:
        if heap and (p == len(by_value) or -heap[0][0] > values[by_value[p]]):
            total, histogram = heapq.heappop(heap)
            total = -total
        else:
            total = int(values[by_value[p]])
            histogram = tuple(table[by_value[p]].tolist())
            p += 1
        if optima and free.uses(histogram) in optima:
            continue
        yield total, histogram
        if free.uses(histogram) in optima:
            continue
        for lower in less_equal(histogram):
            if lower[0] <= len(free.positions) and lower not in seen:
                seen.add(lower)
                heapq.heappush(heap, (-int(free.value(np.array(lower))), lower))


def _canonical(
    free: _Free, optima: dict[Uses, Histogram], limits: Limits
) -> tuple[list[FeatureIndices], int]:
    """Return the first of all optimal families, in positions, and the work it took."""
    n_sets, n_features, max_overlap = free.shape
    best: list[FeatureIndices] | None = None
    node_limit = max(int(_NODES_PER_UNIT * limits.work), 1)
    nodes = 0
    for uses in optima:
        places, fixed, pool, pool_uses = _roles(_classes(free, [uses]))
        outcome, member, taken = first_family(
            n_sets, n_features, max_overlap, fixed, pool, pool_uses, max(node_limit - nodes, 1)
        )
        nodes += taken
        if outcome == LIMIT:
            break
        assert outcome == FAMILY
        family = [tuple(places[row].tolist()) for row in member]
        best = family if best is None else min(best, family)
    else:
        assert best is not None
        return best, nodes
    if best is None:
        histogram = next(iter(optima.values()))
        _, rows = exists(histogram, n_features, max_overlap)
        assert rows is not None
        used = free.positions[: histogram[0]]
        best = [tuple(used[row].tolist()) for row in rows]
    best, branches = first_by_counting(free.shape, _classes(free, list(optima)), best, limits.work)
    return best, nodes + branches


def _classes(free: _Free, ways: list[Uses]) -> list[FeatureClass]:
    """Return the classes of interchangeable features in optimal families, in positions.

    If a class leaves a choice, its features of smallest index are enough.
    """
    classes: list[FeatureClass] = []
    settled: dict[int, list[int]] = {}
    for g, uses in enumerate(zip(*ways, strict=True)):
        members = free.positions[free.edges[g] : free.edges[g + 1]].tolist()
        every = uses[0] == free.shape[0] * len(members)
        if len(set(uses)) == 1 and (len(members) == 1 or every or uses[0] == 0):
            settled.setdefault(uses[0] // len(members), []).extend(members)
        else:
            classes.append(FeatureClass(members[: max(uses)], list(uses), None))
    for each, members in settled.items():
        if each > 0:
            classes.append(FeatureClass(sorted(members), [], each))
    return classes


def _roles(classes: list[FeatureClass]) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return the used features by index, their numbers of sets, their pools, and pool uses."""
    rows: list[tuple[int, int, int]] = []
    pool_uses: list[int] = []
    for group in classes:
        if group.each is None:
            rows += [(p, 0, len(pool_uses)) for p in group.members]
            pool_uses += group.uses
        else:
            rows += [(p, group.each, -1) for p in group.members]
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    places, fixed, pool = (np.ascontiguousarray(column) for column in table.T)
    return places, fixed, pool, np.array(pool_uses, dtype=np.int64)
