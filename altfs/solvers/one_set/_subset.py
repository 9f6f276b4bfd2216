"""The best feature set under limits on how many features of some rows it holds.

Depth-first branch and bound in integers. The best remaining features that still fit bound a
partial set. Features in the same rows differ in their weight only, so skipping one of them
skips the rest of its class.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, IntArray

_NOTHING = -(1 << 62)


@compiled()
def _has_room(row_list: IntArray, p: int, count: int, left_room: IntArray) -> bool:
    """Return True if all rows of feature p can take one more."""
    for i in range(count):  # noqa: SIM110 - numba does not compile generators
        if left_room[row_list[p, i]] <= 0:
            return False
    return True


@compiled()
def best_subset(
    weights: IntArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    fixed: npt.NDArray[np.int8],
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, BoolArray, int, int]:
    """Find the best set that is better than `floor`.

    `room` is the largest number of features of each row in the set. A feature is `fixed` in
    the set (1), out of it (-1) or free (0). A set as good as `stop_at` ends the search.

    Returns
    -------
    complete : bool
        True if the search ended by itself.
    value : int
        Of the set found.
    chosen : ndarray of bool of shape (n,)
        All False if there is no better set.
    bound : int
        No set is better than this (nor than `floor`, if that is larger).
    nodes : int
    """
    best, chosen = floor, np.zeros(len(weights), dtype=np.bool_)
    base = fixed == 1
    left_room = room.copy()
    for i in range(len(room)):
        left_room[i] -= rows[i][base].sum()
    base_value, slots = weights[base].sum(), n_features - base.sum()
    free = np.flatnonzero(fixed == 0)
    if (left_room < 0).any() or slots < 0 or free.size < slots:
        return True, floor, chosen, floor, 0
    if slots == 0:
        if base_value > floor:
            return True, base_value, base, base_value, 1
        return True, floor, chosen, floor, 1
    free = free[np.argsort(-weights[free], kind="mergesort")]
    m, gain = free.size, weights[free]
    row_list, row_count = _rows_of(rows, free)
    kind, n_kinds = _classes(row_list, row_count)
    banned_at = np.full(n_kinds, -1, dtype=np.int64)
    picked = np.zeros(slots + 1, dtype=np.int64)
    at = np.zeros(slots + 1, dtype=np.int64)
    value = np.zeros(slots + 1, dtype=np.int64)
    value[0] = base_value
    nodes, level, root_bound = 0, 0, _NOTHING
    while level >= 0:
        need = slots - level
        # The bound: the best remaining features that fit.
        bound, count, first, q = value[level], 0, -1, at[level]
        while q < m and count < need:
            if banned_at[kind[q]] < 0 and _has_room(row_list, q, row_count[q], left_room):
                if first < 0:
                    first = q
                bound += gain[q]
                count += 1
            q += 1
        nodes += 1
        if nodes == 1:
            root_bound = bound
        if nodes > node_limit:
            # Open are this node and, on the way up, the later children.
            worst = max(
                bound if count == need else _NOTHING, _open_bound(level, value, gain, picked)
            )
            return False, best, chosen, max(min(worst, root_bound), best), nodes
        if count < need or bound <= best:
            # Nothing better follows: go back to the last choice, and past it.
            for g in range(n_kinds):
                if banned_at[g] == level:
                    banned_at[g] = -1
            level -= 1
            if level >= 0:
                p = picked[level]
                _use(p, -1, row_list, row_count, left_room)
                banned_at[kind[p]] = level
                at[level] = p + 1
            continue
        if need == 1:
            best, picked[level] = bound, first
            copy_into(chosen, base)
            chosen[free[picked[:slots]]] = True
            if best >= stop_at:
                break
            at[level] = m
            continue
        picked[level] = first
        value[level + 1] = value[level] + gain[first]
        _use(first, 1, row_list, row_count, left_room)
        level += 1
        at[level] = first + 1
    return True, best, chosen, best, nodes


@compiled()
def _rows_of(rows: BoolArray, free: IntArray) -> tuple[IntArray, IntArray]:
    """Return the rows of each free feature, filled up with -1, and their number."""
    row_list = np.full((free.size, max(len(rows), 1)), -1, dtype=np.int64)
    row_count = np.zeros(free.size, dtype=np.int64)
    for p in range(free.size):
        for i in range(len(rows)):
            if rows[i, free[p]]:
                row_list[p, row_count[p]] = i
                row_count[p] += 1
    return row_list, row_count


@compiled()
def _classes(row_list: IntArray, row_count: IntArray) -> tuple[IntArray, int]:
    """Return the class of features in the same rows, and the number of classes."""
    kind = np.full(len(row_count), -1, dtype=np.int64)
    n_kinds = 0
    for p in range(len(row_count)):
        for q in range(p):
            if row_count[q] == row_count[p]:
                same = True
                for i in range(row_count[p]):
                    if row_list[q, i] != row_list[p, i]:
                        same = False
                        break
                if same:
                    kind[p] = kind[q]
                    break
        if kind[p] < 0:
            kind[p] = n_kinds
            n_kinds += 1
    return kind, n_kinds


@compiled()
def _open_bound(level: int, value: IntArray, gain: IntArray, picked: IntArray) -> int:
    """Return the largest bound of the later children on the way up."""
    worst, slots = _NOTHING, len(value) - 1
    for back in range(level):
        start, end = picked[back] + 1, picked[back] + 1 + slots - back
        if end <= gain.size:
            worst = max(worst, value[back] + gain[start:end].sum())
    return worst


@compiled(inline="always")
def _use(p: int, by: int, row_list: IntArray, row_count: IntArray, left_room: IntArray) -> None:
    """Count feature p in its rows, or undo it."""
    for i in range(row_count[p]):
        left_room[row_list[p, i]] -= by


@compiled()
def first_best_subset(
    weights: IntArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    value: int,
    witness: BoolArray,
    node_limit: int,
) -> tuple[BoolArray, int]:
    """Return the lexicographically first of the sets of the best value, and nodes.

    `witness` is one of them. For each feature in index order the question is whether a set
    of this value holds it and all features decided before. At the limit the best answer so far
    is returned. The rule is that of `first_optimum`. It is compiled here because sequential
    search applies it after every set.
    """
    n = weights.size
    fixed = np.zeros(n, dtype=np.int8)
    ordered = np.sort(weights)[::-1]
    top = ordered[:n_features].sum()
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
        if top - max(last - weights[j], 0) < value:
            fixed[j] = -1
            continue
        fixed[j] = 1
        complete, _, better, _, more = best_subset(
            weights, rows, room, n_features, fixed, value - 1, value, node_limit - nodes
        )  # fmt: skip
        nodes += more
        if not complete:
            return chosen, nodes
        if better.any():
            chosen = better
            taken += 1
        else:
            fixed[j] = -1
    return chosen, nodes
