"""Boosted trees on binned columns, compiled: the scores of many feature sets on held-out rows.

Gradient boosting with second-order gains (Chen and Guestrin 2016, Equations 5 and 7) on
histograms of at most 64 bins (Ke et al. 2017). The trees are grown level by level. A split is a
mask of bins: a threshold for numbers, and for categories the best cut of the order of their
gradients (Fisher 1958). Rows that are equal in a set are one *pattern*, which is predicted once.
With several classes each tree is grown for the class with the largest gradients, and its leaves
have a value for each class.

Importing this module imports numba.
"""

from __future__ import annotations

from math import exp, inf, log
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled, compiled_inside
from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.prediction._ordered_rows import OrderedRows
from altfs.prediction._rows import LOGISTIC, MOST_BINS, SOFTMAX, SQUARES

# Levels of predictions that the area under the curve tells apart, and those that are looked at
# together. Few rows are on few of them, so that most need not be looked at.
_LEVELS, _TOGETHER = 16_384, 32
# Gains and gradients that differ less, relatively, are equal.
_ROUNDING = 1e-9


class Boosting(NamedTuple):
    """The parameters of boosting; the same for all sets."""

    trees: int
    depth: int
    rate: float
    #: The ridge penalty of a leaf's value.
    penalty: float
    #: The least sum of second derivatives in a leaf: rows, for squares.
    least: float


@compiled_inside()
def _label(codes: Any, label: IntArray, table: IntArray, first: IntArray) -> int:
    """Label each row with the number of its pattern; return the number of patterns.

    Patterns are numbered in the order of the rows; `first` gets the first row of each.
    """
    n, size, count = len(label), table.shape[1], 1
    keys, values = table[0], table[1]
    for i in range(n):
        label[i] = 0
    for column in codes:
        direct = count * MOST_BINS <= size
        for i in range(count * MOST_BINS if direct else size):
            keys[i] = -1
        count = 0
        for i in range(n):
            key = label[i] * MOST_BINS + column[i]
            at = key
            if not direct:
                at = ((key * 0x9E3779B97F4A7C1) >> 20) & (size - 1)
                while keys[at] != -1 and keys[at] != key:
                    at = (at + 1) & (size - 1)
            if keys[at] == -1:
                keys[at] = key
                values[at] = count
                first[count] = i
                count += 1
            label[i] = values[at]
    return count


@compiled_inside(error_model="numpy")
def _start(loss: int, w: FloatArray, s: FloatArray, F: FloatArray, n: int) -> None:
    """Predict the mean, or the logarithms of the odds or of the shares, for all patterns."""
    outputs = s.shape[1]
    for k in range(outputs):
        rows = total = 0.0
        for p in range(n):
            rows += w[p]
            total += s[p, k]
        value = total / rows
        if loss == LOGISTIC:
            value = log((total + 0.5) / (rows - total + 0.5))
        elif loss == SOFTMAX:
            value = log((total + 0.5) / (rows + 0.5 * outputs))
        for p in range(n):
            F[p, k] = value


@compiled_inside(error_model="numpy")
def _derive(
    loss: int, w: FloatArray, s: FloatArray, F: FloatArray, n: int, g: FloatArray, h: FloatArray
) -> int:
    """Compute both derivatives of the loss; return the output with the largest gradients.

    The gradients of a pattern add up, as the trees cannot tell its rows apart.
    """
    outputs = s.shape[1]
    top, largest = 0, -1.0
    for p in range(n):
        if w[p] == 0.0:
            for k in range(outputs):
                g[p, k] = h[p, k] = 0.0
        elif loss == SQUARES:
            g[p, 0] = w[p] * F[p, 0] - s[p, 0]
            h[p, 0] = w[p]
        elif loss == LOGISTIC:
            q = 1.0 / (1.0 + exp(-F[p, 0]))
            g[p, 0] = w[p] * q - s[p, 0]
            h[p, 0] = w[p] * q * (1.0 - q)
        else:
            most, total = F[p, 0], 0.0
            for k in range(1, outputs):
                most = max(most, F[p, k])
            for k in range(outputs):
                g[p, k] = exp(F[p, k] - most)
                total += g[p, k]
            for k in range(outputs):
                q = g[p, k] / total
                g[p, k] = w[p] * q - s[p, k]
                h[p, k] = w[p] * q * (1.0 - q)
    if loss == SOFTMAX:
        for k in range(outputs):
            total = 0.0
            for p in range(n):
                if w[p] > 0.0:
                    total += g[p, k] * g[p, k] / w[p]
            if total > largest + _ROUNDING * abs(largest):
                top, largest = k, total
    return top


