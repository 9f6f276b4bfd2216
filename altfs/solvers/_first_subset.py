"""The canonical one of the best feature sets: the lexicographically first."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs.solvers._subset import best_subset

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@njit(cache=True)
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
    """The lexicographically first of the sets of the best value; `witness` is one of them.

    Feature by feature in index order: is there a set of this value with all
    that was decided and this feature?

    Returns
    -------
    chosen : ndarray of bool of shape (n,)
    nodes : int
    complete : bool
        Whether it is proven to be the first.
    """
    n = weights.size
    fixed = np.zeros(n, dtype=np.int8)
    reduced = weights.copy()
    constant = 0
    for i in range(rows.shape[0]):
        constant += multipliers[i] * room[i]
        for j in range(n):
            if rows[i, j]:
                reduced[j] -= multipliers[i]
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
