"""Neighbour counts of the estimator of Kraskov et al., compiled.

Points lie in a grid over the ranks of their two coordinates. So the cells have similar
numbers of points for any distributions. The rectangle of a point grows from its own cell
until no point outside can be nearer than the third neighbour. So the search is exact, whatever
the numbers of stripes.

Importing this module imports numba, so import it where the kernels are used.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray

ShortInts = npt.NDArray[np.int32]

# Smaller cells mean that a search visits fewer points and more cells.
_POINTS_PER_CELL = 2.0
# The smallest positive number.
_TINY = 5e-324


def stripes(n_rows: int, x_levels: IntArray, y_levels: IntArray) -> IntArray:
    """Choose the numbers of stripes in x and in y, for some pairs of columns.

    The levels are the numbers of values that differ by more than noise. Points of one level
    are almost equal in this coordinate. If one column has few levels, more stripes than levels
    would only be more cells to visit. If both have few, a level has as many stripes in x as in y.

    >>> levels = np.array([1_000_000, 1_000]), np.array([2, 1_000])
    >>> stripes(1_000_000, *levels).tolist()
    [[250000, 2], [707, 707]]
    """
    cells = max(1.0, n_rows / _POINTS_PER_CELL)
    few, many = np.minimum(x_levels, y_levels), np.maximum(x_levels, y_levels)
    short = np.maximum(np.sqrt(cells * few / many), np.minimum(few, math.sqrt(cells)))
    short = np.maximum(1, short.astype(np.int64))
    long = np.maximum(1, (cells / short).astype(np.int64))
    x_has_few = x_levels < y_levels
    return np.column_stack([np.where(x_has_few, short, long), np.where(x_has_few, long, short)])


@compiled(nogil=True, error_model="numpy")
def _divide(n_rows: int, n_stripes: int, bounds: IntArray, stripe_of: ShortInts) -> None:
    """Divide ranks into stripes.

    Stripe s holds the ranks from ``bounds[s]`` to ``bounds[s + 1] - 1``; `stripe_of` is the
    stripe of every rank.
    """
    for s in range(n_stripes):
        bounds[s] = -(-s * n_rows // n_stripes)
    bounds[n_stripes] = n_rows
    for s in range(n_stripes):
        for rank in range(bounds[s], bounds[s + 1]):
            stripe_of[rank] = s


@compiled(nogil=True, error_model="numpy")
def _nearer(
    px: FloatArray,
    py: FloatArray,
    a: int,
    b: int,
    x: float,
    y: float,
    d1: float,
    d2: float,
    d3: float,
) -> tuple[float, float, float]:
    """Return the three smallest distances after a look at the points a to b - 1."""
    for m in range(a, b):
        d = abs(px[m] - x)
        e = abs(py[m] - y)
        d = e if e > d else d
        # No branches, as the processor cannot predict them.
        t = d if d > d1 else d1
        d1 = d if d < d1 else d1
        u = t if t > d2 else d2
        d2 = t if t < d2 else d2
        d3 = u if u < d3 else d3
    return d1, d2, d3


@compiled(nogil=True, error_model="numpy")
def _is_negative(value: float) -> int:
    """Return -1 (all bits) for negative numbers, else 0; a comparison would become a branch."""
    return int(np.float64(value).view(np.int64) >> 63)


@compiled(nogil=True, error_model="numpy")
def _counts(
    xs: FloatArray,
    ys: FloatArray,
    rank_x: int,
    rank_y: int,
    box: tuple[int, int, int, int],
    limit: float,
) -> tuple[int, int]:
    """Count the points nearer than `limit` in x and in y, the point included.

    They lie between the ranks in `box`. Four binary searches run side by side, so that the
    processor does not wait for each of them. The predicates are those of scikit-learn's KDTree.
    """
    x, y = xs[rank_x], ys[rank_y]
    a, b, c, d = rank_x + 1, box[0], rank_y + 1, box[2]
    left_a, left_b, left_c, left_d = box[1] - a, rank_x - b, box[3] - c, rank_y - d
    longest = max(max(left_a, left_b), max(left_c, left_d))
    while longest > 0:
        half_a, half_b = (left_a + 1) >> 1, (left_b + 1) >> 1
        half_c, half_d = (left_c + 1) >> 1, (left_d + 1) >> 1
        # A complete search looks at the previous place and stays. Place 0 wraps around.
        a += half_a & _is_negative((xs[a + half_a - 1] - x) - limit)
        b += half_b & ~_is_negative((x - xs[b + half_b - 1]) - limit)
        c += half_c & _is_negative((ys[c + half_c - 1] - y) - limit)
        d += half_d & ~_is_negative((y - ys[d + half_d - 1]) - limit)
        left_a -= half_a
        left_b -= half_b
        left_c -= half_c
        left_d -= half_d
        longest >>= 1
    return a - b, c - d


@compiled(nogil=True, error_model="numpy")
def _fill_cells(
    xs: FloatArray,
    x_rank: ShortInts,
    ys: FloatArray,
    y_order: ShortInts,
    shape: tuple[int, int],
    y_bounds: IntArray,
    stripe_of: ShortInts,
    start: IntArray,
    fill: IntArray,
    px: FloatArray,
    py: FloatArray,
    ranks: IntArray,
) -> None:
    """Sort the points by cell: y's stripe first, then x's, of which `stripe_of` tells.

    It fills `start` (of each cell), `px` and `py` (coordinates) and `ranks` (of x, of y, and
    the row).
    """
    in_x, in_y = shape
    start[: in_x * in_y + 1] = 0
    for s in range(in_y):
        for k in range(y_bounds[s], y_bounds[s + 1]):
            start[s * in_x + stripe_of[x_rank[y_order[k]]] + 1] += 1
    for cell in range(in_x * in_y):
        start[cell + 1] += start[cell]
        fill[cell] = start[cell]
    for s in range(in_y):
        for k in range(y_bounds[s], y_bounds[s + 1]):
            rank = x_rank[y_order[k]]
            cell = s * in_x + stripe_of[rank]
            m = fill[cell]
            fill[cell] = m + 1
            px[m], py[m] = xs[rank], ys[k]
            ranks[m, 0], ranks[m, 1], ranks[m, 2] = rank, k, y_order[k]


@compiled(nogil=True, error_model="numpy")
def _third_neighbour(
    m: int,
    cell_x: int,
    cell_y: int,
    px: FloatArray,
    py: FloatArray,
    xs: FloatArray,
    ys: FloatArray,
    shape: tuple[int, int],
    x_bounds: IntArray,
    y_bounds: IntArray,
    start: IntArray,
) -> tuple[float, int, int, int, int]:
    """Return the distance of point m's third neighbour (the larger of x's and y's).

    The stripes of the searched rectangle follow: first and last in x, first and last in y.
    """
    in_x, in_y = shape
    x, y = px[m], py[m]
    c0, c1 = max(cell_x - 1, 0), min(cell_x + 1, in_x - 1)
    r0, r1 = max(cell_y - 1, 0), min(cell_y + 1, in_y - 1)
    d1 = d2 = d3 = np.inf
    for r in range(r0, r1 + 1):
        a, b = start[r * in_x + c0], start[r * in_x + c1 + 1]
        if r == cell_y:
            d1, d2, d3 = _nearer(px, py, a, m, x, y, d1, d2, d3)
            a = m + 1
        d1, d2, d3 = _nearer(px, py, a, b, x, y, d1, d2, d3)
    while True:
        left = x - xs[x_bounds[c0] - 1] if c0 > 0 else np.inf
        right = xs[x_bounds[c1 + 1]] - x if c1 < in_x - 1 else np.inf
        below = y - ys[y_bounds[r0] - 1] if r0 > 0 else np.inf
        above = ys[y_bounds[r1 + 1]] - y if r1 < in_y - 1 else np.inf
        across, along = min(left, right), min(below, above)
        if min(across, along) >= d3:
            return d3, c0, c1, r0, r1
        # The new stripe is first in the direction in which a point can be nearest.
        first_c, last_c, first_r, last_r = c0, c1, r0, r1
        if across < along:
            first_c = last_c = c0 - 1 if left < right else c1 + 1
        else:
            first_r = last_r = r0 - 1 if below < above else r1 + 1
        for r in range(first_r, last_r + 1):
            a, b = start[r * in_x + first_c], start[r * in_x + last_c + 1]
            d1, d2, d3 = _nearer(px, py, a, b, x, y, d1, d2, d3)
        c0, c1 = min(c0, first_c), max(c1, last_c)
        r0, r1 = min(r0, first_r), max(r1, last_r)


@compiled(nogil=True, error_model="numpy")
def neighbour_terms(
    features: IntArray,
    targets: IntArray,
    feature_sorted: FloatArray,
    feature_rank: ShortInts,
    target_sorted: FloatArray,
    target_order: ShortInts,
    shapes: IntArray,
    digamma: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Compute the estimator's two terms of every point, for some pairs of columns.

    The pairs are rows of the other arrays: ascending values of each feature with the rank of
    each row, and ascending values of each target with their rows. `shapes` has the numbers of
    stripes (:func:`stripes`). A term is digamma(k). Here k
    is the number of rows (itself included) that are nearer in x, or in y, than the third
    neighbour in both.
    """
    n_rows = feature_sorted.shape[1]
    x_terms = np.empty((len(features), n_rows))
    y_terms = np.empty((len(features), n_rows))
    n_cells = (shapes[:, 0] * shapes[:, 1]).max()
    start, fill = np.empty(n_cells + 1, np.int64), np.empty(n_cells, np.int64)
    x_bounds = np.empty(shapes[:, 0].max() + 1, np.int64)
    y_bounds = np.empty(shapes[:, 1].max() + 1, np.int64)
    stripe_of, of_y = np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
    px, py, ranks = np.empty(n_rows), np.empty(n_rows), np.empty((n_rows, 3), np.int64)
    in_x = in_y = 0
    for p in range(len(features)):
        if (in_x, in_y) != (shapes[p, 0], shapes[p, 1]):
            in_x, in_y = shapes[p, 0], shapes[p, 1]
            _divide(n_rows, in_x, x_bounds, stripe_of)
            _divide(n_rows, in_y, y_bounds, of_y)
        shape = in_x, in_y
        xs, ys = feature_sorted[features[p]], target_sorted[targets[p]]
        x_rank, y_order = feature_rank[features[p]], target_order[targets[p]]
        _fill_cells(xs, x_rank, ys, y_order, shape, y_bounds, stripe_of, start, fill, px, py, ranks)
        for cell in range(in_x * in_y):
            for m in range(start[cell], start[cell + 1]):
                third, c0, c1, r0, r1 = _third_neighbour(
                    m, cell % in_x, cell // in_x, px, py, xs, ys, shape, x_bounds, y_bounds, start
                )
                # scikit-learn counts up to the next smaller number, at least up to 0.
                limit = max(third, _TINY)
                box = (x_bounds[c0], x_bounds[c1 + 1], y_bounds[r0], y_bounds[r1 + 1])
                near_x, near_y = _counts(xs, ys, ranks[m, 0], ranks[m, 1], box, limit)
                x_terms[p, ranks[m, 2]] = digamma[near_x]
                y_terms[p, ranks[m, 2]] = digamma[near_y]
    return x_terms, y_terms
