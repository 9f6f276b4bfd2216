"""Compiled dependency on the target: the share of a row's neighbours that are of its class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray
from altfs.kinds.streams.selectors._heap import sift

Integers = npt.NDArray[Any]

# Squared distances are compared without their last bits, so that ties do not depend on rounding.
_BITS = 12
_SURELY = 1 + 1e-12
# Neighbours of A3M are closer to each other than this many mean gaps.
_GAPS = 1.5


@compiled(error_model="numpy")
def dependency(squares: FloatArray, classes: Integers, by_density: bool) -> float:
    """Return the mean share of the neighbours of a row that are of its class.

    Neighbours follow each other `by_density` while the distance per neighbour does not increase
    (OFS-Density), else while gaps are small (OFS-A3M). Of equal distances, the lower row is nearer.
    """
    n = squares.shape[0]
    if n < 2:
        return 0.0
    # Floats from 0 are in the order of their bits.
    keys_of = (squares.view(np.int64) + (1 << (_BITS - 1))) >> _BITS
    heap = np.empty(n - 1, dtype=np.int64)
    total = 0.0
    for i in range(n):
        size, keys = 0, keys_of[i]
        least, most = np.inf, 0.0
        for j in range(n):
            if j != i:
                least, most = min(least, squares[i, j]), max(most, squares[i, j])
                heap[size] = j
                size += 1
        for start in range(size // 2 - 1, -1, -1):
            sift(heap, keys, start, size)
        widest = 0.0
        if n > 2:
            widest = _GAPS * (np.sqrt(most) - np.sqrt(least)) / (n - 2)
        number, same, before, last = 0, 0, 0.0, np.int64(-1)
        while size > 0:
            j = heap[0]
            distance = before if keys[j] == last else np.sqrt(squares[i, j])
            if number > 0:
                if by_density:
                    # The distance per neighbour increases.
                    if distance * number > before * (number + 1) * _SURELY:
                        break
                elif not (distance - before) * _SURELY < widest:
                    break
            number += 1
            same += classes[j] == classes[i]
            before, last = distance, keys[j]
            size -= 1
            heap[0] = heap[size]
            sift(heap, keys, 0, size)
        total += same / number
    return float(total / n)
