"""Compiled sums over rows, and partial correlations given up to three columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled

Floats = npt.NDArray[np.float64]

# A column is in the span of others if less of its variance is left.
_NOTHING = 1e-12


@compiled()
def moments(X: Floats, y: Floats, start: int, stop: int) -> Any:
    """Return sums of some columns, of their squares, and of their products with y.

    The first row is subtracted from all.
    """
    width = stop - start
    sums, squares, products = np.zeros(width), np.zeros(width), np.zeros(width)
    first = X[0, start:stop].copy()
    for i in range(1, X.shape[0]):
        target = y[i]
        row = X[i]
        for j in range(width):
            d = row[start + j] - first[j]
            sums[j] += d
            squares[j] += d * d
            products[j] += target * d
    return sums, squares, products


@compiled(fastmath={"reassoc", "contract", "nsz"})
def products(rows: Floats, chosen: Any, column: Floats) -> Floats:
    """Return the scalar products of a column and some rows."""
    found = np.empty(len(chosen))
    for i in range(len(chosen)):
        row, total = rows[chosen[i]], 0.0
        for j in range(column.shape[0]):
            total += row[j] * column[j]
        found[i] = total
    return found


@compiled(error_model="numpy")
def _independent(cov: float, var_x: float, var_y: float, square: float) -> bool:
    """Compare a squared partial correlation with the largest one of independence."""
    if var_x < _NOTHING or var_y < _NOTHING:
        return True
    return cov * cov < square * var_x * var_y


@compiled(error_model="numpy")
def separated(C: Floats, n: int, x: int, required: int, most: int, squares: Floats) -> Any:
    """Return whether x is independent of 0 given 1 to `most` others, and the number of tests.

    `C` has the correlations of the target (0) and of the members (1 to n - 1). `squares` has
    the smallest squared correlation of dependence, by the number of others. With `required`,
    this member is among the others. Smaller numbers of others come first. A column in the span
    of the other ones changes nothing.
    """
    tests = 0
    first, last = (1, n) if required < 0 else (required, required + 1)
    for a in range(first, last):
        if a == x:
            continue
        tests += 1
        cov = C[x, 0] - C[x, a] * C[a, 0]
        if _independent(cov, 1 - C[x, a] ** 2, 1 - C[a, 0] ** 2, squares[1]):
            return True, tests
    for size in range(2, most + 1):
        for a in range(first, last):
            if a == x:
                continue
            xy = C[x, 0] - C[x, a] * C[a, 0]
            xx, yy = 1 - C[x, a] ** 2, 1 - C[a, 0] ** 2
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
