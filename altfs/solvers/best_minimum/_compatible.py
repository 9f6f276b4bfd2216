"""The features that a set of the pattern tree can still take, given conflicts.

Sets of features are bits in words of 64.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import Bits, BoolArray, IntArray
from altfs.solvers.best_minimum._gains import IMPOSSIBLE

_ONE = np.uint64(1)


@compiled()
def compatible_words(graph: BoolArray) -> Bits:
    """Return rows of bits: row j holds the features that can be in a set with feature j."""
    n = graph.shape[0]
    apart = np.zeros((n, (n + 63) // 64), dtype=np.uint64)
    for j in range(n):
        for g in range(n):
            if not graph[j, g] and g != j:
                apart[j, g >> 6] |= _ONE << np.uint64(g & 63)
    return apart


@compiled()
def allowed_at_first(
    apart: Bits, graph: BoolArray, inside: IntArray, n_sets: int
) -> tuple[bool, Bits]:
    """Check that the duties of each set go together, and return the other features it can take."""
    n, words = apart.shape
    allowed = np.zeros((n_sets, words), dtype=np.uint64)
    for b in range(n_sets):
        for j in range(n):
            allowed[b, j >> 6] |= _ONE << np.uint64(j & 63)
        for j in range(n):
            if (inside[j] >> b) & 1:
                for g in range(j):
                    if (inside[g] >> b) & 1 and graph[j, g]:
                        return False, allowed
                for w in range(words):
                    allowed[b, w] &= apart[j, w]
    return True, allowed


@compiled()
def reachable_gain(
    weights: IntArray, allowed: Bits, apart: Bits, j: int, takes: bool, slots: int
) -> int:
    """Return the most that features after j add to a set.

    Conflicts count with the features of the set, and with j if the set takes it. The
    result is `IMPOSSIBLE` if there are too few such features.
    """
    n = weights.size
    gain = 0
    g = j + 1
    while slots > 0 and g < n:
        word = allowed[g >> 6]
        if takes:
            word &= apart[j, g >> 6]
        word >>= np.uint64(g & 63)
        if word == 0:
            g = ((g >> 6) + 1) << 6
            continue
        if word & _ONE:
            gain += weights[g]
            slots -= 1
        g += 1
    return IMPOSSIBLE if slots > 0 else gain
