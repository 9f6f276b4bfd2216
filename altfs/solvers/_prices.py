"""A bound on several sets of any quality, from prices for the use of features.

With a price on every feature the sets no longer see one another: each is at
most the best single set after prices, and what all of them pay together is at
most the best that any family of T such sets could pay, which the histograms of
linear quality know. Good prices make the bound close and leave few sets that
can be part of a better family.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altfs.solvers._histogram_table import frontier

IntArray = npt.NDArray[np.int64]

#: The best set after prices: (indices, value, upper bound of all values, nodes).
PricedBest = Callable[[IntArray, int], tuple[IntArray | None, int, int, int]]


@dataclass(frozen=True)
class Prices:
    """The best prices found.

    Attributes
    ----------
    prices : ndarray of int64 of shape (n,)
    bound : int
        No family is better.
    single : int
        No set is better after prices.
    paid : int
        No family pays more.
    nodes : int
    """

    prices: IntArray
    bound: int
    single: int
    paid: int
    nodes: int


def tune_prices(
    best: PricedBest,
    n: int,
    shape: tuple[int, int, int],
    lower: int,
    node_limit: int,
    rounds: int,
) -> Prices:
    """Lower the bound of the sum of T sets towards a known family's value.

    Parameters
    ----------
    best : callable
        Solves for one set, given prices and a node limit.
    n : int
        Number of features.
    shape : tuple of int
        (n_sets, n_features, max_overlap).
    lower : int
        Value of a known family.
    node_limit : int
        For all rounds together.
    rounds : int
    """
    n_sets = shape[0]
    table = frontier(*shape)
    table = table[table[:, 0] <= n]
    exact = np.zeros(n)
    nodes = 0
    result: Prices | None = None
    scale = 1.0
    since = 0
    for _ in range(rounds):
        prices = np.rint(exact).astype(np.int64)
        chosen, _, single, more = best(prices, node_limit - nodes)
        nodes += more
        order = np.argsort(-prices, kind="stable")
        cumulated = np.concatenate([[0], np.cumsum(prices[order])])
        values = cumulated[table].sum(axis=1)
        top = int(np.argmax(values))
        paid = int(values[top])
        bound = n_sets * single + paid
        since += 1
        if result is None or bound < result.bound:
            result = Prices(prices, bound, single, paid, nodes)
            since = 0
        if chosen is None or bound <= lower or nodes >= node_limit:
            break
        if since >= 6:
            scale /= 2
            since = 0
            exact = result.prices.astype(np.float64)
        slope = np.zeros(n)
        slope[chosen] = n_sets
        used = (np.arange(n)[:, None] < table[top]).sum(axis=1)
        slope[order] -= used
        length = float(slope @ slope)
        if length == 0:
            break
        exact = exact + scale * (bound - lower) / length * slope
    assert result is not None
    return Prices(result.prices, result.bound, result.single, result.paid, nodes)
