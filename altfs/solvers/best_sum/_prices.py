"""A bound on the sum of several listed sets, from prices for the use of features.

With a price on every feature the sets no longer see one another. Each is at most the
best single set after prices. All of them together pay at most the best that any family
of T such sets could pay, which the histograms of linear quality know.
"""

from __future__ import annotations

import numpy as np

from altfs._numbers import IntArray
from altfs.solvers.best_sum._histogram_table import frontier

# After so many rounds without a better bound the steps become half as long.
_PATIENCE = 6


def bound_by_prices(
    sets: IntArray, values: IntArray, n: int, shape: tuple[int, int, int], lower: int, rounds: int
) -> int:
    """Lower the bound of the sum of T sets towards a known family's value.

    Parameters
    ----------
    sets, values : ndarrays of int64 of shape (n_listed, n_features) and (n_listed,)
    n : int
        Number of features.
    shape : tuple of int
        (n_sets, n_features, max_overlap).
    lower : int
        Value of a known family.
    rounds : int
        At least 1.
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