@compiled_inside(error_model="numpy")
def _best_split(
    sums: FloatArray, n_bins: IntArray, categorical: BoolArray, boosting: Boosting, order: IntArray
) -> tuple[int, Any, float]:
    """Return the column, the bins to the left and the left share of a node's split.

    `sums` are those of both derivatives, by column and bin. Without a split all bins are left.
    """
    column, left, gain, share = 0, ~np.uint64(0), _ROUNDING, 1.0
    one = np.uint64(1)
    G = H = 0.0
    for b in range(n_bins[0]):
        G += sums[0, b, 0]
        H += sums[0, b, 1]
    if 2.0 * boosting.least > H:
        return column, left, share
    whole = G * G / (H + boosting.penalty)
    for j in range(len(n_bins)):
        cells = sums[j]
        if categorical[j]:
            for b in range(n_bins[j]):
                i = b
                ratio = cells[b, 0] / (cells[b, 1] + boosting.penalty)
                while i > 0:
                    c = order[i - 1]
                    if cells[c, 0] / (cells[c, 1] + boosting.penalty) <= ratio:
                        break
                    order[i] = c
                    i -= 1
                order[i] = b
        mask = np.uint64(0)
        g = h = 0.0
        for i in range(n_bins[j] - 1):
            b = order[i] if categorical[j] else i
            g += cells[b, 0]
            h += cells[b, 1]
            mask |= one << np.uint64(b)
            # Without rows of the bin the gain is that of the cut before.
            if h < boosting.least or abs(cells[b, 1]) < _ROUNDING:
                continue
            if H - h < boosting.least:
                break
            more = (
                g * g / (h + boosting.penalty)
                + (G - g) * (G - g) / (H - h + boosting.penalty)
                - whole
            )
            if more > gain + _ROUNDING * gain:
                column, left, gain, share = j, mask, more, h / H
    return column, left, share


@compiled_inside(error_model="numpy")
def _grow(
    sub: Any,
    n_bins: IntArray,
    categorical: BoolArray,
    w: FloatArray,
    g: FloatArray,
    h: FloatArray,
    n: int,
    boosting: Boosting,
    node: IntArray,
    histograms: FloatArray,
) -> None:
    """Grow one tree on the derivatives; write the leaf of each pattern to `node`.

    Of two siblings the lighter one is counted, and the other is what is left of the parent.
    """
    one, width = np.uint64(1), len(n_bins)
    most = 1 << boosting.depth
    counted = np.ones(most, dtype=np.bool_)
    left = np.empty(most, dtype=np.uint64)
    column = np.empty(most, dtype=np.int64)
    order = np.empty(MOST_BINS, dtype=np.int64)
    for p in range(n):
        node[p] = 0
    for level in range(boosting.depth):
        cells, above = histograms[level & 1], histograms[1 - (level & 1)]
        for a in range(1 << level):
            if counted[a]:
                for j in range(width):
                    for b in range(n_bins[j]):
                        cells[a, j, b, 0] = cells[a, j, b, 1] = 0.0
        for p in range(n):
            a = node[p]
            if counted[a] and w[p] > 0.0:
                for j in range(width):
                    cell = cells[a, j, sub[p, j]]
                    cell[0] += g[p]
                    cell[1] += h[p]
        for a in range(1 << level):
            if not counted[a]:
                for j in range(width):
                    for b in range(n_bins[j]):
                        for v in range(2):
                            cells[a, j, b, v] = above[a >> 1, j, b, v] - cells[a ^ 1, j, b, v]
        for a in range((1 << level) - 1, -1, -1):
            column[a], left[a], share = _best_split(cells[a], n_bins, categorical, boosting, order)
            if level + 1 < boosting.depth:
                counted[2 * a] = share <= 0.5
                counted[2 * a + 1] = share > 0.5
        for p in range(n):
            a = node[p]
            inside = (left[a] >> np.uint64(sub[p, column[a]])) & one
            node[p] = 2 * a + 1 - np.int64(inside)


@compiled_inside(error_model="numpy")
def _log_odds(F: FloatArray, k: int, n: int, odds: FloatArray) -> None:
    """Write the logarithms of the odds of class k to `odds`, for all patterns."""
    for p in range(n):
        others = 0.0
        for o in range(F.shape[1]):
            if o != k:
                others += exp(min(F[p, o] - F[p, k], 700.0))
        odds[p] = -log(others + 1e-300)


