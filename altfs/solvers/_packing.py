"""The best T of many known feature sets that share no feature.

A price on every feature bounds what T disjoint sets are worth: T times the best
set after prices, and the prices of all features. What a family falls short of
that is the slack of its sets and the prices of the features that no set holds,
so the search decides feature after feature which set holds it, or none. The one
that fewest sets can hold comes first: such a family is nearly an exact cover.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from altfs.solvers._bits import Bits, IntArray, all_bits, lowest, popcount
from altfs.solvers._tuples import Tuple


@njit(cache=True)
def _best_packing(
    values: IntArray,
    slack: IntArray,
    sets: IntArray,
    holders: Bits,
    prices: IntArray,
    pool: Any,
    decided: Any,
    n_sets: int,
    dolls: IntArray,
    ceiling: int,
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """The best disjoint sets of `pool` that are better than `floor`.

    Features in `decided` are in no set of the pool, and paid for. Sets stand in
    ascending order of `slack`, features in descending order of `prices`, at least
    0; `holders[f]` are the sets with feature f. `dolls[r]` bounds the value of r
    sets. Returns whether the search ended by itself, the value (`floor` if
    nothing is better), the members and the nodes, a node being up to 32 words of
    bits.
    """
    n_features, words = holders.shape
    T = n_sets
    one = np.uint64(1)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    chosen = np.full(T, -1, dtype=np.int64)
    # Per decision about a feature, of which there is one at most for each.
    candidates = np.zeros((n_features + 1, words), dtype=np.uint64)
    candidates[0] = pool
    turn = np.zeros((n_features + 1, words), dtype=np.uint64)
    done = np.zeros((n_features + 1, n_features), dtype=np.bool_)
    done[0] = decided
    feature = np.full(n_features + 1, -1, dtype=np.int64)
    count = np.zeros(n_features + 1, dtype=np.int64)
    total = np.zeros(n_features + 1, dtype=np.int64)
    spent = np.zeros(n_features + 1, dtype=np.int64)
    level = 0
    nodes = 0
    fresh = True
    while level >= 0:
        rest = T - count[level]
        if fresh:
            fresh = False
            feature[level] = -1
            # The least slack that is left bounds what is still paid.
            lost = 0
            seen = 0
            w = 0
            while w < words and seen < rest:
                x = candidates[level, w]
                while x and seen < rest:
                    lost += slack[(w << 6) + lowest(x)]
                    seen += 1
                    x &= x - one
                w += 1
            best_left = total[level] + dolls[rest]
            if seen < rest or min(best_left, ceiling - spent[level] - lost) <= best:
                level -= 1
                continue
            fewest = 1 << 60
            for f in range(n_features):
                if done[level, f]:
                    continue
                if prices[f] == 0 and feature[level] >= 0 and prices[feature[level]] > 0:
                    break
                n_holders = 0
                for w in range(words):
                    n_holders += popcount(candidates[level, w] & holders[f, w])
                nodes += 1 + words // 32
                if n_holders == 0:
                    lost += prices[f]
                if n_holders < fewest:
                    fewest = n_holders
                    feature[level] = f
            if nodes > node_limit:
                return False, best, members, nodes
            if feature[level] < 0 or ceiling - spent[level] - lost <= best:
                level -= 1
                continue
            turn[level] = candidates[level] & holders[feature[level]]
        f = feature[level]
        if f < 0:
            level -= 1
            continue
        i = -1
        for w in range(words):
            if turn[level, w]:
                i = (w << 6) + lowest(turn[level, w])
                break
        if i >= 0 and ceiling - spent[level] - slack[i] <= best:
            # Nor with any later one.
            i = -1
        if i < 0:
            # No set holds the feature.
            feature[level] = -1
            if ceiling - spent[level] - prices[f] <= best:
                continue
            candidates[level + 1] = candidates[level] & ~holders[f]
            done[level + 1] = done[level]
            done[level + 1, f] = True
            count[level + 1] = count[level]
            total[level + 1] = total[level]
            spent[level + 1] = spent[level] + prices[f]
            level += 1
            fresh = True
            continue
        turn[level, i >> 6] ^= one << np.uint64(i & 63)
        value = total[level] + values[i]
        nodes += 1
        if (value + dolls[rest - 1] if rest > 1 else value) <= best:
            continue
        chosen[count[level]] = i
        if rest == 1:
            best = value
            members[:] = chosen
            if best >= stop_at:
                return True, best, members, nodes
            continue
        candidates[level + 1] = candidates[level]
        done[level + 1] = done[level]
        for f in sets[i]:
            candidates[level + 1] &= ~holders[f]
            done[level + 1, f] = True
        nodes += sets.shape[1] * words // 32
        count[level + 1] = count[level] + 1
        total[level + 1] = value
        spent[level + 1] = spent[level] + slack[i]
        level += 1
        fresh = True
    return True, best, members, nodes


def best_packing(
    values: IntArray,
    sets: IntArray,
    weights: IntArray,
    n_sets: int,
    node_limit: int,
    floor: int,
    dolls: list[int],
) -> Tuple:
    """The best `n_sets` disjoint feature sets; the first of them in the order of rows.

    Parameters
    ----------
    values : ndarray of int64 of shape (n,)
        Quality of each feature set: its features' weights and a constant.
    sets : ndarray of int64 of shape (n, size)
        In lexicographic order.
    weights : ndarray of int64
        Of the features.
    n_sets, node_limit : int
    floor : int
        Only families better than this count.
    dolls : list of int
        Upper bounds of the best value of 0, 1, ..., T - 1 disjoint sets.
    """
    size = sets.shape[1]
    used = np.unique(sets)
    if len(used) < n_sets * size:
        return Tuple(None, 0, True, floor, dolls, 1)
    # What a feature is worth above the best one for which there is no room.
    by_weight = used[np.argsort(-weights[used], kind="stable")]
    prices = np.maximum(weights[by_weight] - weights[by_weight[n_sets * size - 1]], 0)
    place = np.zeros(len(weights), dtype=np.int64)
    place[by_weight] = np.arange(len(used))
    after = values - prices[place[sets]].sum(axis=1)
    slack = after.max() - after
    ceiling = n_sets * int(after.max()) + int(prices.sum())
    rows = np.argsort(slack, kind="stable")
    placed = np.ascontiguousarray(place[sets[rows]])
    holders = np.zeros((len(used), (len(rows) + 63) // 64), dtype=np.uint64)
    order = np.arange(len(rows))
    for column in placed.T:
        bit = np.uint64(1) << (order & 63).astype(np.uint64)
        np.bitwise_or.at(holders, (column, order >> 6), bit)
    table = (values[rows], slack[rows], placed, holders, prices)
    bounds = np.array([*dolls, 1 << 59], dtype=np.int64)
    complete, value, found, nodes = _best_packing(
        *table, all_bits(len(rows)), np.zeros(len(used), dtype=np.bool_), n_sets, bounds,
        ceiling, floor, 1 << 60, node_limit,
    )  # fmt: skip
    members = rows[found] if found[0] >= 0 else None
    if not complete:
        return Tuple(members, value, False, max(ceiling, value), dolls, nodes)
    if members is None:
        return Tuple(None, 0, True, floor, dolls, nodes)
    first, more = _first_packing(table, rows, members, bounds, ceiling, value, node_limit)
    return Tuple(first, value, True, value, [*dolls, value], nodes + more)


def _first_packing(
    table: tuple[IntArray, IntArray, IntArray, Bits, IntArray],
    rows: IntArray,
    members: IntArray,
    dolls: IntArray,
    ceiling: int,
    value: int,
    node_limit: int,
) -> tuple[IntArray, int]:
    """The optimal family whose sorted rows come first, and the nodes; see `_first_tuple`."""
    values, slack, sets, holders, prices = table
    answer = np.sort(members)
    candidate_of = np.argsort(rows)
    # No other set is in an optimal family.
    pool = all_bits(int(np.searchsorted(slack, ceiling - value, side="right")))
    pool = np.concatenate([pool, np.zeros(holders.shape[1] - len(pool), dtype=np.uint64)])
    decided = np.zeros(len(prices), dtype=np.bool_)
    need, spent, nodes, row = value, 0, 0, 0

    def held(i: int) -> bool:
        return bool(pool[i >> 6] >> np.uint64(i & 63) & np.uint64(1))

    for level in range(len(answer)):
        rest = len(answer) - level - 1
        while row < answer[level]:
            i = int(candidate_of[row])
            row += 1
            if not held(i):
                continue
            pool[i >> 6] ^= np.uint64(1) << np.uint64(i & 63)
            wanted, taken = need - int(values[i]), spent + int(slack[i])
            if wanted > dolls[rest] or ceiling - taken < value:
                continue
            if rest == 0:
                answer[level] = row - 1
                break
            covered = decided.copy()
            covered[sets[i]] = True
            apart = pool & ~np.bitwise_or.reduce(holders[sets[i]])
            complete, _, found, more = _best_packing(
                *table, apart, covered, rest, dolls, ceiling - taken - value + wanted,
                wanted - 1, wanted, node_limit - nodes,
            )  # fmt: skip
            nodes += more
            if not complete:
                return answer, nodes
            if found[0] >= 0:
                answer[level] = row - 1
                answer[level + 1 :] = np.sort(rows[found])
                break
        i = int(candidate_of[answer[level]])
        row = int(answer[level]) + 1
        decided[sets[i]] = True
        pool &= ~np.bitwise_or.reduce(holders[sets[i]])
        need, spent = need - int(values[i]), spent + int(slack[i])
    return answer, nodes
