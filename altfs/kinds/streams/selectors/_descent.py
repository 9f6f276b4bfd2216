"""Compiled coordinate descent for a square with an absolute penalty."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray


@compiled(error_model="numpy")
def minimum(
    H: FloatArray, gradient: FloatArray, start: FloatArray, penalties: FloatArray, rounds: int
) -> FloatArray:
    """Return the w with the smallest ``g.(w - s) + (w - s).H.(w - s) / 2 + sum p |w|``.

    `start` is s. Coordinates that cannot change the square stay where they are.
    """
    w = start.copy()
    slope = gradient.copy()
    for _ in range(rounds):
        largest = 0.0
        for j in range(len(w)):
            curve = H[j, j]
            if curve <= 0.0:
                continue
            target = curve * w[j] - slope[j]
            size = abs(target) - penalties[j]
            new = 0.0
            if size > 0.0:
                new = size / curve if target > 0.0 else -size / curve
            step = new - w[j]
            if step != 0.0:
                w[j] = new
                for i in range(len(w)):
                    slope[i] += step * H[i, j]
                largest = max(largest, abs(step) * np.sqrt(curve))
        if largest < 1e-13:
            break
    return w
