"""The covariance of distances of two columns, compiled."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import FloatArray


@compiled(nogil=True)
def covariance(x: FloatArray, y: FloatArray) -> float:
    """Return the unbiased squared distance covariance of two columns of four rows or more.

    It is the mean over pairs of rows of the product of both distances, each of which is centred.
    """
    n = len(x)
    a, b = _sums_of_distances(x), _sums_of_distances(y)
    total = _sum_of_products(x, y) + a.sum() * b.sum() / ((n - 1) * (n - 2))
    return float((total - 2.0 * (a * b).sum() / (n - 2)) / (n * (n - 3)))


@compiled(nogil=True)
def _sums_of_distances(x: FloatArray) -> FloatArray:
    """Return the sum of the distances of each row to all others."""
    n, order = len(x), np.argsort(x)
    total, before = x.sum(), 0.0
    sums = np.empty(n)
    for i in range(n):
        value = x[order[i]]
        # i smaller ones, and n - i others; before and total - before are their sums.
        sums[order[i]] = i * value - before + (total - before) - (n - i) * value
        before += value
    return sums


@compiled(nogil=True)
def _sum_of_products(x: FloatArray, y: FloatArray) -> float:
    """Return the sum over ordered pairs of rows of the product of both distances.

    Rows come by x. Those that came before and are not above in y add the product of the
    differences, the others its negative. Sums of them stand in a Fenwick tree over the ranks of y.
    """
    n, order = len(x), np.argsort(x)
    place = np.empty(n, dtype=np.int64)
    place[np.argsort(y)] = np.arange(1, n + 1)
    tree, every = np.zeros((n + 1, 4)), np.zeros(4)
    terms, below = np.empty(4), np.empty(4)
    total = 0.0
    for row in order:
        terms[0], terms[1], terms[2], terms[3] = 1.0, x[row], y[row], x[row] * y[row]
        below[:] = 0.0
        at = place[row]
        while at > 0:
            below += tree[at]
            at -= at & -at
        signed = 2.0 * below - every
        total += signed[0] * terms[3] - signed[1] * y[row] - signed[2] * x[row] + signed[3]
        every += terms
        at = place[row]
        while at <= n:
            tree[at] += terms
            at += at & -at
    return 2.0 * total
