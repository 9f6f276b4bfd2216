"""The best single feature sets where pairs of features have costs.

The value of a set is a sum of gains minus a cost for every pair in it. The search is
depth-first branch and bound in integers. The cost of a pair is split between its two
features, and a feature that joins pays at least its smallest shares. The quality of the
bound depends on the split, which `split_costs` tunes.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray
from altfs.solvers.listed.listing import (
    NOT_REACHED,
    SOME,
    bound_of,
    chosen_by,
    descend,
    insert,
    keep_fitting,
    largest_open_bound,
    nearest_first,
    record,
    use_rows,
    with_cheapest,
)


@compiled()
def split_costs(gains: IntArray, costs: IntArray, n_features: int, rounds: int) -> IntArray:
    """Split the cost of each pair so that the bound of the whole problem is small.

    Returns
    -------
    ndarray of int64 of shape (n, n)
        Entry (j, other): the share of j. Both shares add up to the cost of the pair.
    """
    n = gains.size
    k = n_features
    shares = costs / 2.0
    best = shares.copy()
    best_bound = np.inf
    nearest = np.zeros((n, max(k - 1, 1)), dtype=np.int64)
    scores = np.zeros(n)
    step = 0.0
    for iteration in range(rounds):
        for j in range(n):
            filled = 0
            for other in range(n):
                if other == j:
                    continue
                if filled < k - 1:
                    p = filled
                    filled += 1
                elif k > 1 and shares[j, other] < shares[j, nearest[j, k - 2]]:
                    p = k - 2
                else:
                    continue
                while p > 0 and shares[j, nearest[j, p - 1]] > shares[j, other]:
                    nearest[j, p] = nearest[j, p - 1]
                    p -= 1
                nearest[j, p] = other
            scores[j] = gains[j]
            for p in range(k - 1):
                scores[j] -= shares[j, nearest[j, p]]
        order = np.argsort(-scores)[:k]
        bound = scores[order].sum()
        if iteration == 0:
            step = max(costs.max() * 0.25, 1.0)
        if bound < best_bound:
            best_bound = bound
            best[:] = shares
        for j in order:
            for p in range(k - 1):
                other = nearest[j, p]
                shares[j, other] += step
                shares[other, j] -= step
        step *= 0.97
    result = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        for other in range(j):
            result[j, other] = np.int64(np.round(best[j, other]))
            result[other, j] = costs[j, other] - result[j, other]
    return result


@compiled()
def good_subsets(
    gains: IntArray,
    costs: IntArray,
    shares: IntArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    threshold: int,
    wanted: int,
    most: int,
    node_limit: int,
) -> tuple[IntArray, IntArray, int, int]:
    """List the sets of at least some value.

    Parameters
    ----------
    gains : ndarray of int64 of shape (n,)
    costs : ndarray of int64 of shape (n, n)
        Symmetric, zero on the diagonal.
    shares : ndarray of int64 of shape (n, n)
        From `split_costs`.
    rows, room : ndarray of bool of shape (n_rows, n) and of int64 of shape (n_rows,)
        As in `Rows`.
    n_features : int
        At least 1.
    threshold, wanted, most, node_limit : int
        As in `Goal`.

    Returns
    -------
    sets, values, reached, nodes
        As in `Found`.
    """
    n, k = gains.size, n_features
    sets = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    count = 0
    near = nearest_first(shares)
    paid, relief = -shares, -costs
    gain = np.zeros((k + 1, n), dtype=np.int64)
    gain[0] = gains
    inside = np.zeros(n, dtype=np.bool_)
    members = np.zeros((k + 1, n), dtype=np.int64)
    scores = np.zeros((k + 1, n), dtype=np.int64)
    length = np.zeros(k + 1, dtype=np.int64)
    turn = np.zeros(k + 1, dtype=np.int64)
    value = np.zeros(k + 1, dtype=np.int64)
    exact = np.zeros(k + 1, dtype=np.int64)
    used = np.zeros(len(room), dtype=np.int64)
    members[0, :n] = np.arange(n)
    length[0] = n
    nodes = level = 0
    fresh = True
    while level >= 0:
        rest = k - level
        if fresh:
            fresh = False
            nodes += 1
            # Features that still fit, and the most that each can add.
            kept = keep_fitting(members[level], length[level], rows, room, used, inside)
            turn[level] = 0
            length[level] = kept if kept >= rest else 0
            for p in range(length[level]):
                j = members[level, p]
                score = with_cheapest(gain[level, j], j, rest - 1, near, inside, paid)
                insert(members[level], scores[level], p, j, score, True)
        p = turn[level]
        stop = length[level] - p < rest
        if not stop:
            stop = bound_of(value[level], scores[level], p, rest, 0, 0) < threshold
        if not stop and nodes >= node_limit:
            worst = largest_open_bound(level, value, scores, turn, length, 0, exact)
            return sets[:count], values[:count], max(worst + 1, threshold), nodes
        if stop:
            level -= 1
            if level >= 0:
                use_rows(used, rows, members[level, turn[level] - 1], -1)
            continue
        turn[level] += 1
        j = members[level, p]
        if rest == 1:
            # The scores are exact here.
            sets, values, count, threshold = record(
                sets, values, count, chosen_by(members, turn, k), value[level] + gain[level, j],
                threshold, wanted, most,
            )  # fmt: skip
            if wanted == SOME and count == most:
                return sets[:count], values[:count], NOT_REACHED, nodes
            continue
        use_rows(used, rows, j, 1)
        value[level + 1] = value[level] + gain[level, j]
        descend(level, members, turn, length, gain, relief[j])
        level += 1
        fresh = True
    return sets[:count], values[:count], threshold, nodes
