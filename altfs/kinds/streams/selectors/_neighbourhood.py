"""Compiled dependency on the target: the share of a row's neighbours that are of its class."""

from __future__ import annotations

from heapq import heapify, heappop
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray

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
    keys = (squares.view(np.int64) + (1 << (_BITS - 1))) >> _BITS
    total = 0.0
    for i in range(n):
        others = np.delete(squares[i], i)
        widest = _GAPS * (np.sqrt(others.max()) - np.sqrt(others.min())) / (n - 2)
        heap = [(keys[i, j], j) for j in range(n) if j != i]
        heapify(heap)
        number, same, before, last = 0, 0, 0.0, np.int64(-1)
        while heap:
            key, j = heappop(heap)
            distance = before if key == last else np.sqrt(squares[i, j])
            if number > 0:
                if by_density:
                    # The distance per neighbour increases.
                    if distance * number > before * (number + 1) * _SURELY:
                        break
                elif not (distance - before) * _SURELY < widest:
                    break
            number += 1
            same += classes[j] == classes[i]
            before, last = distance, key
        total += same / number
    return float(total / n)
