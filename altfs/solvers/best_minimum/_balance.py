"""Families with a better worst set, by exchanges of features between sets.

A local search with kicks, which proves nothing. The closer the known family is to the
optimum of the minimum, the fewer features and patterns a proof has to look at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, IntArray
from altfs.solvers.listed.bits import draw, next_random


@compiled()
def _change(now: BoolArray, h: int, j: int, other: int) -> Any:
    """Return the additional overlap of a set with set h, if it takes `other` in place of j."""
    return np.int64(now[h, other]) - np.int64(now[h, j])


@compiled()
def _fits(
    now: BoolArray, overlap: IntArray, a: int, b: int, j: int, other: int, j2: int, other2: int,
    max_overlap: int,
) -> bool:  # fmt: skip
    """Return True if sets a and b may exchange j for `other`, and j2 for `other2`.

    With j2 equal to `other2` that is one exchange.
    """
    for h in range(len(now)):
        if h != a and h != b:
            change = _change(now, h, j, other) + _change(now, h, j2, other2)
            if overlap[a, h] + change > max_overlap or overlap[b, h] - change > max_overlap:
                return False
    return True


@compiled()
def _best_exchange(
    now: BoolArray, overlap: IntArray, weights: IntArray, quality: IntArray, a: int,
    max_overlap: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Return the exchange that lifts the worst set most.

    The numbers are a set, the feature that set a gives to it, and the one that it takes. The
    other two are a further exchange, or -1. All are -1 if no exchange lifts set a.
    """
    T, n = now.shape
    best = (-1, -1, -1, -1, -1)
    lifted = quality[a]
    for b in range(T):
        for j in range(n):
            if b == a or not now[a, j] or now[b, j]:
                continue
            for other in range(n):
                gain = weights[other] - weights[j]
                if gain <= 0 or not now[b, other] or now[a, other]:
                    continue
                after = min(quality[a] + gain, quality[b] - gain)
                if after > lifted and _fits(now, overlap, a, b, j, other, j, j, max_overlap):
                    lifted, best = after, (b, j, other, -1, -1)
    if best[0] >= 0:
        return best
    # Two exchanges at once between the worst set and another one.
    out_of, into = np.zeros(n * n, dtype=np.int64), np.zeros(n * n, dtype=np.int64)
    for b in range(T):
        count = 0
        for j in range(n):
            for other in range(n):
                if b != a and now[a, j] and now[b, other] and not now[b, j] and not now[a, other]:
                    out_of[count], into[count] = j, other
                    count += 1
        for x in range(count):
            j, other = out_of[x], into[x]
            for y in range(x + 1, count):
                j2, other2 = out_of[y], into[y]
                gain = weights[other] - weights[j] + weights[other2] - weights[j2]
                after = min(quality[a] + gain, quality[b] - gain)
                if gain <= 0 or after <= lifted or j == j2 or other == other2:
                    continue
                if _fits(now, overlap, a, b, j, other, j2, other2, max_overlap):
                    lifted, best = after, (b, j, other, j2, other2)
    return best


@compiled()
def balance(
    weights: IntArray,
    member: BoolArray,
    max_overlap: int,
    kicks: int,
) -> tuple[int, BoolArray]:
    """Raise the minimum of the qualities of a valid family, without changing sizes.

    Returns the best minimum found and its family. `kicks` is the number of restarts from a
    randomly changed family. The sequence of random numbers is always the same.
    """
    T, n = member.shape
    now = member.copy()
    best = member.copy()
    state = np.uint64(88172645463325252)
    quality = np.zeros(T, dtype=np.int64)
    overlap = np.zeros((T, T), dtype=np.int64)
    for i in range(T):
        for j in range(n):
            if now[i, j]:
                quality[i] += weights[j]
                for h in range(T):
                    if now[h, j]:
                        overlap[i, h] += 1
    best_value = int(quality.min())
    for kick in range(kicks + 1):
        stuck = 0
        while True:
            # The exchange that lifts the worst set most, or any valid ones at a kick.
            random = stuck < 3 and kick > 0
            a, b, j, other, j2, other2 = int(np.argmin(quality)), -1, -1, -1, -1, -1
            if random:
                stuck += 1
                for _ in range(40):
                    state = next_random(state)
                    a, h = draw(state, 0, T), draw(state, 8, T)
                    x, y = draw(state, 16, n), draw(state, 32, n)
                    valid = h != a and now[a, x] and now[h, y] and not now[h, x] and not now[a, y]
                    if valid and _fits(now, overlap, a, h, x, y, x, x, max_overlap):
                        b, j, other = h, x, y
                        break
            else:
                b, j, other, j2, other2 = _best_exchange(
                    now, overlap, weights, quality, a, max_overlap
                )
            if b < 0 and random:
                continue
            if b < 0:
                break
            for out, new in ((j, other), (j2, other2)):
                if out < 0:
                    break
                for h in range(T):
                    if h != a and h != b:
                        change = _change(now, h, out, new)
                        overlap[a, h] += change
                        overlap[h, a] += change
                        overlap[b, h] -= change
                        overlap[h, b] -= change
                now[a, out], now[a, new] = False, True
                now[b, new], now[b, out] = False, True
                quality[a] += weights[new] - weights[out]
                quality[b] -= weights[new] - weights[out]
        if quality.min() > best_value:
            best_value = int(quality.min())
            copy_into(best, now)
    return best_value, best
