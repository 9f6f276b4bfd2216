"""What sets can still gain from the features to come: tables for the pattern tree.

They relax a family of t sets to three numbers: open slots, the sum of what is
left to gain, and pairs of sets that may still share a feature.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

IntArray = npt.NDArray[np.int64]

#: Stands for "impossible" in the tables.
IMPOSSIBLE = -(1 << 60)


@njit(cache=True)
def gain_table(weights: IntArray, most_uses: int, slots: int, pairs: int) -> IntArray:
    """The largest sum that fills slots with features, each used at most so often.

    Returns
    -------
    ndarray of int64 of shape (n + 1, slots + 1, pairs + 1)
        Entry (j, s, p): features j and later fill exactly s slots; a feature
        used m times uses up m (m - 1) / 2 of at most p pairs.
    """
    n = weights.size
    table = np.full((n + 1, slots + 1, pairs + 1), IMPOSSIBLE, dtype=np.int64)
    table[n, 0, :] = 0
    for j in range(n - 1, -1, -1):
        # With descending weights the features from j on fill no more than this.
        reach = min(slots, (n - j) * most_uses)
        for s in range(reach + 1):
            for p in range(pairs + 1):
                best = table[j + 1, s, p]
                for m in range(1, min(most_uses, s) + 1):
                    used = m * (m - 1) // 2
                    if used > p:
                        break
                    value = table[j + 1, s - m, p - used] + m * weights[j]
                    if value > best:
                        best = value
                table[j, s, p] = best
    return table
