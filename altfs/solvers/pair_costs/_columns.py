"""The best prices for the use of features, by a linear program over known sets.

The program mixes known sets such that they use features as families may. Its dual solution
is the vector of the best prices for the known sets. The best sets after these prices join the known
ones, until no further set would change the prices. The prices of every round give a true
bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.pair_costs.listed._near_tuples import most_paid

# Sets that join the known ones in a round.
_JOIN = 200
# New prices go only this part of the way to those of the program, which keeps them stable.
_NEW = 0.3
# The bound is good enough if no prices close more than this part of the gap.
_CLOSE = 0.1


@dataclass(frozen=True)
class Prices:
    """The best prices found."""

    #: Shape (n,).
    prices: IntArray
    #: No family is better, and no set after prices.
    bound: int
    single: int
    nodes: int


def tune_by_columns(
    source: PairSource,
    shape: tuple[int, int, int],
    family: IntArray,
    values: IntArray,
    node_limit: int,
    rounds: int,
) -> Prices:
    """Lower the bound of the sum of T sets towards the value of a known family.

    `shape` is (n_sets, n_features, max_overlap), `values` are those of the family's sets.
    The limit holds for all rounds together.
    """
    n_sets, n = shape[0], source.n
    lower = int(values.sum())
    program = _Program(n, n_sets, comb(n_sets, 2) * shape[2])
    program.add(family, values)
    prices = np.zeros(n, dtype=np.int64)
    result: Prices | None = None
    nodes = 0
    for _ in range(rounds):
        # The threshold is so low that at least one set is found.
        best = program.best_after(prices)
        spare = 0 if result is None else (result.bound - lower)
        listing = source.listing(best - spare, _JOIN, node_limit - nodes, prices)
        nodes += listing.nodes
        left = listing.values - prices[listing.sets].sum(axis=1)
        single = max(int(left.max(initial=best)), listing.reached - 1)
        paid, _ = most_paid(prices, shape)
        bound = n_sets * single + paid
        better = result is None or bound < result.bound
        if result is None or better:
            result = Prices(prices, bound, single, nodes)
        new = program.add(listing.sets, listing.values)
        if listing.reached <= lower - (bound - single):
            # These few are all sets that a better family may hold.
            result = Prices(prices, bound, single, nodes)
            break
        if result.bound <= lower or nodes >= node_limit or not (new or better):
            break
        solved = program.solve()
        if solved is None:
            break
        optimum, exact = solved
        # No prices make the bound lower than the optimum of the program.
        if result.bound - optimum <= _CLOSE * (result.bound - lower):
            break
        part = _NEW if new else 1.0
        prices = np.rint(result.prices + part * (exact - result.prices)).astype(np.int64)
    assert result is not None
    return replace(result, nodes=nodes)


class _Program:
    """Mixtures of sets, T in all, that use features as often as families may.

    The m-th use of a feature by a family costs m - 1 of the overlaps there are.
    """

    def __init__(self, n: int, n_sets: int, overlaps: int) -> None:
        # This import takes long, and other searches do not need it.
        from scipy.sparse import csc_array

        self.n, self.n_sets = n, n_sets
        use = np.arange(n * n_sets)
        self.uses = csc_array((-np.ones(n * n_sets), (use % n, use)), shape=(n + 1, n * n_sets))
        self.pairs = np.repeat(np.arange(n_sets, dtype=np.float64), n)
        self.overlaps = overlaps
        self.sets: dict[bytes, tuple[IntArray, int]] = {}

    def add(self, sets: IntArray, values: IntArray) -> int:
        """Add sets and their values without prices; return the number of new ones."""
        before = len(self.sets)
        for chosen, value in zip(sets, values, strict=True):
            ordered = np.sort(chosen)
            self.sets.setdefault(ordered.tobytes(), (ordered, int(value)))
        return len(self.sets) - before

    def best_after(self, prices: IntArray) -> int:
        """Return the value of the best known set after prices."""
        return max(value - int(prices[chosen].sum()) for chosen, value in self.sets.values())

    def solve(self) -> tuple[float, FloatArray] | None:
        """Return the value of the best mixture, and its prices."""
        from scipy.optimize import linprog
        from scipy.sparse import csc_array, hstack

        sets = np.array([s for s, _ in self.sets.values()])
        values = np.array([v for _, v in self.sets.values()], dtype=np.float64)
        scale = max(float(np.abs(values).max()), 1.0)
        m, k = sets.shape
        rows = np.column_stack([sets, np.full(m, self.n)]).ravel()
        starts = np.arange(m + 1) * (k + 1)
        columns = csc_array((np.ones(rows.size), rows, starts), shape=(self.n + 1, m))
        uses = self.n * self.n_sets
        result = linprog(
            np.concatenate([-values / scale, np.zeros(uses)]),
            A_ub=csc_array(np.concatenate([np.zeros(m), self.pairs])[None, :]),
            b_ub=[self.overlaps],
            A_eq=hstack([columns, self.uses], format="csc"),
            b_eq=np.append(np.zeros(self.n), self.n_sets),
            bounds=np.column_stack([
                np.zeros(m + uses), np.append(np.full(m, np.inf), np.ones(uses))
            ]),
            method="highs-ds",
        )  # fmt: skip
        if result.status != 0:
            return None
        return -result.fun * scale, -result.eqlin.marginals[: self.n] * scale
