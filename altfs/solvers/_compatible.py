"""Features that exclude each other, for the pattern tree: what a set can still take.

Sets of features are bits in words of 64.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs.solvers._gains import IMPOSSIBLE

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
WordArray = npt.NDArray[np.uint64]

_ONE = np.uint64(1)


@njit(cache=True)
def compatible_words(graph: BoolArray) -> WordArray:
    """Row j holds the features that can be in a set with feature j."""
    n = graph.shape[0]
    apart = np.zeros((n, (n + 63) // 64), dtype=np.uint64)
    for j in range(n):
        for g in range(n):
            if not graph[j, g] and g != j:
                apart[j, g >> 6] |= _ONE << np.uint64(g & 63)
    return apart


@njit(cache=True)
def allowed_at_first(
    apart: WordArray, graph: BoolArray, inside: IntArray, n_sets: int
) -> tuple[bool, WordArray]:
    """Whether what the sets have to hold goes together, and what each can take besides."""
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


@njit(cache=True)
def reachable_gain(
    weights: IntArray, allowed: WordArray, apart: WordArray, j: int, takes: bool, slots: int
) -> int:
    """The most that so many features after j add to a set, `IMPOSSIBLE` if there are fewer.

    Only the pairs with what the set holds count, and those with j if it takes that.
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
