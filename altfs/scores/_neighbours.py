"""Neighbour counts of the estimator of Kraskov et al., compiled.

Points lie in a grid over the ranks of their two coordinates. So the cells have similar
numbers of points for any distributions. The rectangle of a point grows from its own cell
until no point outside can be nearer than the third neighbour. So the search is exact.

Importing this module imports numba, so import it where the kernels are used.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ShortInts = npt.NDArray[np.int32]

# Smaller cells mean that a search visits fewer points and more cells.
_POINTS_PER_CELL = 2.0
# The smallest positive number.
_TINY = 5e-324


def grid(n_rows: int) -> tuple[Ints, ShortInts]:
    """Divide ranks into the stripes of a grid.

    Stripe s holds the ranks from ``bounds[s]`` to ``bounds[s + 1] - 1``. The stripe of every
    rank is returned, too.
    """
    n_stripes = max(1, math.isqrt(int(n_rows / _POINTS_PER_CELL)))
    bounds = np.array([-(-s * n_rows // n_stripes) for s in range(n_stripes + 1)], dtype=np.int64)
    return bounds, np.repeat(np.arange(n_stripes, dtype=np.int32), np.diff(bounds))


@compiled(nogil=True, error_model="numpy")
def _nearer(
    px: Floats, py: Floats, a: int, b: int, x: float, y: float, d1: float, d2: float, d3: float
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
    xs: Floats, ys: Floats, rank_x: int, rank_y: int, box: tuple[int, int, int, int], limit: float
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
    xs: Floats,
    x_rank: ShortInts,
    ys: Floats,
    y_order: ShortInts,
    bounds: Ints,
    stripe_of: ShortInts,
    start: Ints,
    fill: Ints,
    px: Floats,
    py: Floats,
    ranks: Ints,
) -> None:
    """Sort the points by cell: y's stripe first, then x's.

    It fills `start` (of each cell), `px` and `py` (coordinates) and `ranks` (of x, of y, and
    the row).
    """
    n_stripes = len(bounds) - 1
    start[:] = 0
    for s in range(n_stripes):
        for k in range(bounds[s], bounds[s + 1]):
            start[s * n_stripes + stripe_of[x_rank[y_order[k]]] + 1] += 1
    for cell in range(n_stripes * n_stripes):
        start[cell + 1] += start[cell]
        fill[cell] = start[cell]
    for s in range(n_stripes):
        for k in range(bounds[s], bounds[s + 1]):
            rank = x_rank[y_order[k]]
            cell = s * n_stripes + stripe_of[rank]
            m = fill[cell]
            fill[cell] = m + 1
            px[m], py[m] = xs[rank], ys[k]
            ranks[m, 0], ranks[m, 1], ranks[m, 2] = rank, k, y_order[k]


@compiled(nogil=True, error_model="numpy")
def _third_neighbour(
    m: int,
    cell_x: int,
    cell_y: int,
    px: Floats,
    py: Floats,
    xs: Floats,
    ys: Floats,
    bounds: Ints,
    start: Ints,
) -> tuple[float, int, int, int, int]:
    """Return the distance of point m's third neighbour (the larger of x's and y's).

    The stripes of the searched rectangle follow: first and last in x, first and last in y.
    """
    g = len(bounds) - 1
    x, y = px[m], py[m]
    c0, c1 = max(cell_x - 1, 0), min(cell_x + 1, g - 1)
    r0, r1 = max(cell_y - 1, 0), min(cell_y + 1, g - 1)
    d1 = d2 = d3 = np.inf
    for r in range(r0, r1 + 1):
        a, b = start[r * g + c0], start[r * g + c1 + 1]
        if r == cell_y:
            d1, d2, d3 = _nearer(px, py, a, m, x, y, d1, d2, d3)
            a = m + 1
        d1, d2, d3 = _nearer(px, py, a, b, x, y, d1, d2, d3)
    while True:
        left = x - xs[bounds[c0] - 1] if c0 > 0 else np.inf
        right = xs[bounds[c1 + 1]] - x if c1 < g - 1 else np.inf
        below = y - ys[bounds[r0] - 1] if r0 > 0 else np.inf
        above = ys[bounds[r1 + 1]] - y if r1 < g - 1 else np.inf
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
            a, b = start[r * g + first_c], start[r * g + last_c + 1]
            d1, d2, d3 = _nearer(px, py, a, b, x, y, d1, d2, d3)
        c0, c1 = min(c0, first_c), max(c1, last_c)
        r0, r1 = min(r0, first_r), max(r1, last_r)


@compiled(nogil=True, error_model="numpy")
def neighbour_terms(
    features: Ints,
    targets: Ints,
    feature_sorted: Floats,
    feature_rank: ShortInts,
    target_sorted: Floats,
    target_order: ShortInts,
    bounds: Ints,
    stripe_of: ShortInts,
    digamma: Floats,
) -> tuple[Floats, Floats]:
    """Compute the estimator's two terms of every point, for some pairs of columns.

    The pairs are rows of the other arrays: ascending values of each feature with the rank of
    each row, and ascending values of each target with their rows. A term is digamma(k). Here k
    is the number of rows (itself included) that are nearer in x, or in y, than the third
    neighbour in both.
    """
    n_rows, g = feature_sorted.shape[1], len(bounds) - 1
    x_terms = np.empty((len(features), n_rows))
    y_terms = np.empty((len(features), n_rows))
    start, fill = np.empty(g * g + 1, np.int64), np.empty(g * g, np.int64)
    px, py, ranks = np.empty(n_rows), np.empty(n_rows), np.empty((n_rows, 3), np.int64)
    for p in range(len(features)):
        xs, ys = feature_sorted[features[p]], target_sorted[targets[p]]
        x_rank, y_order = feature_rank[features[p]], target_order[targets[p]]
        _fill_cells(xs, x_rank, ys, y_order, bounds, stripe_of, start, fill, px, py, ranks)
        for cell in range(g * g):
            for m in range(start[cell], start[cell + 1]):
                third, c0, c1, r0, r1 = _third_neighbour(
                    m, cell % g, cell // g, px, py, xs, ys, bounds, start
                )
                # scikit-learn counts up to the next smaller number, at least up to 0.
                limit = max(third, _TINY)
                box = (bounds[c0], bounds[c1 + 1], bounds[r0], bounds[r1 + 1])
                in_x, in_y = _counts(xs, ys, ranks[m, 0], ranks[m, 1], box, limit)
                x_terms[p, ranks[m, 2]] = digamma[in_x]
                y_terms[p, ranks[m, 2]] = digamma[in_y]
    return x_terms, y_terms
