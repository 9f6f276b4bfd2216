"""Compiled sums over rows, comparisons of columns, partial correlations, and counts."""

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
    width = stop - start
    sums, squares, products = np.zeros(width), np.zeros(width), np.zeros(width)
    first = X[0, start:stop].copy()
    n_rows = X.shape[0]
    # The sums are read and written once for eight rows.
    whole = n_rows - n_rows % 8
    for i in range(0, whole, 8):
        y0, y1, y2, y3 = y[i], y[i + 1], y[i + 2], y[i + 3]
        y4, y5, y6, y7 = y[i + 4], y[i + 5], y[i + 6], y[i + 7]
        row0, row1 = X[i, start:stop], X[i + 1, start:stop]
        row2, row3 = X[i + 2, start:stop], X[i + 3, start:stop]
        row4, row5 = X[i + 4, start:stop], X[i + 5, start:stop]
        row6, row7 = X[i + 6, start:stop], X[i + 7, start:stop]
        for j in range(width):
            shift = first[j]
            d0, d1, d2, d3 = row0[j] - shift, row1[j] - shift, row2[j] - shift, row3[j] - shift
            d4, d5, d6, d7 = row4[j] - shift, row5[j] - shift, row6[j] - shift, row7[j] - shift
            sums[j] += ((d0 + d1) + (d2 + d3)) + ((d4 + d5) + (d6 + d7))
            low = (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
            squares[j] += low + ((d4 * d4 + d5 * d5) + (d6 * d6 + d7 * d7))
            low = (y0 * d0 + y1 * d1) + (y2 * d2 + y3 * d3)
            products[j] += low + ((y4 * d4 + y5 * d5) + (y6 * d6 + y7 * d7))
    for i in range(whole, n_rows):
        row, target = X[i, start:stop], y[i]
        for j in range(width):
            d = row[j] - first[j]
            sums[j] += d
            squares[j] += d * d
            products[j] += target * d
    return sums, squares, products


@compiled(fastmath={"reassoc", "contract", "nsz"})
def _four(rows: FloatArray, chosen: Any, start: int, column: FloatArray) -> Any:
    """Return the scalar products of a column and four rows; the last one stands for others."""
    last = len(chosen) - 1
    row0, row1 = rows[chosen[start]], rows[chosen[min(start + 1, last)]]
    row2, row3 = rows[chosen[min(start + 2, last)]], rows[chosen[min(start + 3, last)]]
    sum0 = sum1 = sum2 = sum3 = 0.0
    for j in range(column.shape[0]):
        value = column[j]
        sum0 += row0[j] * value
        sum1 += row1[j] * value
        sum2 += row2[j] * value
        sum3 += row3[j] * value
    return sum0, sum1, sum2, sum3


@compiled()
def products(rows: FloatArray, chosen: Any, column: FloatArray) -> FloatArray:
    """Return the scalar products of a column and some rows."""
    result = np.empty(len(chosen) + 3)
    for i in range(0, len(chosen), 4):
        result[i], result[i + 1], result[i + 2], result[i + 3] = _four(rows, chosen, i, column)
    return result[: len(chosen)]


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
    four = np.empty(4)
    for start in range(0, n, 4):
        four[0], four[1], four[2], four[3] = _four(rows, chosen, start, column)
        for i in range(start, min(start + 4, n)):
            between = abs(four[i - start])
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


@compiled()
def likelihood_ratio(
    x: Integers, y: Integers, strata: Integers, n_x: int, n_y: int, n_strata: int
) -> float:
    """Return ``2 sum n ln(n / e)`` over all cells, e the number expected in a stratum.

    It is ``2 N`` times the conditional mutual information in nats.
    """
    counts = np.zeros((n_strata, n_x, n_y), dtype=np.int64)
    for i in range(len(x)):
        counts[strata[i], x[i], y[i]] += 1
    total = 0.0
    of_y = np.empty(n_y)
    for s in range(n_strata):
        of_y[:] = 0.0
        rows = 0.0
        for a in range(n_x):
            for b in range(n_y):
                of_y[b] += counts[s, a, b]
                rows += counts[s, a, b]
        for a in range(n_x):
            of_x = 0.0
            for b in range(n_y):
                of_x += counts[s, a, b]
            for b in range(n_y):
                n = counts[s, a, b]
                if n > 0:
                    total += n * np.log(n * rows / (of_x * of_y[b]))
    return max(2.0 * total, 0.0)
