"""The best T of many known feature sets that share no feature.

A price on every feature bounds the value of T disjoint sets: T times the best set after
prices, plus the prices of all features. The distance of a family to this bound is the slack
of its sets and the prices of the features that no set holds. The search decides for one
feature after another which set holds it, if any. It starts with the feature that the
fewest sets can hold, because such a family is nearly an exact cover.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import Bits, IntArray
from altfs.solvers.listed.bits import all_bits, as_bits, lowest, popcount
from altfs.solvers.listed.first_rows import Ranked, first_rows
from altfs.solvers.listed.tuples import Tuple


@compiled()
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
    """Find the best disjoint sets of `pool` that are better than `floor`.

    Features in `decided` are in no set of the pool, and their prices are deducted. Sets are
    in ascending order of `slack`, features in descending order of `prices`, which are at
    least 0. `holders[f]` are the sets with feature f. The other arguments and the answer are those
    of `walk_to_best`. A node is up to 32 words of bits.
    """
    n_features, words = holders.shape
    T = n_sets
    one = np.uint64(1)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    chosen = np.full(T, -1, dtype=np.int64)
    # The state per decision. There is at most one decision for each feature.
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
            # The smallest slacks that are left bound what is still lost.
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
            # No later set is better.
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
            copy_into(members, chosen)
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
    """Find the best `n_sets` disjoint feature sets; the first of them in the order of rows.

    `sets` are in lexicographic order. Their `values` are the `weights` of their features and
    a constant. Only families better than `floor` count. `dolls` bound the best value of 0,
    1, ..., T - 1 disjoint sets.
    """
    size = sets.shape[1]
    used = np.unique(sets)
    if len(used) < n_sets * size:
        return Tuple(None, 0, True, floor, dolls, 1)
    # The price is the value of a feature above that of the best one without a place.
    by_weight = used[np.argsort(-weights[used], kind="stable")]
    prices = np.maximum(weights[by_weight] - weights[by_weight[n_sets * size - 1]], 0)
    place = np.zeros(len(weights), dtype=np.int64)
    place[by_weight] = np.arange(len(used))
    after = values - prices[place[sets]].sum(axis=1)
    slack = after.max() - after
    ceiling = n_sets * int(after.max()) + int(prices.sum())
    rows = np.argsort(slack, kind="stable")
    placed = np.ascontiguousarray(place[sets[rows]])
    held = np.zeros((len(used), len(rows)), dtype=np.bool_)
    held[placed.T, np.arange(len(rows))] = True
    holders = as_bits(held)
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
    # Other sets are in no optimal family.
    pool = as_bits(slack[rows] <= ceiling - value)

    def together(i: int) -> tuple[Bits, int]:
        return ~np.bitwise_or.reduce(holders[placed[i]]), 0

    def search(
        chosen: list[int], pool: Bits, rest: int, ceiling: int, need: int, limit: int
    ) -> tuple[bool, IntArray, int]:
        decided = np.zeros(len(used), dtype=np.bool_)
        decided[placed[chosen]] = True
        settled, _, found, nodes = _best_packing(
            *table, pool, decided, rest, bounds, ceiling, need - 1, need, limit
        )
        return settled, found, nodes

    ranked = Ranked(rows, table[0], table[1], pool, bounds, ceiling, False)
    first, _, more = first_rows(ranked, found, value, together, search, node_limit)
    return Tuple(first, value, True, value, [*dolls, value], nodes + more)