@compiled_inside(error_model="numpy")
def _area(f: FloatArray, inside: FloatArray, all_: FloatArray, n: int, levels: FloatArray) -> float:
    """Return the area under the ROC curve of held-out patterns; NaN if a class is missing.

    Predictions on the same of 16,384 levels count as equal. `levels` are zeros before and after.
    """
    lowest, highest = inf, -inf
    for p in range(n):
        if all_[p] > 0.0:
            lowest = min(lowest, f[p])
            highest = max(highest, f[p])
    scale = (_LEVELS - 1) / (highest - lowest) if highest > lowest else 0.0
    used = np.zeros(_LEVELS // _TOGETHER, np.bool_)
    for p in range(n):
        if all_[p] > 0.0:
            b = int((f[p] - lowest) * scale)
            used[b // _TOGETHER] = True
            levels[b, 0] += inside[p]
            levels[b, 1] += all_[p] - inside[p]
    area = below = above = 0.0
    for block in range(len(used)):
        if not used[block]:
            continue
        for b in range(block * _TOGETHER, (block + 1) * _TOGETHER):
            area += levels[b, 0] * (below + 0.5 * levels[b, 1])
            above += levels[b, 0]
            below += levels[b, 1]
            levels[b, 0] = levels[b, 1] = 0.0
    return area / (above * below) if above * below > 0.0 else np.nan


@compiled_inside(error_model="numpy")
def _step(
    g: FloatArray,
    h: FloatArray,
    node: IntArray,
    n: int,
    boosting: Boosting,
    leaves: FloatArray,
    F: FloatArray,
) -> None:
    """Add the value of each pattern's leaf to its predictions."""
    for k in range(F.shape[1]):
        for a in range(len(leaves)):
            leaves[a, 0] = leaves[a, 1] = 0.0
        for p in range(n):
            leaves[node[p], 0] += g[p, k]
            leaves[node[p], 1] += h[p, k]
        for a in range(len(leaves)):
            leaves[a, 0] *= -boosting.rate / (leaves[a, 1] + boosting.penalty)
        for p in range(n):
            F[p, k] += leaves[node[p], 0]


@compiled(error_model="numpy", nogil=True)
def held_out_score(
    rows: OrderedRows, loss: int, outputs: int, n_folds: int, boosting: Boosting
) -> float:
    """Return the score of a set on held-out rows: R^2 of all, else the mean area under the curve.

    Parameters
    ----------
    rows : OrderedRows
        In the columns of the set; at least one.
    loss : int
    outputs : int
        1, or the number of classes if there are more than two.
    n_folds : int
    boosting : Boosting

    Returns
    -------
    float
        NaN if held-out rows have one class only, or one number.
    """
    codes, bins, kinds, target, fold = rows
    width, n = codes.shape
    size = MOST_BINS * MOST_BINS
    while size < 2 * n:
        size *= 2
    # Numbers of patterns by row, the first row of each pattern, and the leaf of each.
    label, first, node = np.empty(n, np.int64), np.empty(n + 1, np.int64), np.empty(n, np.int64)
    count = _label(codes, label, np.empty((2, size), np.int64), first)
    sub = np.empty((count, width), np.uint8)
    for p in range(count):
        for j in range(width):
            sub[p, j] = codes[j, first[p]]
    # Learned and held-out rows of each pattern, and the sums of their targets.
    w, held = np.empty(count), np.empty(count)
    s, held_s = np.empty((count, outputs)), np.empty((count, outputs))
    F, g, h = np.empty((count, outputs)), np.empty((count, outputs)), np.empty((count, outputs))
    top_g, top_h = np.empty(count), np.empty(count)
    histograms = np.empty((2, 1 << max(0, boosting.depth - 1), width, MOST_BINS, 2))
    leaves, levels = np.empty((1 << boosting.depth, 2)), np.zeros((_LEVELS, 2))
    missed = spread = total = 0.0
    areas = 0
    for v in range(n_folds):
        for p in range(count):
            w[p] = held[p] = 0.0
            for k in range(outputs):
                s[p, k] = held_s[p, k] = 0.0
        mean = squares = held_rows = 0.0
        for i in range(n):
            p, k, number = label[i], 0, target[i]
            if loss != SQUARES:
                # Of two classes, the first one is the output.
                k = min(int(target[i]), outputs - 1)
                number = 1.0 if k == target[i] else 0.0
            if fold[i] == v:
                held[p] += 1.0
                held_s[p, k] += number
                mean += number
                squares += number * number
                held_rows += 1.0
            else:
                w[p] += 1.0
                s[p, k] += number
        _start(loss, w, s, F, count)
        for _ in range(boosting.trees):
            top = _derive(loss, w, s, F, count, g, h)
            for p in range(count):
                top_g[p], top_h[p] = g[p, top], h[p, top]
            _grow(sub, bins, kinds, w, top_g, top_h, count, boosting, node, histograms)
            _step(g, h, node, count, boosting, leaves, F)
        if loss == SQUARES:
            spread += squares - mean * mean / held_rows
            missed += squares
            for p in range(count):
                missed += F[p, 0] * (held[p] * F[p, 0] - 2.0 * held_s[p, 0])
            continue
        for k in range(outputs):
            for p in range(count):
                top_g[p], top_h[p] = F[p, k], held_s[p, k]
            if loss == SOFTMAX:
                _log_odds(F, k, count, top_g)
            area = _area(top_g, top_h, held, count, levels)
            if area == area:
                total += area
                areas += 1
    if loss == SQUARES:
        return 1.0 - missed / spread if spread > 0.0 else np.nan
    return total / areas if areas > 0 else np.nan
