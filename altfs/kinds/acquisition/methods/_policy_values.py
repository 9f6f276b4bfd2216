"""The values of optimal policies on coded rows, compiled."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray


@compiled()
def refined(
    cells: IntArray, n_cells: int, codes: IntArray, size: int, seen: IntArray, result: IntArray
) -> int:
    """Divide cells of rows by the codes of a feature; return their number."""
    for i in range(n_cells * size):
        seen[i] = -1
    n = 0
    for r in range(len(cells)):
        key = cells[r] * size + codes[r]
        if seen[key] < 0:
            seen[key] = n
            n += 1
        result[r] = seen[key]
    return n


@compiled()
def stopped(
    cells: IntArray, n_cells: int, y: IntArray, loss: FloatArray, alpha: float,
    counts: FloatArray, rows: FloatArray, totals: FloatArray,
) -> None:  # fmt: skip
    """Sum up, over the rows of each cell, the risk of the best answer; count rows and classes."""
    n_classes = len(loss)
    for i in range(n_cells):
        for c in range(n_classes):
            counts[i, c] = 0
        rows[i] = 0
    for r in range(len(cells)):
        counts[cells[r], y[r]] += 1
        rows[cells[r]] += 1
    for i in range(n_cells):
        best = np.inf
        for a in range(n_classes):
            risk = 0.0
            for c in range(n_classes):
                risk += (counts[i, c] + alpha) * loss[c, a]
            best = min(best, risk)
        # Without alpha all numbers are whole.
        totals[i] = best if alpha == 0 else best * rows[i] / (rows[i] + alpha * n_classes)


@compiled()
def place(chosen: IntArray, k: int, further: int, binomials: IntArray) -> int:
    """Return the place of a set and a further feature among all sets of this size."""
    at, i, before = 0, 0, True
    for s in range(k):
        if before and chosen[s] > further:
            at += binomials[further, i + 1]
            i += 1
            before = False
        at += binomials[chosen[s], i + 1]
        i += 1
    return at + binomials[further, i + 1] if before else at


@compiled()
def policy_values(
    codes: IntArray, sizes: IntArray, y: IntArray, loss: FloatArray, alpha: float,
    charges: FloatArray, costs: FloatArray, left: float, most: int, min_rows: int,
) -> tuple[float, FloatArray, int]:  # fmt: skip
    """Return the value of stopping, and of each action, for rows that are one cell.

    A state is a set of features and a cell: the rows that are equal on them. From large sets to
    small ones, a cell has the sum over its rows of the least of: the risk of the best answer,
    and for each further feature its charges and the sums of the cells into which it divides the
    rows. Sums are stored at the first row of each cell.

    Parameters
    ----------
    codes : ndarray of int of shape (n_actions, n_rows)
    sizes : ndarray of int of shape (n_actions,)
        The number of codes of each action.
    y : ndarray of int of shape (n_rows,)
    loss : ndarray of shape (n_classes, n_classes)
    alpha : float
    charges : ndarray of shape (n_actions,)
        The price of each action for a row.
    costs : ndarray of shape (n_actions,)
    left : float
        The most that a row may cost.
    most, min_rows : int
        The largest number of actions, and the fewest rows of a cell that goes on.

    Returns
    -------
    stop : float
    values : ndarray of shape (n_actions,)
        Infinite for actions that are not possible.
    n_states : int
    """
    m, n = codes.shape
    binomials = np.zeros((m + 1, most + 2), dtype=np.int64)
    for i in range(m + 1):
        binomials[i, 0] = 1
        for k in range(1, most + 2):
            if i > 0:
                binomials[i, k] = binomials[i - 1, k - 1] + binomials[i - 1, k]
    largest = 1
    for a in range(m):
        largest = max(largest, sizes[a])
    seen = np.empty(n * largest, dtype=np.int64)
    cells, other, children = np.zeros_like(y), np.zeros_like(y), np.zeros_like(y)
    counts, below = np.empty((n, len(loss))), np.empty((n, len(loss)))
    totals, sums, best, rows, held = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.zeros(m)
    values, stop, sizes_below = np.empty(m), 0.0, np.empty(n)
    for a in range(m):
        values[a] = np.inf
    stored, n_states = np.zeros((1, n)), 0
    for k in range(max(most - 1, 0), -1, -1):
        current = np.zeros((binomials[m, k] if k else 1, n))
        chosen = np.arange(k)
        for s in range(len(current)):
            spent, n_cells = 0.0, 1
            for r in range(n):
                cells[r] = 0
            for i in range(k):
                a = chosen[i]
                held[a] = 1
                spent += costs[a]
                n_cells = refined(cells, n_cells, codes[a], sizes[a], seen, other)
                cells, other = other, cells
            if spent <= left:
                n_states += n_cells
                stopped(cells, n_cells, y, loss, alpha, counts, rows, totals)
                going = False
                for i in range(n_cells):
                    best[i] = totals[i]
                    going |= rows[i] >= min_rows and totals[i] > 0
                for a in range(m):
                    if held[a] or not most or spent + costs[a] > left:
                        continue
                    if not (going or not k or k == most - 1):
                        continue
                    for i in range(n_cells):
                        sums[i] = 0
                    if k == most - 1:
                        n_children = refined(cells, n_cells, codes[a], sizes[a], seen, children)
                        if not k or a > chosen[k - 1]:
                            n_states += n_children
                        stopped(children, n_children, y, loss, alpha, below, sizes_below, stored[0])
                        new = 0
                        for r in range(n):
                            if children[r] == new:
                                sums[cells[r]] += stored[0, new]
                                new += 1
                    else:
                        at = place(chosen, k, a, binomials)
                        for r in range(n):
                            sums[cells[r]] += stored[at, r]
                    for i in range(n_cells):
                        if rows[i] >= min_rows:
                            value = sums[i] + rows[i] * charges[a]
                            best[i] = min(best[i], value)
                            if not k:
                                values[a] = value
                new = 0
                for r in range(n):
                    if cells[r] == new:
                        current[s, r] = best[new]
                        new += 1
                if not k:
                    stop = totals[0]
            for i in range(k):
                held[chosen[i]] = 0
            # The next set: the first member that can move up does, those before it begin anew.
            i = 0
            while i < k - 1 and chosen[i] + 1 == chosen[i + 1]:
                i += 1
            if k:
                chosen[i] += 1
                for b in range(i):
                    chosen[b] = b
        stored = current
    return stop, values, n_states
