"""Numbers of neighbours on the ranks of columns with ties, compiled.

Of rows that are as near as the last neighbour, some count as nearer: as many as on average if
ties were broken at random. So equal values need no noise.

Importing this module imports numba, so import it where the kernels are used.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, compiled_inside
from altfs._numbers import FloatArray, IntArray
from altfs.scores.mixed._neighbours import ShortInts, _divide, _fill_cells


@compiled_inside(nogil=True, error_model="numpy")
def _first_from(ascending: IntArray, a: int, b: int, value: int | np.int64) -> int:
    """Return the first place from `a` to `b` whose entry is at least `value`."""
    while a < b:
        middle = (a + b) // 2
        if ascending[middle] < value:
            a = middle + 1
        else:
            b = middle
    return a


@compiled_inside(nogil=True, error_model="numpy")
def _levels_within(
    places: IntArray, level: int, distance: int | np.int64
) -> tuple[int, int, int, int]:
    """Return the range of levels nearer than a distance, and of those at most as far."""
    place = places[level]
    near = _first_from(places, 0, level, place - distance + 1)
    far = _first_from(places, level + 1, len(places), place + distance)
    near_too = near - 1 if near > 0 and place - places[near - 1] == distance else near
    far_too = far + 1 if far < len(places) and places[far] - place == distance else far
    return near, far, near_too, far_too


@compiled_inside(nogil=True, error_model="numpy")
def _grouped(
    order: IntArray, codes: IntArray, classes: IntArray, starts: IntArray, levels: IntArray
) -> None:
    """Fill the levels of the rows, class by class and ascending in each."""
    fill = starts[:-1].copy()
    for row in order:
        c = classes[row]
        levels[fill[c]] = codes[row]
        fill[c] += 1


@compiled_inside(nogil=True, error_model="numpy")
def _count_with_classes(
    levels: IntArray,
    places: IntArray,
    first: IntArray,
    starts: IntArray,
    neighbours: int,
    of_class: IntArray,
    of_all: FloatArray,
) -> None:
    """Fill the counts of one column; see `neighbours_with_classes`."""
    n_rows = len(levels)
    distinct = len(places) == n_rows
    for c in range(len(starts) - 1):
        a, b = starts[c], starts[c + 1]
        k = min(neighbours, b - a - 1)
        if k < 1:
            continue
        run = stop = a
        for t in range(a, b):
            here = levels[t]
            if t == stop:
                # The rows of the class from `run` to `stop` have this level.
                run = t
                while stop < b and levels[stop] == here:
                    stop += 1
            place = places[here]
            low, high, distance = t, t, 0
            for _ in range(k):
                left = place - places[levels[low - 1]] if low > a else -1
                right = places[levels[high + 1]] - place if high < b - 1 else -1
                if right < 0 or 0 <= left <= right:
                    low, distance = low - 1, left
                else:
                    high, distance = high + 1, right
            if distance == 0:
                of_class[t] = stop - run
                of_all[t] = first[here + 1] - first[here]
                continue
            if distinct:
                # Ranks are levels, and at most one row is as near on each side.
                steps = distance // 2
                nearer = min(here + steps, n_rows) - max(here - steps, -1) - 1
                tied = int(here >= steps) + int(here + steps < n_rows)
                at_ends = int(here - levels[low] == steps) + int(levels[high] - here == steps)
                inner, tied_of_class = high - low + 1 - at_ends, at_ends
                tied_of_class += low > a and here - levels[low - 1] == steps
                tied_of_class += high < b - 1 and levels[high + 1] - here == steps
            else:
                near, far, near_too, far_too = _levels_within(places, here, distance)
                inner = _first_from(levels, a, b, far) - _first_from(levels, a, b, near)
                outer = _first_from(levels, a, b, far_too) - _first_from(levels, a, b, near_too)
                nearer = first[far] - first[near]
                tied, tied_of_class = first[far_too] - first[near_too] - nearer, outer - inner
            # Of the tied rows of the class, so many come before or as the last neighbour.
            needed = k + 1 - inner
            of_class[t] = k
            of_all[t] = nearer + needed - 1
            of_all[t] += (tied - tied_of_class) * needed / (tied_of_class + 1)


@compiled(nogil=True, error_model="numpy")
def neighbours_with_classes(
    order: IntArray,
    codes: IntArray,
    places: IntArray,
    first: IntArray,
    offsets: IntArray,
    classes: IntArray,
    starts: IntArray,
    neighbours: int,
) -> tuple[IntArray, FloatArray]:
    """Count the neighbours of every row in its class, and the rows of all classes as near.

    Each column has a row in `order` (its rows, ascending) and in `codes` (the level of each row).
    Its levels are at `offsets` in `places` and, with an entry more, in `first` (the number of rows
    of smaller levels). The results have the rows class by class and ascending in each; the
    classes begin at `starts`. Both counts have the row itself, and are 0 in classes of one row.
    """
    shape = order.shape
    of_class, of_all = np.zeros(shape, np.int64), np.zeros(shape)
    levels = np.empty(shape[1], np.int64)
    for j in range(shape[0]):
        a, b = offsets[j], offsets[j + 1]
        _grouped(order[j], codes[j], classes, starts, levels)
        _count_with_classes(
            levels, places[a:b], first[a + j : b + j + 1], starts, neighbours, of_class[j],
            of_all[j],
        )  # fmt: skip
    return of_class, of_all


@compiled_inside(nogil=True, error_model="numpy")
def _sorted_in(
    px: FloatArray,
    py: FloatArray,
    a: int,
    b: int,
    m: int,
    nearest: FloatArray,
) -> None:
    """Put the distances from row m to the rows a to b - 1, but m, among the nearest ones."""
    x, y, last = px[m], py[m], len(nearest) - 1
    for i in range(a, b):
        distance = max(abs(px[i] - x), abs(py[i] - y))
        if distance < nearest[last] and i != m:
            place = last
            while place > 0 and nearest[place - 1] > distance:
                nearest[place] = nearest[place - 1]
                place -= 1
            nearest[place] = distance


@compiled_inside(nogil=True, error_model="numpy")
def _rectangle(
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
    nearest: FloatArray,
) -> tuple[int, int, int, int]:
    """Fill the distances of the nearest rows of row m, and return the stripes that have them.

    All rows as near as the last one are in the stripes: first and last in x, first and last in y.
    """
    in_x, in_y = shape
    x, y = px[m], py[m]
    nearest[:] = np.inf
    c0, c1, r0, r1 = cell_x, cell_x, cell_y, cell_y
    _sorted_in(px, py, start[cell_y * in_x + cell_x], start[cell_y * in_x + cell_x + 1], m, nearest)
    # Equal rows need no others.
    while nearest[-1] > 0:
        left = x - xs[x_bounds[c0] - 1] if c0 > 0 else np.inf
        right = xs[x_bounds[c1 + 1]] - x if c1 < in_x - 1 else np.inf
        below = y - ys[y_bounds[r0] - 1] if r0 > 0 else np.inf
        above = ys[y_bounds[r1 + 1]] - y if r1 < in_y - 1 else np.inf
        across, along = min(left, right), min(below, above)
        if min(across, along) > nearest[-1] or min(across, along) == np.inf:
            break
        # The new stripe is first in the direction in which a row can be nearest.
        first_c, last_c, first_r, last_r = c0, c1, r0, r1
        if across < along:
            first_c = last_c = c0 - 1 if left < right else c1 + 1
        else:
            first_r = last_r = r0 - 1 if below < above else r1 + 1
        for r in range(first_r, last_r + 1):
            a, b = start[r * in_x + first_c], start[r * in_x + last_c + 1]
            _sorted_in(px, py, a, b, m, nearest)
        c0, c1 = min(c0, first_c), max(c1, last_c)
        r0, r1 = min(r0, first_r), max(r1, last_r)
    return c0, c1, r0, r1


# More arguments than usual: the levels of two columns are plain arrays.
@compiled_inside(nogil=True, error_model="numpy")
def _count_of_numbers(
    x_codes: IntArray,
    x_places: IntArray,
    x_first: IntArray,
    x_rank: ShortInts,
    y_codes: IntArray,
    y_places: IntArray,
    y_first: IntArray,
    y_order: ShortInts,
    shape: tuple[int, int],
    equal: IntArray,
    neighbours: int,
    both: IntArray,
    of_x: FloatArray,
    of_y: FloatArray,
) -> None:
    """Fill the counts of one column; see `neighbours_of_numbers`."""
    n_rows = len(x_codes)
    in_x, in_y = shape
    start, fill = np.empty(in_x * in_y + 1, np.int64), np.empty(in_x * in_y, np.int64)
    x_bounds, y_bounds = np.empty(in_x + 1, np.int64), np.empty(in_y + 1, np.int64)
    stripe_of, other = np.empty(n_rows, np.int32), np.empty(n_rows, np.int32)
    px, py, ranks = np.empty(n_rows), np.empty(n_rows), np.empty((n_rows, 3), np.int64)
    xs, ys = np.empty(n_rows), np.empty(n_rows)
    for i in range(n_rows):
        xs[x_rank[i]] = x_places[x_codes[i]]
        ys[i] = y_places[y_codes[y_order[i]]]
    _divide(n_rows, in_y, y_bounds, other)
    _divide(n_rows, in_x, x_bounds, stripe_of)
    _fill_cells(xs, x_rank, ys, y_order, shape, y_bounds, stripe_of, start, fill, px, py, ranks)
    nearest = np.empty(neighbours)
    for cell in range(in_x * in_y):
        for m in range(start[cell], start[cell + 1]):
            row = ranks[m, 2]
            c0, c1, r0, r1 = _rectangle(
                m, cell % in_x, cell // in_x, px, py, xs, ys, shape, x_bounds, y_bounds, start,
                nearest,
            )  # fmt: skip
            last = nearest[-1]
            x_level, y_level = x_codes[row], y_codes[row]
            if last == 0:
                both[row] = equal[row]
                of_x[row] = x_first[x_level + 1] - x_first[x_level]
                of_y[row] = y_first[y_level + 1] - y_first[y_level]
                continue
            both[row] = neighbours
            tied = tied_in_x = tied_in_y = 0
            for r in range(r0, r1 + 1):
                for i in range(start[r * in_x + c0], start[r * in_x + c1 + 1]):
                    in_x_too, in_y_too = abs(px[i] - px[m]), abs(py[i] - py[m])
                    if max(in_x_too, in_y_too) == last:
                        tied += 1
                        tied_in_x += in_x_too == last
                        tied_in_y += in_y_too == last
            needed = np.count_nonzero(nearest == last)
            distance = np.int64(last)
            of_x[row] = _as_near(x_places, x_first, x_level, distance, tied_in_x, tied, needed)
            of_y[row] = _as_near(y_places, y_first, y_level, distance, tied_in_y, tied, needed)


@compiled(nogil=True, error_model="numpy")
def neighbours_of_numbers(
    order: IntArray,
    codes: IntArray,
    places: IntArray,
    first: IntArray,
    offsets: IntArray,
    y: tuple[IntArray, IntArray, IntArray, ShortInts],
    shapes: IntArray,
    equal: IntArray,
    neighbours: int,
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Count the neighbours of every row in a column and the target, and those as near in each.

    The columns are as in `neighbours_with_classes`. `y` is the same of the target: the level of
    each row, the places and numbers of smaller rows of the levels, and the rows in ascending order.
    `shapes` has the numbers of stripes in x and y, `equal` the number of rows with the same values
    in both. All counts have the row itself.
    """
    shape = order.shape
    both, of_x, of_y = np.empty(shape, np.int64), np.empty(shape), np.empty(shape)
    rank = np.empty(shape[1], np.int32)
    for j in range(shape[0]):
        a, b = offsets[j], offsets[j + 1]
        for place in range(shape[1]):
            rank[order[j, place]] = place
        _count_of_numbers(
            codes[j], places[a:b], first[a + j : b + j + 1], rank, *y,
            (shapes[j, 0], shapes[j, 1]), equal[j], neighbours, both[j], of_x[j], of_y[j],
        )  # fmt: skip
    return both, of_x, of_y


@compiled_inside(nogil=True, error_model="numpy")
def _as_near(
    places: IntArray,
    first: IntArray,
    level: int,
    distance: np.int64,
    tied_here: int,
    tied: int,
    needed: np.intp,
) -> float:
    """Return the mean number of rows that are nearer than the last neighbour in one column.

    Of the `tied` rows that are as near as the last neighbour in both columns, `tied_here` are as
    near in this one, and the last neighbour is the one of number `needed` in a random order.
    """
    near, far, near_too, far_too = _levels_within(places, level, distance)
    nearer = first[far] - first[near]
    others = first[far_too] - first[near_too] - nearer - tied_here
    return float(nearer + (needed - 1) * tied_here / tied + others * needed / (tied + 1))
