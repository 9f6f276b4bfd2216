"""Multipliers of rows: the value of holding one more feature of a given set or group."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray


@compiled()
def tune_multipliers(
    weights: IntArray, rows: BoolArray, room: IntArray, n_features: int, rounds: int
) -> IntArray:
    """Tune integer multipliers of the rows such that the bound of the problem is small."""
    n_rows, n = rows.shape
    multipliers = np.zeros(n_rows)
    best = np.zeros(n_rows, dtype=np.int64)
    best_bound = np.inf
    if n_rows == 0:
        return best
    step = 0.0
    for iteration in range(rounds):
        reduced = weights.astype(np.float64)
        bound = 0.0
        for i in range(n_rows):
            bound += multipliers[i] * room[i]
            if multipliers[i] > 0:
                for j in range(n):
                    if rows[i, j]:
                        reduced[j] -= multipliers[i]
        order = np.argsort(-reduced)
        usage = np.zeros(n_rows)
        for p in range(n_features):
            j = order[p]
            bound += reduced[j]
            for i in range(n_rows):
                if rows[i, j]:
                    usage[i] += 1
        if bound < best_bound:
            best_bound = bound
            for i in range(n_rows):
                best[i] = np.int64(np.round(multipliers[i]))
        if iteration == 0:
            spread = reduced[order[0]] - reduced[order[min(n - 1, 2 * n_features)]]
            step = max(spread, 1.0) / 2
        moved = False
        for i in range(n_rows):
            slope = usage[i] - room[i]
            if slope > 0 or multipliers[i] > 0:
                if slope != 0:
                    moved = True
                multipliers[i] = max(0.0, multipliers[i] + step * slope / max(1.0, room[i] * 0.5))
        if not moved:
            break
        step *= 0.85
    return best
