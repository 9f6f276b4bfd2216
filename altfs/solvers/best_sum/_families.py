"""The lexicographically first family of sets with given uses of every feature.

A depth-first search decides one set after another. In a set it decides the features in
index order, and first tries to take each. So the first complete family is the canonical
one. The needs of later sets (slots, common features) prune the search. Features with equal
uses in the same earlier sets are interchangeable, so skipping one of them skips the rest.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray

FAMILY, NONE, LIMIT = 1, 0, -1


# More lines than usual: with functions of their own for taking a feature, one search lasts 1.7
# times as long.
@compiled()
def first_family(
    n_sets: int,
    n_features: int,
    max_overlap: int,
    uses: IntArray,
    pool: IntArray,
    pool_uses: IntArray,
    node_limit: int,
) -> tuple[int, BoolArray, int]:
    """Find the canonical family of T sets of k features that overlap in c at most.

    Parameters
    ----------
    n_sets, n_features, max_overlap : int
        T, k and c.
    uses : ndarray of int64 of shape (n,)
        The number of sets that hold each feature. Read only where `pool` is -1.
    pool : ndarray of int64 of shape (n,)
        Features of one pool share their uses in any way. -1: none.
    pool_uses : ndarray of int64
        The uses of all features of each pool together.
    node_limit : int
        The number of decisions that may be taken.

    Returns
    -------
    outcome : int
        `FAMILY`, `NONE` (proven) or `LIMIT`.
    member : ndarray of bool of shape (n_sets, n)
    nodes : int
    """
    n, T, k, c = uses.size, n_sets, n_features, max_overlap
    member = np.zeros((T, n), dtype=np.bool_)
    rest, pool_rest = np.where(pool < 0, uses, 0), pool_uses.copy()
    pattern = np.zeros(n, dtype=np.int64)
    pool_size = np.zeros(pool_uses.size, dtype=np.int64)
    for g in range(pool_uses.size):
        pool_size[g] = (pool == g).sum()
    # The state per set, fixed at its start.
    twin = np.full((T, n), -1, dtype=np.int64)
    need = np.zeros((T, T), dtype=np.int64)
    need_excess = np.zeros(T, dtype=np.int64)
    usable = np.zeros((T, n + 1), dtype=np.int64)
    in_set = np.zeros((T, T, n + 1), dtype=np.int64)
    most = np.zeros((T, n + 1), dtype=np.int64)
    # The state per decision, undone when it is taken back.
    choice = np.full(T * n + 1, -1, dtype=np.int8)
    tied = np.zeros(T * n + 1, dtype=np.bool_)
    overlap = np.zeros((T, T), dtype=np.int64)
    filled = np.zeros(T, dtype=np.int64)
    # Pairs of later sets that the chosen features use up, and those that they save.
    excess, relief = np.zeros(T, dtype=np.int64), np.zeros(T, dtype=np.int64)
    nodes = p = 0
    fresh = True
    while True:
        i, j = p // n, p % n
        left = T - 1 - i
        if fresh and j == 0:
            # A new set: compute the needs of later sets.
            _find_twins(rest, pool, pattern, twin[i])
            need_excess[i], ok = _needs(
                i, left, c, rest, pool, pool_rest, pool_size, member, need[i]
            )
            _sum_up(i, rest, member, pool, pool_rest, pool_size, usable, most, in_set)
            filled[i] = excess[i] = relief[i] = 0
            overlap[i] = 0
            tied[p] = i > 0
            if not ok:
                fresh = False
                p -= 1
                continue
        if fresh:
            nodes += 1
            if nodes > node_limit:
                return LIMIT, member, nodes
            # Try to take the feature.
            pooled = pool[j] >= 0
            can = filled[i] < k and (pool_rest[pool[j]] > 0 if pooled else rest[j] > 0)
            if can and tied[p] and not member[i - 1, j]:
                can = False
            if can and twin[i, j] >= 0 and not member[i, twin[i, j]]:
                can = False
            if can and not pooled and excess[i] + rest[j] - 1 > left * c:
                can = False
            if can:
                for h in range(i):
                    if member[h, j] and overlap[i, h] >= c:
                        can = False
                        break
            if can:
                choice[p] = 1
                member[i, j] = True
                pattern[j] |= 1 << i
                filled[i] += 1
                if pooled:
                    # A pool needs the fewest pairs if its uses are spread evenly.
                    relief[i] += (pool_rest[pool[j]] - 1) // pool_size[pool[j]]
                    pool_rest[pool[j]] -= 1
                else:
                    excess[i] += rest[j] - 1
                    relief[i] += rest[j] - 1
                    rest[j] -= 1
                for h in range(i):
                    if member[h, j]:
                        overlap[i, h] += 1
                tied[p + 1] = tied[p]
            else:
                choice[p] = 0
                if (pool[j] < 0 and rest[j] == left + 1) or (
                    filled[i] < k and usable[i, j + 1] < k - filled[i]
                ):
                    fresh = False
                    p -= 1
                    continue
                tied[p + 1] = tied[p] and not member[i - 1, j]
        else:
            # Back at a decision: undo it, then skip the feature if that is open.
            if p < 0:
                return NONE, member, nodes
            if choice[p] == 0:
                p -= 1
                continue
            choice[p] = 0
            _take_back(
                i, j, rest, pool, pool_rest, pool_size, member, pattern, overlap, filled, excess,
                relief,
            )  # fmt: skip
            nodes += 1
            if nodes > node_limit:
                return LIMIT, member, nodes
            if (pool[j] < 0 and rest[j] == left + 1) or usable[i, j + 1] < k - filled[i]:
                p -= 1
                continue
            tied[p + 1] = tied[p] and not (i > 0 and member[i - 1, j])
            fresh = True
        # The decision stands. Check whether the set can still be completed.
        slots = k - filled[i]
        good = relief[i] + slots * most[i, j + 1] >= need_excess[i]
        for h in range(i):
            if overlap[i, h] + min(slots, in_set[i, h, j + 1]) < need[i, h]:
                good = False
                break
        if good and j == n - 1:
            good = filled[i] == k
        if not good:
            fresh = False
            continue
        if p == T * n - 1:
            return FAMILY, member, nodes
        p += 1
        fresh = True


@compiled()
def _find_twins(rest: IntArray, pool: IntArray, pattern: IntArray, twin: IntArray) -> None:
    """Find the feature before each one that is interchangeable with it; -1 if none is."""
    for f in range(len(rest)):
        twin[f] = -1
        for g in range(f - 1, -1, -1):
            alike = pool[g] == pool[f] and pattern[g] == pattern[f]
            if alike and (pool[f] >= 0 or rest[g] == rest[f]):
                twin[f] = g
                break


@compiled()
def _needs(
    i: int, left: int, max_overlap: int, rest: IntArray, pool: IntArray, pool_rest: IntArray,
    pool_size: IntArray, member: BoolArray, need: IntArray,
) -> tuple[int, bool]:  # fmt: skip
    """Find what set i has to save, if `left` sets follow; False if that is impossible.

    These are pairs of sets that share a feature, and features of each earlier set (`need`).
    """
    pairs, possible = 0, True
    for f in range(len(rest)):
        if pool[f] < 0:
            pairs += rest[f] * (rest[f] - 1) // 2
            possible = possible and rest[f] <= left + 1
    for g in range(len(pool_rest)):
        low, more = pool_rest[g] // pool_size[g], pool_rest[g] % pool_size[g]
        pairs += (pool_size[g] - more) * (low * (low - 1) // 2) + more * (low * (low + 1) // 2)
        possible = possible and pool_rest[g] <= (left + 1) * pool_size[g]
    possible = possible and pairs <= (left + 1) * left // 2 * max_overlap
    for h in range(i):
        total = _least_shared(left, rest, member[h], pool, pool_rest, pool_size)
        need[h] = total - left * max_overlap
        possible = possible and total <= (left + 1) * max_overlap
    return pairs - left * (left - 1) // 2 * max_overlap, possible


@compiled()
def _least_shared(
    left: int, rest: IntArray, inside: BoolArray, pool: IntArray, pool_rest: IntArray,
    pool_size: IntArray,
) -> int:  # fmt: skip
    """Return the fewest features that this and later sets share with an earlier one."""
    total = 0
    for f in range(len(rest)):
        if inside[f] and pool[f] < 0:
            total += rest[f]
    # Features of a pool inside the set take the uses that those outside cannot.
    for g in range(len(pool_rest)):
        within = 0
        for f in range(len(rest)):
            if pool[f] == g and inside[f]:
                within += 1
        total += max(0, pool_rest[g] - (pool_size[g] - within) * (left + 1))
    return total


@compiled()
def _sum_up(
    i: int, rest: IntArray, member: BoolArray, pool: IntArray, pool_rest: IntArray,
    pool_size: IntArray, usable: IntArray, most: IntArray, in_set: IntArray,
) -> None:  # fmt: skip
    """Count what set i can use from each feature on.

    These are the features, those of them in each earlier set, and the most pairs that one saves.
    """
    n = len(rest)
    usable[i, n] = most[i, n] = 0
    for f in range(n - 1, -1, -1):
        open_ = rest[f] > 0 if pool[f] < 0 else pool_rest[pool[f]] > 0
        usable[i, f] = usable[i, f + 1] + (1 if open_ else 0)
        gone = rest[f] - 1
        if pool[f] >= 0:
            gone = (pool_rest[pool[f]] - 1) // pool_size[pool[f]]
        most[i, f] = max(most[i, f + 1], gone)
        for h in range(i):
            in_set[i, h, f] = in_set[i, h, f + 1] + (1 if open_ and member[h, f] else 0)


@compiled(inline="always")
def _take_back(
    i: int, j: int, rest: IntArray, pool: IntArray, pool_rest: IntArray, pool_size: IntArray,
    member: BoolArray, pattern: IntArray, overlap: IntArray, filled: IntArray, excess: IntArray,
    relief: IntArray,
) -> None:  # fmt: skip
    """Take feature j back from set i."""
    member[i, j] = False
    pattern[j] &= ~(1 << i)
    filled[i] -= 1
    for h in range(i):
        if member[h, j]:
            overlap[i, h] -= 1
    if pool[j] >= 0:
        pool_rest[pool[j]] += 1
        relief[i] -= (pool_rest[pool[j]] - 1) // pool_size[pool[j]]
    else:
        rest[j] += 1
        excess[i] -= rest[j] - 1
        relief[i] -= rest[j] - 1
