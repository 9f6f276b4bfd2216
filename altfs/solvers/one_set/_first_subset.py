"""The canonical one of the best feature sets: the lexicographically first.

The rule is that of `first_optimum`. It is compiled here because sequential search applies
it after every set. In Python it takes a third of the whole search.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray
from altfs.solvers.one_set._subset import best_subset, relaxed


@compiled()
def first_best_subset(
    weights: IntArray,
    rows: BoolArray,
    room: IntArray,
    graph: BoolArray,
    n_features: int,
    multipliers: IntArray,
    value: int,
    witness: BoolArray,
    node_limit: int,
) -> tuple[BoolArray, int, bool]:
    """Return the lexicographically first of the sets of the best value.

    `witness` is one of them. For each feature in index order it is asked whether a set of
    this value holds it and all features decided before.

    Returns
    -------
    chosen : ndarray of bool of shape (n,)
    nodes : int
    complete : bool
        True if it is proven to be the first.
    """
    n = weights.size
    fixed = np.zeros(n, dtype=np.int8)
    constant, reduced = relaxed(weights, rows, room, multipliers)
    ordered = np.sort(reduced)[::-1]
    top = constant + ordered[:n_features].sum()
    last = ordered[n_features - 1]
    chosen = witness.copy()
    taken = 0
    nodes = 0
    for j in range(n):
        if taken == n_features:
            break
        if chosen[j]:
            fixed[j] = 1
            taken += 1
            continue
        # With this feature in place of the worst of the best, the bound is too low.
        if top - max(last - reduced[j], 0) < value:
            fixed[j] = -1
            continue
        fixed[j] = 1
        complete, _, better, _, more = best_subset(
            weights, rows, room, graph, n_features, fixed, multipliers,
            value - 1, value, node_limit - nodes,
        )  # fmt: skip
        nodes += more
        if not complete:
            return chosen, nodes, False
        if better.any():
            chosen = better
            taken += 1
        else:
            fixed[j] = -1
    return chosen, nodes, True
