"""Bounds of the gains of sets of the pattern tree from later features.

The tables of gains relax a family of t sets to three numbers: open slots, the sum that is
left to gain, and pairs of sets that may still share a feature. The tables of sums are for
one set and the last features. If the known family is close to the best sum, the quality of
every set has to fall into a narrow window. Near the leaves it often contains no sum.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import IntArray


@compiled()
def tail_sums(weights: IntArray, start: int, n_features: int) -> tuple[IntArray, IntArray]:
    """Return every sum of some of the features from `start` on, and where to find them.

    `sums` ascend for each (j, s): the sums of s of the features j, j + 1, ... `offsets` has
    the shape (n - start + 1, n_features + 2), the start of the sums of (start + j, s). Those
    of s + 1 follow.
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


@compiled()
def has_sum(sums: IntArray, start: int, end: int, least: int, most: int) -> bool:
    """Return True if a sum between `start` and `end` lies between `least` and `most`."""
    stop = end
    while start < stop:
        middle = (start + stop) >> 1
        if sums[middle] < least:
            start = middle + 1
        else:
            stop = middle
    return start < end and sums[start] <= most
