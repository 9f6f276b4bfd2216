"""Counts of levels that occur together, compiled."""

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


@compiled()
def likelihood_ratio(
    x: IntArray, y: IntArray, strata: IntArray, n_x: int, n_y: int, n_strata: int
) -> float:
    """Return ``2 sum n ln(n / e)`` over all cells, e the number expected in a stratum.

    It is ``2 N`` times the conditional mutual information in nats.
    """
    counts = np.zeros((n_strata, n_x, n_y))
    for i in range(len(x)):
        counts[strata[i], x[i], y[i]] += 1
    total = 0.0
    for table in counts:
        of_x, of_y = table.sum(axis=1), table.sum(axis=0)
        rows = of_x.sum()
        for a in range(n_x):
            for b in range(n_y):
                n = table[a, b]
                if n > 0:
                    total += n * np.log(n * rows / (of_x[a] * of_y[b]))
    return max(2.0 * total, 0.0)
