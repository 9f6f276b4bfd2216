"""Better families by simulated annealing over all sets at once.

A step swaps a feature of one set for one that is not in it. If the set then shares too
much with one other set, the two exchange these features instead. The random numbers are a
fixed sequence, so a walk can be repeated.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.solvers.pair_costs._listing import Numbers, Rows

# Steps that only measure how much a step changes, and the last temperature relative to that.
_LOOKS = 1_000
_COLD = 0.003


@compiled()
def _next_random(state: Any) -> Any:
    """Return the word that follows in a fixed sequence of random ones (xorshift)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@compiled()
def _draw(state: Any, shift: int, number: int) -> Any:
    """Return a number from 0 to below `number`, from the bits of a random word."""
    return np.int64((state >> np.uint64(shift)) % np.uint64(number))


@compiled()
def _worth(gain: float, cost: float, root: bool) -> float:
    return gain / np.sqrt(cost) if root else gain - cost


@compiled()
def walk(
    sets: IntArray, numbers: Numbers, root: bool, limits: Rows, max_overlap: int, steps: int,
    seed: int,
) -> tuple[IntArray, float]:  # fmt: skip
    """Return the best family that a walk finds, and its value up to rounding.

    Parameters
    ----------
    sets : ndarray of int64 of shape (n_sets, n_features)
        A family that is allowed.
    numbers : Numbers
        In floats.
    root : bool
        True if a set is worth gain / sqrt(cost), False if gain - cost.
    limits : Rows
    max_overlap, steps, seed : int
    """
    gains, costs = numbers.gains, numbers.costs
    rows, room = limits.rows, limits.room
    T, k = sets.shape
    n = gains.size
    sets = sets.copy()
    inside, shared, gain, cost = _sums(sets, numbers)
    used, overlap = _counts(sets, inside, rows)
    worth = np.zeros(T)
    for t in range(T):
        worth[t] = _worth(gain[t], cost[t], root)
    value = worth.sum()
    best_value, best = value, sets.copy()
    state = np.uint64(seed) * np.uint64(2654435761) + np.uint64(88172645463325252)
    looked, seen = 0.0, 0
    heat, cooling = 0.0, 1.0
    new_gain, new_cost, new_worth = np.zeros(2), np.zeros(2), np.zeros(2)
    for step in range(_LOOKS + steps):
        if step == _LOOKS:
            heat = looked / max(seen, 1)
            cooling = _COLD ** (1.0 / max(steps, 1))
        heat *= cooling
        state = _next_random(state)
        i, p, f = _draw(state, 0, T), _draw(state, 8, k), _draw(state, 20, n)
        if inside[i, f]:
            continue
        chance = (np.int64((state >> np.uint64(33)) & np.uint64(0x3FFFFFFF)) + 1) / 2.0**30
        o = sets[i, p]
        many, other = _partner(i, o, f, inside, overlap, max_overlap)
        if many > 1 or not _has_room(i, other, o, f, rows, room, used):
            continue
        change = 0.0
        for s in range(1 + many):
            x, out, into = (i, o, f) if s == 0 else (other, f, o)
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
            x, out, into = (i, o, f) if s == 0 else (other, f, o)
            gain[x], cost[x], worth[x] = new_gain[s], new_cost[s], new_worth[s]
            _swap(x, out, into, sets, inside, overlap)
            for j in range(n):
                shared[x, j] += costs[j, into] * (j != into) - costs[j, out] * (j != out)
            for r in range(room.size):
                used[x, r] += np.int64(rows[r, into]) - np.int64(rows[r, out])
        value += change
        if value > best_value:
            best_value = value
            copy_into(best, sets)
    return best, best_value


@compiled()
def _sums(sets: IntArray, numbers: Numbers) -> tuple[BoolArray, FloatArray, FloatArray, FloatArray]:
    """Return what each set holds, the costs of each feature with it, and its gain and cost."""
    gains, costs = numbers.gains, numbers.costs
    T, n = sets.shape[0], gains.size
    inside = np.zeros((T, n), dtype=np.bool_)
    shared = np.zeros((T, n))
    gain, cost = np.full(T, numbers.base_gain), np.full(T, numbers.base_cost)
    for t in range(T):
        for f in sets[t]:
            inside[t, f] = True
            gain[t] += gains[f]
            cost[t] += costs[f, f] + shared[t, f]
            for j in range(n):
                if j != f:
                    shared[t, j] += costs[j, f]
    return inside, shared, gain, cost


@compiled()
def _counts(sets: IntArray, inside: BoolArray, rows: BoolArray) -> tuple[IntArray, IntArray]:
    """Return how many features of each row each set holds, and the overlaps of sets."""
    T = len(sets)
    used = np.zeros((T, len(rows)), dtype=np.int64)
    overlap = np.zeros((T, T), dtype=np.int64)
    for t in range(T):
        for f in sets[t]:
            for r in range(len(rows)):
                used[t, r] += rows[r, f]
            for h in range(T):
                if h != t:
                    overlap[t, h] += inside[h, f]
    return used, overlap


@compiled(inline="always")
def _partner(
    i: int, o: int, f: int, inside: BoolArray, overlap: IntArray, max_overlap: int
) -> tuple[int, int]:
    """Return the number of sets that share too much with set i if it takes f in place of o.

    If it is one that can take o in place of f, this set is returned, too. Of more sets, or if
    it cannot, the number is more than 1.
    """
    other, many = -1, 0
    for h in range(len(inside)):
        if h != i and overlap[i, h] + inside[h, f] - inside[h, o] > max_overlap:
            other = h
            many += 1
    if many == 1:
        if not inside[other, f] or inside[other, o]:
            many = 2
        for h in range(len(inside)):
            if many == 1 and h != i and h != other:
                more = np.int64(inside[h, f]) - np.int64(inside[h, o])
                if overlap[i, h] + more > max_overlap or overlap[other, h] - more > max_overlap:
                    many = 2
    return many, other


@compiled(inline="always")
def _has_room(
    i: int, other: int, o: int, f: int, rows: BoolArray, room: IntArray, used: IntArray
) -> bool:
    """Return True if the rows have room for f in set i, and for o in the other one, if any."""
    for r in range(room.size):
        more = np.int64(rows[r, f]) - np.int64(rows[r, o])
        if used[i, r] + more > room[r] or (other >= 0 and used[other, r] - more > room[r]):
            return False
    return True


@compiled(inline="always")
def _swap(
    x: int, out: int, into: int, sets: IntArray, inside: BoolArray, overlap: IntArray
) -> None:
    """Exchange a feature of set x."""
    for h in range(len(sets)):
        if h != x:
            overlap[x, h] += np.int64(inside[h, into]) - np.int64(inside[h, out])
            overlap[h, x] = overlap[x, h]
    inside[x, out], inside[x, into] = False, True
    for q in range(sets.shape[1]):
        if sets[x, q] == out:
            sets[x, q] = into
