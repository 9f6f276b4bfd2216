"""The largest entry of the characteristic matrix of two columns (MIC), compiled."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import FloatArray, IntArray


@compiled(nogil=True)
def largest_entry(
    x: IntArray, by_x: IntArray, y: IntArray, by_y: IntArray, exponent: float, clumps: float
) -> float:
    """Return the maximal information coefficient of two columns of ranks.

    Both columns are ranks in which equal values have the same rank; `by_x` and `by_y` are the
    rows in the order of the ranks. Grids have at most ``n_rows**exponent`` cells, and the free
    axis at most `clumps` candidates for each column.
    """
    return max(
        _largest_by_rows(x, by_x, y, by_y, exponent, clumps),
        _largest_by_rows(y, by_y, x, by_x, exponent, clumps),
    )


@compiled(nogil=True)
def _largest_by_rows(
    x: IntArray, by_x: IntArray, y: IntArray, by_y: IntArray, exponent: float, clumps: float
) -> float:
    """Return the largest entry of grids whose rows divide y evenly (ApproxMaxMI)."""
    n = len(x)
    # Powers that are whole numbers can be a little less in floats.
    cells = max(4, int(n**exponent + 1e-9))
    worth = np.zeros(n + 1)
    for count in range(2, n + 1):
        worth[count] = count * np.log(count)
    n_values = 1
    for i in range(1, n):
        n_values += y[by_y[i]] != y[by_y[i - 1]]
    best, row, clump = 0.0, np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for n_rows in range(2, cells // 2 + 1):
        most = cells // n_rows
        used = _even(y, by_y, n_rows, row)
        n_clumps = _clumps(x, by_x, row, clump)
        limit = max(1, int(clumps * most))
        if n_clumps > limit:
            # Of each clump all rows have its number, which orders them as x does.
            n_clumps = _even(clump.copy(), by_x, limit, clump)
        counts = np.zeros((n_clumps + 1, used), dtype=np.int64)
        for i in range(n):
            counts[clump[i] + 1, row[i]] += 1
        for t in range(1, n_clumps + 1):
            for q in range(used):
                counts[t, q] += counts[t - 1, q]
        entropy = worth[n] - worth[counts[n_clumps]].sum()
        best = max(best, _best_columns(counts, worth, entropy, n_rows, most) / n)
        if used == n_values:
            # More rows of the grid would have the same division of y.
            break
    return min(1.0, best)


@compiled(nogil=True)
def _even(values: IntArray, order: IntArray, n_parts: int, part: IntArray) -> int:
    """Divide rows into parts of about equally many; equal values stay together.

    Writes the part of each row and returns the number of parts.
    """
    n = len(values)
    start, current, size, share = 0, 0, 0, n / n_parts
    while start < n:
        end = start
        while end < n and values[order[end]] == values[order[start]]:
            end += 1
        same = end - start
        if size and abs(size + same - share) >= abs(size - share):
            current += 1
            size = 0
            share = (n - start) / (n_parts - current)
        for i in range(start, end):
            part[order[i]] = current
        size += same
        start = end
    return current + 1


@compiled(nogil=True)
def _clumps(x: IntArray, order: IntArray, row: IntArray, clump: IntArray) -> int:
    """Divide rows, in the order of x, into the longest runs that lie in one row of the grid.

    Equal values of x in several rows of the grid are a run of their own. Writes the run of each
    row and returns the number of runs.
    """
    n = len(x)
    start, current, last = 0, -1, -1
    while start < n:
        end, mixed = start, False
        while end < n and x[order[end]] == x[order[start]]:
            mixed |= row[order[end]] != row[order[start]]
            end += 1
        label = -2 if mixed else row[order[start]]
        if mixed or label != last:
            current += 1
        last = label
        for i in range(start, end):
            clump[order[i]] = current
        start = end
    return current + 1


@compiled(nogil=True)
def _best_columns(
    counts: IntArray, worth: FloatArray, entropy: float, n_rows: int, most: int
) -> float:
    """Return the largest normalised information of up to `most` columns (OptimizeXAxis).

    Row t of `counts` has the rows of the data in clumps before t, by row of the grid.
    """
    n_clumps = len(counts) - 1
    total = counts.sum(axis=1)
    # What the clumps from s to t as one column take from the entropy; not positive.
    gain = np.zeros((n_clumps + 1, n_clumps + 1))
    for s in range(n_clumps):
        for t in range(s + 1, n_clumps + 1):
            value = -worth[total[t] - total[s]]
            for q in range(counts.shape[1]):
                value += worth[counts[t, q] - counts[s, q]]
            gain[t, s] = value
    current, before = gain[:, 0].copy(), np.empty(n_clumps + 1)
    best = 0.0
    for n_columns in range(2, min(most, n_clumps) + 1):
        copy_into(before, current)
        for t in range(n_clumps, n_columns - 1, -1):
            largest = before[n_columns - 1] + gain[t, n_columns - 1]
            for s in range(n_columns, t):
                largest = max(largest, before[s] + gain[t, s])
            current[t] = largest
        information = entropy + current[n_clumps]
        best = max(best, information / np.log(min(n_columns, n_rows)))
    return best
