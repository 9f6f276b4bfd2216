"""Compiled sums over rows, comparisons of columns, and partial correlations."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray

Integers = npt.NDArray[Any]

# A column is in the span of others if less of its variance is left.
_NOTHING = 1e-12


@compiled()
def moments(X: FloatArray, y: FloatArray, start: int, stop: int) -> Any:
    """Return sums of some columns, of their squares, and of their products with y.

    The first row is subtracted from all.
    """
    width, n_rows = stop - start, len(y)
    sums, squares, products = np.zeros(width), np.zeros(width), np.zeros(width)
    first = X[0, start:stop].copy()
    # Rows after the last one are the first one, whose differences are 0.
    order = np.append(np.arange(1, n_rows), np.zeros(3, dtype=np.int64))
    # The sums are read and written once for four rows.
    for i in range(0, n_rows - 1, 4):
        a, b, c, d = order[i], order[i + 1], order[i + 2], order[i + 3]
        row_a, row_b = X[a, start:stop], X[b, start:stop]
        row_c, row_d = X[c, start:stop], X[d, start:stop]
        for j in range(width):
            da, db = row_a[j] - first[j], row_b[j] - first[j]
            dc, dd = row_c[j] - first[j], row_d[j] - first[j]
            sums[j] += (da + db) + (dc + dd)
            squares[j] += (da * da + db * db) + (dc * dc + dd * dd)
            products[j] += (y[a] * da + y[b] * db) + (y[c] * dc + y[d] * dd)
    return sums, squares, products


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _product(row: FloatArray, column: FloatArray) -> float:
    total = 0.0
    for j in range(len(row)):
        total += row[j] * column[j]
    return total


@compiled()
def products(rows: FloatArray, chosen: Any, column: FloatArray) -> FloatArray:
    """Return the scalar products of a column and some rows."""
    result = np.empty(len(chosen))
    for i, place in enumerate(chosen):
        result[i] = _product(rows[place], column)
    return result


@compiled()
def judged(
    rows: FloatArray,
    chosen: Any,
    column: FloatArray,
    relevance: FloatArray,
    strength: float,
    rule: Any,
) -> Any:
    """Compare a standardised column with members, as `MeasuredMembers.judge` does.

    `chosen` are the rows of the members, `relevance` and `strength` the dependence of the members
    and of the column on the target. `rule` has the smallest dependence of two columns, the number
    to whose multiples dependences are rounded, `equal_loses` and `touching`.
    """
    cutoff, unit, equal_loses, touching = rule
    n = len(chosen)
    lost, n_lost = np.empty(n, dtype=np.int64), 0
    for i in range(n):
        between = abs(_product(rows[chosen[i]], column))
        if between < cutoff:
            continue
        between = np.rint(between / unit) * unit
        old = relevance[i]
        least = min(old, strength)
        if between < least or (between == least and not touching):
            continue
        if old > strength or (old == strength and equal_loses):
            return lost[:n_lost], i + 1, True
        if old < strength:
            lost[n_lost] = i
            n_lost += 1
    return lost[:n_lost], n, False


@compiled(error_model="numpy")
def _independent(cov: float, var_x: float, var_y: float, square: float) -> bool:
    """Compare a squared partial correlation with the largest one of independence."""
    if var_x < _NOTHING or var_y < _NOTHING:
        return True
    return cov * cov < square * var_x * var_y


@compiled(error_model="numpy")
def separated(C: FloatArray, n: int, x: int, required: int, most: int, squares: FloatArray) -> Any:
    """Return whether x is independent of 0 given 1 to `most` others, and the number of tests.

    `C` has the correlations of the target (0) and of the members (1 to n - 1). `squares` has
    the smallest squared correlation of dependence, by the number of others. With `required`,
    this member is among the others. Smaller numbers of others come first. A column in the span
    of the other ones changes nothing.
    """
    tests = 0
    first, last = (1, n) if required < 0 else (required, required + 1)
    for size in range(1, most + 1):
        for a in range(first, last):
            if a == x:
                continue
            xy = C[x, 0] - C[x, a] * C[a, 0]
            xx, yy = 1 - C[x, a] ** 2, 1 - C[a, 0] ** 2
            if size == 1:
                tests += 1
                if _independent(xy, xx, yy, squares[1]):
                    return True, tests
                continue
            for b in range(1 if required >= 0 else a + 1, n):
                if b in (x, a):
                    continue
                left = 1 - C[a, b] ** 2
                xb, yb = C[x, b] - C[x, a] * C[a, b], C[0, b] - C[0, a] * C[a, b]
                weight = 1 / left if left >= _NOTHING else 0.0
                xy2, xx2 = xy - xb * yb * weight, xx - xb * xb * weight
                yy2 = yy - yb * yb * weight
                if size == 2:
                    tests += 1
                    if _independent(xy2, xx2, yy2, squares[2]):
                        return True, tests
                    continue
                for c in range(b + 1, n):
                    if c in (x, a):
                        continue
                    bc = C[b, c] - C[a, b] * C[a, c]
                    xc = C[x, c] - C[x, a] * C[a, c] - xb * bc * weight
                    yc = C[0, c] - C[0, a] * C[a, c] - yb * bc * weight
                    rest = 1 - C[a, c] ** 2 - bc * bc * weight
                    share = 1 / rest if rest >= _NOTHING else 0.0
                    tests += 1
                    cov = xy2 - xc * yc * share
                    var_x, var_y = xx2 - xc * xc * share, yy2 - yc * yc * share
                    if _independent(cov, var_x, var_y, squares[3]):
                        return True, tests
    return False, tests
