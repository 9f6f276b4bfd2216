"""Exact solver for qualities with a cost for every pair of features (mRMR)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.problem import Problem
from altfs.quality import Pairwise
from altfs.results import NAN, Status
from altfs.solvers._joint import Listing, best_family_of, lexicographic_rows
from altfs.solvers._pairs import good_subsets, split_costs
from altfs.solvers._reduced import Reduced, reduce_problem
from altfs.solvers.base import Limits, Solution, Solver, solvers

IntArray = npt.NDArray[np.int64]

_NODES_PER_UNIT = 50_000
_ROUNDS = 100
_TIES = 1_000
_LOWEST = -(1 << 61)


@solvers.register("pairwise")
class PairwiseSearch(Solver):
    """One set by branch and bound, several by listing good sets and picking the best T.

    Proves or ends at its limit, then with a bound.
    """

    proves = True
    rank = 30
    carries = frozenset({"include", "exclude", "at_most", "given"})

    def handles(self, problem: Problem) -> bool:
        return isinstance(problem.quality, Pairwise)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        quality = problem.quality
        assert isinstance(quality, Pairwise)
        reduced = reduce_problem(problem)
        if reduced is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        budget = max(int(_NODES_PER_UNIT * limits.work), 1)
        source = _Source(problem, quality, reduced)
        minimum = problem.aggregation == "min"
        if problem.n_sets == 1 or reduced.max_overlap >= reduced.n_features:
            chosen, value, bound, nodes = source.best([], budget)
            if chosen is None:
                if bound == _LOWEST:
                    return Solution(Status.INFEASIBLE, (), NAN, nodes)
                found = None
            else:
                found = [tuple(chosen.tolist())] * problem.n_sets
            if not minimum:
                value, bound = value * problem.n_sets, bound * problem.n_sets
        else:
            family = best_family_of(
                source, problem.n_sets, reduced.max_overlap, minimum, budget
            )
            if family.infeasible:
                return Solution(Status.INFEASIBLE, (), NAN, family.nodes)
            found, value, bound, nodes = family.sets, family.value, family.bound, family.nodes
        if found is None:
            return Solution(Status.UNKNOWN, (), source.truth(bound), nodes)
        sets = tuple(sorted(reduced.restore(s) for s in found))
        if value < bound:
            return Solution(Status.FEASIBLE, sets, source.truth(bound), nodes)
        return Solution(Status.OPTIMAL, sets, problem.objective(sets), nodes)


class _Source:
    """Single sets of a pairwise quality, on the free features of a problem."""

    def __init__(self, problem: Problem, quality: Pairwise, reduced: Reduced) -> None:
        self.problem, self.quality, self.reduced = problem, quality, reduced
        gains, costs = quality.integers(problem.n_features)
        include, free = list(reduced.include), reduced.features
        self.n, self.k = len(free), reduced.n_features
        self.offset = int(gains[include].sum() - costs[np.ix_(include, include)].sum() // 2)
        self.gains = gains[free] - costs[np.ix_(free, include)].sum(axis=1)
        self.costs = np.ascontiguousarray(costs[np.ix_(free, free)])
        self.shares = split_costs(self.gains, self.costs, max(self.k, 1), _ROUNDS)

    def truth(self, bound: int) -> float:
        """A bound in integers as a bound in truth, rounding included."""
        problem, quality = self.problem, self.quality
        sets = problem.n_sets if problem.aggregation == "sum" else 1
        return (bound / quality.divisor(problem.n_features) + sets) * quality.unit

    def best_after(
        self, given: list[frozenset[int]], prices: IntArray, node_limit: int
    ) -> tuple[IntArray | None, int, int]:
        rows, room = self._rows(given)
        sets, values, _, nodes = self._run(rows, room, _LOWEST, True, 2, node_limit, prices)
        if not len(values):
            return None, 0, nodes
        return sets[-1], int(values[-1] + prices[sets[-1]].sum()) + self.offset, nodes

    def best(
        self, given: list[frozenset[int]], node_limit: int
    ) -> tuple[IntArray | None, int, int, int]:
        rows, room = self._rows(given)
        if self.k == 0:
            return np.empty(0, dtype=np.int64), self.offset, self.offset, 1
        _, values, reached, nodes = self._run(rows, room, _LOWEST, True, 2, node_limit)
        if not len(values):
            return None, 0, _LOWEST if reached == _LOWEST else reached - 1 + self.offset, nodes
        value = int(values[-1])
        # Once more for the first of those that are as good.
        sets, _, _, more = self._run(rows, room, value, False, _TIES, node_limit)
        first = sets[lexicographic_rows(sets)[0]]
        bound = max(value, reached - 1)
        return first, value + self.offset, bound + self.offset, nodes + more

    def listing(
        self, threshold: int, most: int, node_limit: int, prices: IntArray | None = None
    ) -> Listing:
        rows, room = self._rows([])
        wanted = threshold - self.offset
        sets, values, reached, nodes = self._run(
            rows, room, wanted, False, most, node_limit, prices
        )
        if prices is not None:
            values = values + prices[sets].sum(axis=1)
        order = lexicographic_rows(sets)
        return Listing(sets[order], values[order] + self.offset, reached + self.offset, nodes)

    def priced(
        self, prices: IntArray, node_limit: int
    ) -> tuple[IntArray | None, int, int, int]:
        rows, room = self._rows([])
        sets, values, reached, nodes = self._run(rows, room, _LOWEST, True, 2, node_limit, prices)
        if not len(values):
            return None, 0, max(reached - 1, _LOWEST) + self.offset, nodes
        value = int(values[-1]) + self.offset
        return sets[-1], value, max(value, reached - 1 + self.offset), nodes

    def _run(
        self,
        rows: npt.NDArray[np.bool_],
        room: IntArray,
        threshold: int,
        improve: bool,
        most: int,
        node_limit: int,
        prices: IntArray | None = None,
    ) -> tuple[IntArray, IntArray, int, int]:
        gains, shares = self.gains, self.shares
        if prices is not None:
            # The split of the costs is worth nothing with other gains.
            gains = gains - prices
            shares = split_costs(gains, self.costs, self.k, _ROUNDS)
        found: tuple[IntArray, IntArray, int, int] = good_subsets(
            gains, self.costs, shares, rows, room, self.k, threshold, improve, most,
            node_limit,
        )  # fmt: skip
        return found

    def _rows(self, given: list[frozenset[int]]) -> tuple[npt.NDArray[np.bool_], IntArray]:
        limits = [*self.reduced.rows, *((g, self.reduced.max_overlap) for g in given)]
        rows = np.zeros((len(limits), self.n), dtype=np.bool_)
        for i, (members, _) in enumerate(limits):
            rows[i, list(members)] = True
        return rows, np.array([room for _, room in limits], dtype=np.int64)
