"""Lower bounds of the values of policies that may use some actions only, compiled."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray
from altfs.kinds.acquisition.methods._policy_values import refined, stopped


@compiled()
def least_values(
    codes: IntArray, sizes: IntArray, starts: IntArray, stops: FloatArray, y: IntArray,
    loss: FloatArray, charges: FloatArray, sets: IntArray,
) -> FloatArray:  # fmt: skip
    """Return a lower bound of the value of each set of actions, summed over the rows.

    A policy stops at once, or pays for an action at least and knows no more than all of them
    tell.

    Parameters
    ----------
    codes : ndarray of int of shape (n_actions, n_rows)
    sizes : ndarray of int of shape (n_actions,)
        The number of codes of each action.
    starts : ndarray of int of shape (n_rows,)
        The cell of each row before the first action.
    stops : ndarray of shape (n_starts,)
        What stopping risks in each of these cells, summed over its rows.
    y : ndarray of int of shape (n_rows,)
    loss : ndarray of shape (n_classes, n_classes)
    charges : ndarray of shape (n_actions,)
        The price of each action for a row.
    sets : ndarray of int of shape (n_sets, width)
        Actions, with -1 in free places.
    """
    n, n_starts = len(y), len(stops)
    largest = 1
    for a in range(len(sizes)):
        largest = max(largest, sizes[a])
    seen = np.empty(max(n, n_starts) * largest, dtype=np.int64)
    cells, other, start = np.empty_like(y), np.empty_like(y), np.empty_like(y)
    counts, held, totals = np.empty((n, len(loss))), np.empty(n), np.empty(n)
    risks, rows = np.empty(n_starts), np.zeros(n_starts)
    for r in range(n):
        rows[starts[r]] += 1
    result = np.zeros(len(sets))
    for s in range(len(sets)):
        n_cells, charge = n_starts, np.inf
        for r in range(n):
            cells[r] = starts[r]
        for a in sets[s]:
            if a >= 0:
                n_cells = refined(cells, n_cells, codes[a], sizes[a], seen, other)
                cells, other = other, cells
                charge = min(charge, charges[a])
        stopped(cells, n_cells, y, loss, 0.0, counts, held, totals)
        for r in range(n):
            start[cells[r]] = starts[r]
        for g in range(n_starts):
            risks[g] = 0
        for i in range(n_cells):
            risks[start[i]] += totals[i]
        for g in range(n_starts):
            result[s] += min(stops[g], risks[g] + rows[g] * charge)
    return result
