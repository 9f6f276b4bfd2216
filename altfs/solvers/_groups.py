"""Groups of sets as bits, and their state: for the pattern tree.

Set i is bit ``n_sets - 1 - i``, called by its bit in compiled code. The state
of a group is the place in its table of gains (how many slots are open, how
many pairs of sets may still share a feature) and its quality so far.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

IntArray = npt.NDArray[np.int64]


@njit(cache=True)
def group_sizes(n_sets: int) -> tuple[IntArray, IntArray]:
    """How many sets each group has, and its lowest bit."""
    size = np.zeros(1 << n_sets, dtype=np.int64)
    low = np.zeros(1 << n_sets, dtype=np.int64)
    for a in range(1, 1 << n_sets):
        size[a] = size[a >> 1] + (a & 1)
        while (a >> low[a]) & 1 == 0:
            low[a] += 1
    return size, low


@njit(cache=True)
def table_steps(n_sets: int, n_features: int, max_overlap: int) -> tuple[IntArray, IntArray]:
    """How far things are apart in the tables of groups of t sets.

    Returns
    -------
    block : ndarray of int64 of shape (n_sets + 1,)
        From a feature to the next one.
    step : ndarray of int64 of shape (n_sets + 1, n_sets + 1)
        From what is open to what is left when m of t sets have taken a feature.
    """
    block = np.zeros(n_sets + 1, dtype=np.int64)
    step = np.zeros((n_sets + 1, n_sets + 1), dtype=np.int64)
    for t in range(1, n_sets + 1):
        stride = t * (t - 1) // 2 * max_overlap + 1
        block[t] = (t * n_features + 1) * stride
        for m in range(t + 1):
            step[t, m] = m * stride + m * (m - 1) // 2
    return block, step


@njit(cache=True)
def state_at_first(
    weights: IntArray,
    offsets: IntArray,
    inside: IntArray,
    outside: IntArray,
    n_sets: int,
    n_features: int,
    max_overlap: int,
) -> tuple[bool, IntArray, IntArray, int, IntArray, IntArray]:
    """What the sets are before the first feature, with what they have to hold.

    Returns
    -------
    good : bool
        False: they would have to hold too much.
    open_ : ndarray of int64 of shape (n_sets,)
    shared : ndarray of int64 of shape (n_sets, n_sets)
        Entry (b, h), h < b: features that both hold.
    same : int
        The bits that have the same duties as the next higher one.
    place, quality : ndarray of int64 of shape (2 ** n_sets,)
        Of each group.
    """
    n = weights.size
    open_ = np.full(n_sets, n_features, dtype=np.int64)
    shared = np.zeros((n_sets, n_sets), dtype=np.int64)
    same = (1 << (n_sets - 1)) - 1
    for j in range(n):
        for b in range(n_sets):
            open_[b] -= (inside[j] >> b) & 1
            for h in range(b):
                shared[b, h] += (inside[j] >> b) & (inside[j] >> h) & 1
        for duty in (inside[j], outside[j]):
            same &= ~(duty ^ (duty >> 1))
    size, _ = group_sizes(n_sets)
    block, step = table_steps(n_sets, n_features, max_overlap)
    place = np.zeros(1 << n_sets, dtype=np.int64)
    quality = np.zeros(1 << n_sets, dtype=np.int64)
    for a in range(1, 1 << n_sets):
        t = size[a]
        place[a] = offsets[t] + block[t] - 1
        for j in range(n):
            held = size[a & inside[j]]
            place[a] -= step[t, held]
            quality[a] += held * weights[j]
    good = open_.min() >= 0 and shared.max() <= max_overlap
    return good, open_, shared, same, place, quality
