"""Families with a better worst set, by exchanges of features between sets.

A local search, which proves nothing. The closer its family is to the optimum of the minimum,
the fewer features and patterns a proof has to look at.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray


@compiled()
def balance(weights: IntArray, member: BoolArray, max_overlap: int) -> BoolArray:
    """Raise the smallest quality of the sets of a family, as far as exchanges lead."""
    member = member.copy()
    T, n = member.shape
    while True:
        quality, overlap = np.zeros(T, dtype=np.int64), np.zeros((T, T), dtype=np.int64)
        for i in range(T):
            for j in range(n):
                if member[i, j]:
                    quality[i] += weights[j]
                    for h in range(T):
                        overlap[i, h] += member[h, j]
        a = int(np.argmin(quality))
        b, leaving, entering = _best_exchange(member, overlap, weights, quality, a, max_overlap)
        if b < 0:
            return member
        for p in range(len(leaving)):
            j, other = leaving[p], entering[p]
            member[a, j], member[a, other] = False, True
            member[b, other], member[b, j] = False, True


@compiled()
def _best_exchange(
    member: BoolArray, overlap: IntArray, weights: IntArray, quality: IntArray, a: int,
    max_overlap: int,
) -> tuple[int, IntArray, IntArray]:  # fmt: skip
    """Return the exchange that lifts set a most: a set, and what set a gives and takes.

    One or two features leave set a. The other set is -1 if no exchange lifts set a.
    """
    best_set, leaving, entering = -1, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    lifted = quality[a]
    for b in range(len(member)):
        # Features that only one of the two sets holds.
        gives = np.flatnonzero(member[a] & ~member[b])
        takes = np.flatnonzero(member[b] & ~member[a])
        for x in range(len(gives) * len(takes)):
            for y in range(x, len(gives) * len(takes)):
                # Two different exchanges, or one.
                places = np.array([x]) if x == y else np.array([x, y])
                out, into = gives[places // len(takes)], takes[places % len(takes)]
                gain = weights[into].sum() - weights[out].sum()
                after = min(quality[a] + gain, quality[b] - gain)
                if after <= lifted or (x < y and (out[0] == out[1] or into[0] == into[1])):
                    continue
                if _fits(member, overlap, a, b, out, into, max_overlap):
                    lifted, best_set, leaving, entering = after, b, out, into
    return best_set, leaving, entering


@compiled()
def _fits(
    member: BoolArray, overlap: IntArray, a: int, b: int, out: IntArray, into: IntArray,
    max_overlap: int,
) -> bool:  # fmt: skip
    """Return True if the overlaps with other sets allow that a gives `out` to b for `into`."""
    for h in range(len(member)):
        if h != a and h != b:
            change = member[h][into].sum() - member[h][out].sum()
            if overlap[a, h] + change > max_overlap or overlap[b, h] - change > max_overlap:
                return False
    return True
