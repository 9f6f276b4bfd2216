"""Families with an evenly good worst set, by exchanging features between sets.

A local search with kicks: it proves nothing, but the closer the known family
is to the optimum of the minimum, the fewer features and patterns a proof has
to look at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit


@njit(cache=True)
def balance(
    weights: npt.NDArray[np.int64],
    member: npt.NDArray[np.bool_],
    max_overlap: int,
    kicks: int,
) -> tuple[int, npt.NDArray[np.bool_]]:
    """Raise the minimum of a family's qualities; no set's size changes.

    Parameters
    ----------
    weights : ndarray of int64 of shape (n,)
    member : ndarray of bool of shape (n_sets, n)
        A valid family.
    max_overlap : int
    kicks : int
        How often to go on from a randomly changed family; the sequence of
        random numbers is always the same.

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
            # The exchange that lifts the worst set most; at a kick, any valid ones.
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
                            fits = True
                            for h in range(T):
                                if h != a and h != b:
                                    change = np.int64(now[h, other]) - np.int64(now[h, j])
                                    if (
                                        overlap[a, h] + change > max_overlap
                                        or overlap[b, h] - change > max_overlap
                                    ):
                                        fits = False
                                        break
                            if fits:
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
                            fits = True
                            for h in range(T):
                                if h != a and h != b:
                                    change = (
                                        np.int64(now[h, into[x]])
                                        + np.int64(now[h, into[y]])
                                        - np.int64(now[h, out_of[x]])
                                        - np.int64(now[h, out_of[y]])
                                    )
                                    if (
                                        overlap[a, h] + change > max_overlap
                                        or overlap[b, h] - change > max_overlap
                                    ):
                                        fits = False
                                        break
                            if fits:
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
                        change = np.int64(now[h, other]) - np.int64(now[h, j])
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
