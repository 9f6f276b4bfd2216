"""Families with a better worst set, by exchanges of features between sets.

A local search with kicks, which proves nothing. The closer the known family is to the
optimum of the minimum, the fewer features and patterns a proof has to look at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray


@compiled()
def _change(now: BoolArray, h: int, j: int, other: int) -> Any:
    """Return what a set shares more with set h, if it takes `other` in place of j."""
    return np.int64(now[h, other]) - np.int64(now[h, j])


@compiled()
def _fits(
    now: BoolArray, overlap: IntArray, a: Any, b: int, j: int, other: int, j2: int, other2: int,
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
def balance(
    weights: IntArray,
    member: BoolArray,
    max_overlap: int,
    kicks: int,
) -> tuple[int, BoolArray]:
    """Raise the minimum of the qualities of a family, without changing sizes.

    Parameters
    ----------
    weights : ndarray of int64 of shape (n,)
    member : ndarray of bool of shape (n_sets, n)
        A valid family.
    max_overlap : int
    kicks : int
        The number of restarts from a randomly changed family. The sequence of random
        numbers is always the same.

    Returns
    -------
    value : int
        The best minimum found, at least that of `member`.
    member : ndarray of bool of shape (n_sets, n)
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
    best_value = quality.min()
    out_of = np.zeros(n * n, dtype=np.int64)
    into = np.zeros(n * n, dtype=np.int64)
    for kick in range(kicks + 1):
        stuck = 0
        while True:
            # The exchange that lifts the worst set most, or any valid ones at a kick.
            random = stuck < 3 and kick > 0
            a = np.argmin(quality)
            chosen_b, chosen_j, chosen_l = -1, -1, -1
            lifted = quality[a]
            tries = 40 if random else 1
            for _ in range(tries):
                if random:
                    state ^= state << np.uint64(13)
                    state ^= state >> np.uint64(7)
                    state ^= state << np.uint64(17)
                    a = np.int64(state % np.uint64(T))
                    first = np.int64((state >> np.uint64(8)) % np.uint64(T))
                    from_j = np.int64((state >> np.uint64(16)) % np.uint64(n))
                    from_l = np.int64((state >> np.uint64(32)) % np.uint64(n))
                else:
                    first, from_j, from_l = np.int64(0), np.int64(0), np.int64(0)
                for b in range(first, first + 1 if random else T):
                    if b == a:
                        continue
                    for j in range(from_j, from_j + 1 if random else n):
                        if not now[a, j] or now[b, j]:
                            continue
                        for other in range(from_l, from_l + 1 if random else n):
                            if not now[b, other] or now[a, other]:
                                continue
                            gain = weights[other] - weights[j]
                            if not random:
                                if gain <= 0:
                                    continue
                                after = min(quality[a] + gain, quality[b] - gain)
                                if after <= lifted:
                                    continue
                            if _fits(now, overlap, a, b, j, other, j, j, max_overlap):
                                if not random:
                                    lifted = after
                                chosen_b, chosen_j, chosen_l = b, j, other
                if chosen_b >= 0:
                    break
            j2, l2 = -1, -1
            if chosen_b < 0 and not random:
                # Two exchanges at once between the worst set and another one.
                for b in range(T):
                    if b == a:
                        continue
                    count = 0
                    for j in range(n):
                        if now[a, j] and not now[b, j]:
                            for other in range(n):
                                if now[b, other] and not now[a, other]:
                                    out_of[count], into[count] = j, other
                                    count += 1
                    for x in range(count):
                        gain_x = weights[into[x]] - weights[out_of[x]]
                        for y in range(x + 1, count):
                            gain = gain_x + weights[into[y]] - weights[out_of[y]]
                            if gain <= 0:
                                continue
                            after = min(quality[a] + gain, quality[b] - gain)
                            if after <= lifted:
                                continue
                            if out_of[x] == out_of[y] or into[x] == into[y]:
                                continue
                            if _fits(
                                now, overlap, a, b, out_of[x], into[x], out_of[y], into[y],
                                max_overlap,
                            ):  # fmt: skip
                                lifted = after
                                chosen_b = b
                                chosen_j, chosen_l = out_of[x], into[x]
                                j2, l2 = out_of[y], into[y]
            if chosen_b < 0:
                if random:
                    stuck += 1
                    continue
                break
            b = chosen_b
            for part in range(2):
                j, other = (chosen_j, chosen_l) if part == 0 else (j2, l2)
                if j < 0:
                    break
                for h in range(T):
                    if h != a and h != b:
                        change = _change(now, h, j, other)
                        overlap[a, h] += change
                        overlap[h, a] += change
                        overlap[b, h] -= change
                        overlap[h, b] -= change
                now[a, j], now[a, other] = False, True
                now[b, other], now[b, j] = False, True
                quality[a] += weights[other] - weights[j]
                quality[b] -= weights[other] - weights[j]
            if random:
                stuck += 1
        if quality.min() > best_value:
            best_value = quality.min()
            best[:] = now
    return best_value, best
