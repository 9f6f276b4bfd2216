"""The best sums of features that several sets share, by open slots and common features.

Only the number of sets that hold a feature counts. m sets that hold it take m slots, and share
it in m (m - 1) / 2 pairs.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import IntArray

#: Stands for "impossible" in the table.
IMPOSSIBLE = -(1 << 60)


@compiled()
def gain_table(
    weights: IntArray,
    shared: IntArray,
    least: IntArray,
    most: int,
    slots: int,
    pairs: int,
    unit: int = 1,
) -> IntArray:
    """Return the largest sums that fill slots with features.

    Parameters
    ----------
    weights : ndarray of int64 of shape (n,)
    shared : ndarray of int64 of shape (n,)
        What every use of each feature adds: the number of further sets that hold it.
    least : ndarray of int64 of shape (n,)
        The fewest uses of each feature.
    most : int
        The largest number of uses of any feature.
    slots, pairs : int
    unit : int, default=1
        What a pair of uses of the same feature counts.

    Returns
    -------
    table : ndarray of int64 of shape (n + 1, slots + 1, pairs + 1)
        Entry (j, s, p): features j and later fill exactly s slots and share at most p pairs.
        It is around `IMPOSSIBLE` if they cannot.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int64)
    >>> gain_table(np.array([3, 2]), none, none, 2, 3, 1)[0, :, 1].tolist()
    [0, 3, 6, 8]
    """
    n = weights.size
    table = np.full((n + 1, slots + 1, pairs + 1), IMPOSSIBLE, dtype=np.int64)
    table[n, 0, :] = 0
    for j in range(n - 1, -1, -1):
        for s in range(min(slots, (n - j) * most) + 1):
            for p in range(pairs + 1):
                best = table[j, s, p]
                for m in range(least[j], min(most, s) + 1):
                    common = m * (m - 1) // 2 * unit + m * shared[j]
                    if common > p:
                        break
                    best = max(best, table[j + 1, s - m, p - common] + m * weights[j])
                table[j, s, p] = best
    return table
