"""Better families by simulated annealing over all sets at once.

A step swaps a feature of one set for one that is not in it. If the set then shares too
much with one other set, the two exchange these features instead. The random numbers are a
fixed sequence, so a walk can be repeated.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.solvers.listed.bits import draw, next_random

# Steps that only measure how much a step changes, and the last temperature relative to that.
_LOOKS = 1_000
_COLD = 0.003


@compiled()
def _worth(gain: float, cost: float, root: bool) -> float:
    return gain / np.sqrt(cost) if root else gain - cost


@compiled()
def walk(
    sets: IntArray,
    gains: FloatArray,
    costs: FloatArray,
    base_gain: float,
    base_cost: float,
    root: bool,
    rows: BoolArray,
    room: IntArray,
    max_overlap: int,
    steps: int,
    seed: int,
) -> tuple[IntArray, float]:
    """Return the best family that a walk finds, and its value up to rounding.

    Parameters
    ----------
    sets : ndarray of int64 of shape (n_sets, n_features)
        A family that is allowed.
    gains, costs, base_gain, base_cost
        As in `Numbers`, in floats.
    root : bool
        True if a set is worth gain / sqrt(cost), False if gain - cost.
    rows, room
        As in `Rows`.
    max_overlap, steps, seed : int
    """
    T, k = sets.shape
    n, n_rows = gains.size, room.size
    sets = sets.copy()
    inside = np.zeros((T, n), dtype=np.bool_)
    # The costs of a feature with the other features of each set.
    shared = np.zeros((T, n))
    gain, cost, worth = np.zeros(T), np.zeros(T), np.zeros(T)
    used = np.zeros((T, n_rows), dtype=np.int64)
    overlap = np.zeros((T, T), dtype=np.int64)
    for t in range(T):
        gain[t], cost[t] = base_gain, base_cost
        for f in sets[t]:
            inside[t, f] = True
            gain[t] += gains[f]
            cost[t] += costs[f, f] + shared[t, f]
            for j in range(n):
                if j != f:
                    shared[t, j] += costs[j, f]
            for r in range(n_rows):
                used[t, r] += rows[r, f]
        worth[t] = _worth(gain[t], cost[t], root)
        for h in range(t):
            for f in sets[t]:
                overlap[t, h] += inside[h, f]
            overlap[h, t] = overlap[t, h]
    value = worth.sum()
    best_value, best = value, sets.copy()
    state = np.uint64(seed) * np.uint64(2654435761) + np.uint64(88172645463325252)
    looked, seen = 0.0, 0
    heat, cooling = 0.0, 1.0
    pair = np.zeros(2, dtype=np.int64)
    new_gain, new_cost, new_worth = np.zeros(2), np.zeros(2), np.zeros(2)
    for step in range(_LOOKS + steps):
        if step == _LOOKS:
            heat = looked / max(seen, 1)
            cooling = _COLD ** (1.0 / max(steps, 1))
        heat *= cooling
        state = next_random(state)
        i, p, f = draw(state, 0, T), draw(state, 8, k), draw(state, 20, n)
        if inside[i, f]:
            continue
        chance = (np.int64((state >> np.uint64(33)) & np.uint64(0x3FFFFFFF)) + 1) / 2.0**30
        o = sets[i, p]
        # The number of sets with which the step leads to too much overlap.
        other, many = -1, 0
        for h in range(T):
            if h != i and overlap[i, h] + inside[h, f] - inside[h, o] > max_overlap:
                other = h
                many += 1
        if many > 1:
            continue
        allowed = True
        if many == 1:
            allowed = inside[other, f] and not inside[other, o]
            for h in range(T):
                if allowed and h != i and h != other:
                    more = np.int64(inside[h, f]) - np.int64(inside[h, o])
                    allowed = (
                        overlap[i, h] + more <= max_overlap
                        and overlap[other, h] - more <= max_overlap
                    )
        for r in range(n_rows):
            more = np.int64(rows[r, f]) - np.int64(rows[r, o])
            allowed = allowed and used[i, r] + more <= room[r]
            if many == 1:
                allowed = allowed and used[other, r] - more <= room[r]
        if not allowed:
            continue
        pair[0], pair[1] = i, other
        change = 0.0
        for s in range(1 + many):
            x = pair[s]
            out, into = (o, f) if s == 0 else (f, o)
            new_gain[s] = gain[x] - gains[out] + gains[into]
            new_cost[s] = (
                cost[x] - costs[out, out] - shared[x, out]
                + costs[into, into] + shared[x, into] - costs[out, into]
            )  # fmt: skip
            new_worth[s] = _worth(new_gain[s], new_cost[s], root)
            change += new_worth[s] - worth[x]
        if step < _LOOKS:
            looked += abs(change)
            seen += 1
            continue
        if change < heat * np.log(chance):
            continue
        for s in range(1 + many):
            x = pair[s]
            out, into = (o, f) if s == 0 else (f, o)
            gain[x], cost[x], worth[x] = new_gain[s], new_cost[s], new_worth[s]
            for h in range(T):
                if h != x:
                    overlap[x, h] += np.int64(inside[h, into]) - np.int64(inside[h, out])
                    overlap[h, x] = overlap[x, h]
            inside[x, out], inside[x, into] = False, True
            for q in range(k):
                if sets[x, q] == out:
                    sets[x, q] = into
            for j in range(n):
                shared[x, j] += costs[j, into] * (j != into) - costs[j, out] * (j != out)
            for r in range(n_rows):
                used[x, r] += np.int64(rows[r, into]) - np.int64(rows[r, out])
        value += change
        if value > best_value:
            best_value = value
            copy_into(best, sets)
    return best, best_value
