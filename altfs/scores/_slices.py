"""Slices of a table, and how different a column is inside them: the compiled part of contrasts.

A slice holds the rows that lie, in each of some columns, in a drawn interval of ranks or in drawn
categories. Columns are numbers or categories; the last one is the target.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray
from altfs.scores._draws import CHANCE, State, begin, below

Places = npt.NDArray[np.int32]


class Ranks(NamedTuple):
    """Columns by rank; the rows of a category have neighbouring places.

    order: the row at each place. first: of each row, the first place with the same value.
    last: of each place, the last one with the same value. starts: the first places of all
    categories, and pointer: those of a column. logs: log(i + .001) for i = 0, 1, ...
    """

    order: Places
    first: Places
    last: Places
    nominal: npt.NDArray[np.bool_]
    starts: Places
    pointer: IntArray
    logs: FloatArray


class Slicing(NamedTuple):
    """Rules by which slices are drawn and judged.

    n_slices: of each contrast. widths: rows in each dimension, by the number of dimensions.
    low, high: the expected Kolmogorov-Smirnov distances that become 0 and 1. divergence: 0 for
    that of the slice from all rows, 1 for that of all rows from the slice, 2 for Jensen and
    Shannon's.
    """

    n_slices: int
    widths: IntArray
    low: float
    high: float
    divergence: int


#: Added to each count of a class, so that no share is 0.
SMOOTHING = 0.001
#: The largest divergence of Jensen and Shannon.
LOG_2 = log(2)


@compiled(nogil=True)
def slice_rows(
    chosen: IntArray, state: State, table: Ranks, width: int, taken: Places, perm: Places
) -> int:
    """Draw a slice in the chosen columns; return the number of its rows, which are in taken[0].

    `taken` has shape (2, n_rows). `perm` has a row of category numbers for each chosen column.
    """
    order, n_rows, n_dims = table.order, table.order.shape[1], len(chosen)
    low, high = np.empty(n_dims, dtype=np.int64), np.empty(n_dims, dtype=np.int64)
    least, at = n_rows + 1, 0
    for d in range(n_dims):
        column = chosen[d]
        if table.nominal[column]:
            begins = table.pointer[column]
            n_categories = table.pointer[column + 1] - begins
            size, used = 0, 0
            while size < width:
                other = used + below(state, n_categories - used)
                perm[d, used], perm[d, other] = perm[d, other], perm[d, used]
                place = table.starts[begins + perm[d, used]]
                size += table.last[column, place] - place + 1
                used += 1
            low[d], high[d] = used, -1
        else:
            offset = below(state, n_rows - width + 1)
            low[d] = table.first[column, order[column, offset]]
            high[d] = table.last[column, offset + width - 1]
            size = high[d] - low[d] + 1
        if size < least:
            least, at = size, d
    rows, count = taken[0], 0
    column = chosen[at]
    if high[at] >= 0:
        for place in range(low[at], high[at] + 1):
            rows[count] = order[column, place]
            count += 1
    else:
        for i in range(low[at]):
            place = table.starts[table.pointer[column] + perm[at, i]]
            for p in range(place, table.last[column, place] + 1):
                rows[count] = order[column, p]
                count += 1
    for d in range(n_dims):
        if d == at:
            continue
        first, kept = table.first[chosen[d]], 0
        if high[d] >= 0:
            from_, to = low[d], high[d]
            for i in range(count):
                row = rows[i]
                rank = first[row]
                rows[kept] = row
                kept += (rank >= from_) & (rank <= to)
        else:
            marks = taken[1]
            for i in range(low[d]):
                marks[table.starts[table.pointer[chosen[d]] + perm[d, i]]] = 1
            for i in range(count):
                row = rows[i]
                rows[kept] = row
                kept += marks[first[row]]
            for i in range(low[d]):
                marks[table.starts[table.pointer[chosen[d]] + perm[d, i]]] = 0
        count = kept
    return count


@compiled(nogil=True)
def divergence(column: int, rows: Places, table: Ranks, how: Slicing, work: Places) -> float:
    """Return how different a column is in some rows from all rows.

    For classes it is the Kullback-Leibler divergence d of smoothed shares, and 1 - exp(-d) if
    they are not the target; or Jensen and Shannon's, from 0 to 1. For numbers it is the scaled
    Kolmogorov-Smirnov distance, from 0 to 1. `work` is zero everywhere, and is left so.
    """
    if table.nominal[column]:
        value = _class_divergence(column, rows, table, how.divergence, work)
        if how.divergence == 2:
            return min(1.0, value / LOG_2)
        return value if column == len(table.nominal) - 1 else 1.0 - np.exp(-value)
    distance = _number_divergence(column, rows, table, work)
    return min(1.0, max(0.0, (distance - how.low) / (how.high - how.low)))


@compiled(nogil=True)
def _class_divergence(
    column: int, rows: Places, table: Ranks, divergence: int, work: Places
) -> float:
    first, n_rows, logs = table.first[column], table.order.shape[1], table.logs
    for row in rows:
        work[first[row]] += 1
    begins, ends = table.pointer[column], table.pointer[column + 1]
    extra = SMOOTHING * (ends - begins)
    inside, everywhere = np.log(len(rows) + extra), np.log(n_rows + extra)
    total = 0.0
    for i in range(begins, ends):
        start = table.starts[i]
        count, size = work[start], table.last[column, start] - start + 1
        work[start] = 0
        p, q = logs[count] - inside, logs[size] - everywhere
        share_inside = (count + SMOOTHING) / (len(rows) + extra)
        share = (size + SMOOTHING) / (n_rows + extra)
        if divergence == 0:
            total += share_inside * (p - q)
        elif divergence == 1:
            total += share * (q - p)
        else:
            middle = np.log((share_inside + share) / 2)
            total += (share_inside * (p - middle) + share * (q - middle)) / 2
    return max(0.0, total)


@compiled(nogil=True)
def _number_divergence(column: int, rows: Places, table: Ranks, work: Places) -> float:
    """Return the largest distance of the distribution functions of some rows and of all rows."""
    first, last, n_rows = table.first[column], table.last[column], table.order.shape[1]
    size, largest, before = len(rows), 0.0, 0
    if size * size < 4 * n_rows:
        ranks = np.empty(size, dtype=np.int32)
        for i in range(size):
            rank, at = first[rows[i]], i
            while at > 0 and ranks[at - 1] > rank:
                ranks[at] = ranks[at - 1]
                at -= 1
            ranks[at] = rank
        while before < size:
            rank, after = ranks[before], before
            while after < size and ranks[after] == rank:
                after += 1
            largest = max(largest, abs(before / size - rank / n_rows))
            largest = max(largest, abs(after / size - (last[rank] + 1) / n_rows))
            before = after
        return largest
    for row in rows:
        work[first[row]] += 1
    for rank in range(n_rows):
        if work[rank]:
            after = before + work[rank]
            work[rank] = 0
            largest = max(largest, abs(before / size - rank / n_rows))
            largest = max(largest, abs(after / size - (last[rank] + 1) / n_rows))
            before = after
    return largest


@compiled(nogil=True)
def contrasts(
    purpose: int,
    numbers: IntArray,
    sets: IntArray,
    targets: IntArray,
    seed: int,
    table: Ranks,
    how: Slicing,
) -> FloatArray:
    """Return the mean divergence of target columns in slices of sets of columns.

    Every set has a number, which starts its generator, and a row of targets. Both are padded
    by -1. The result has the shape of the targets. It is NaN if no slice has a row.
    """
    n_rows, most = table.order.shape[1], 0
    for column in range(len(table.nominal)):
        most = max(most, table.pointer[column + 1] - table.pointer[column])
    taken, work = np.zeros((2, n_rows), dtype=np.int32), np.zeros(n_rows, dtype=np.int32)
    perm = np.empty((sets.shape[1], most), dtype=np.int32)
    state, values = np.zeros(1, dtype=np.uint64), np.zeros(targets.shape)
    for s in range(len(sets)):
        begin(state, seed, purpose, numbers[s])
        n_dims = 0
        while n_dims < sets.shape[1] and sets[s, n_dims] >= 0:
            column = sets[s, n_dims]
            for i in range(table.pointer[column + 1] - table.pointer[column]):
                perm[n_dims, i] = i
            n_dims += 1
        counted = 0
        for _ in range(how.n_slices):
            width = how.widths[n_dims]
            size = slice_rows(sets[s, :n_dims], state, table, width, taken, perm)
            if size == 0:
                continue
            counted += 1
            for t in range(targets.shape[1]):
                if targets[s, t] >= 0:
                    values[s, t] += divergence(targets[s, t], taken[0, :size], table, how, work)
        for t in range(targets.shape[1]):
            values[s, t] = values[s, t] / counted if counted and targets[s, t] >= 0 else np.nan
    return values


@compiled(nogil=True)
def distance_of_drawn_rows(n_rows: int, width: int, seed: int, number: int) -> float:
    """Return the Kolmogorov-Smirnov distance of some drawn rows from all rows, without ties."""
    state = np.zeros(1, dtype=np.uint64)
    begin(state, seed, CHANCE, number)
    is_drawn, largest, before = np.zeros(n_rows, dtype=np.bool_), 0.0, 0
    for end in range(n_rows - width, n_rows):
        row = below(state, end + 1)
        is_drawn[end if is_drawn[row] else row] = True
    for rank in range(n_rows):
        if is_drawn[rank]:
            largest = max(largest, abs(before / width - rank / n_rows))
            before += 1
            largest = max(largest, abs(before / width - (rank + 1) / n_rows))
    return largest
