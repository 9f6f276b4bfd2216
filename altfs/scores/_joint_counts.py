"""Counts of pairs of levels, compiled."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray


@compiled(nogil=True)
def sums_of_pairs(
    levels: IntArray, first: IntArray, second: IntArray, worth: FloatArray
) -> FloatArray:
    """Return the sum of the worths of the joint counts of pairs of columns.

    `levels` has a column of the table in each row: whole numbers from 0.
    """
    sums = np.zeros(len(first))
    sizes = np.zeros(len(levels), dtype=np.int64)
    for j in range(len(levels)):
        sizes[j] = levels[j].max() + 1
    for p in range(len(first)):
        a, b = levels[first[p]], levels[second[p]]
        step = sizes[second[p]]
        counts = np.zeros(sizes[first[p]] * step, dtype=np.int64)
        for i in range(levels.shape[1]):
            counts[a[i] * step + b[i]] += 1
        total = 0.0
        for count in counts:
            total += worth[count]
        sums[p] = total
    return sums
