"""What a set can still gain from the last features: every possible sum.

The closer the known family is to the best sum, the narrower is the window into
which the quality of every set has to fall. Near the leaves of the pattern tree
often none of the sums that are left falls into it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

IntArray = npt.NDArray[np.int64]


@njit(cache=True)
def tail_sums(weights: IntArray, start: int, n_features: int) -> tuple[IntArray, IntArray]:
    """Every sum of some of the features from `start` on.

    Returns
    -------
    sums : ndarray of int64
        Ascending for each (j, s): sums of s of the features j, j + 1, ...
    offsets : ndarray of int64 of shape (n - start + 1, n_features + 2)
        Where the sums of (start + j, s) begin; those of s + 1 follow.
    """
    n = weights.size
    length = n - start
    offsets = np.zeros((length + 1, n_features + 2), dtype=np.int64)
    size = np.zeros(n_features + 1, dtype=np.int64)
    total = 0
    for left in range(length + 1):
        # Binomial coefficients: left features, s of them.
        for s in range(min(left, n_features), 0, -1):
            size[s] += size[s - 1]
        size[0] = 1
        j = length - left
        for s in range(n_features + 1):
            offsets[j, s] = total
            total += size[s]
        offsets[j, n_features + 1] = total
    sums = np.zeros(total, dtype=np.int64)
    for j in range(length - 1, -1, -1):
        w = weights[start + j]
        for s in range(n_features + 1):
            a, a_end = offsets[j + 1, s], offsets[j + 1, s + 1]
            b, b_end = 0, 0
            if s > 0:
                b, b_end = offsets[j + 1, s - 1], offsets[j + 1, s]
            at = offsets[j, s]
            while a < a_end or b < b_end:
                if b >= b_end or (a < a_end and sums[a] <= sums[b] + w):
                    sums[at] = sums[a]
                    a += 1
                else:
                    sums[at] = sums[b] + w
                    b += 1
                at += 1
    return sums, offsets


@njit(cache=True)
def has_sum(sums: IntArray, start: int, end: int, least: int, most: int) -> bool:
    """Whether a sum from `least` to `most` is among those from `start` to `end`."""
    stop = end
    while start < stop:
        middle = (start + stop) >> 1
        if sums[middle] < least:
            start = middle + 1
        else:
            stop = middle
    return start < end and sums[start] <= most
