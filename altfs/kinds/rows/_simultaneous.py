"""Simultaneous search for many rows at once, for the sum of the qualities.

By rearrangement the best features lie in the largest number of sets. So only the *histogram*
of a family is open: how many features are in one, two, ... sets. The histograms are the same
for all rows. Each is a vector of the numbers of sets that hold the best feature, the second
one, and so on. One product with the sorted values gives the value of all of them, for all
rows. Then the first family is built that has the *uses* of a row's best histogram: the number
of sets that hold each feature, or each class of equally good ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.solvers.best_sum._families import FOUND, LIMIT, first_family
from altfs.solvers.best_sum._histogram_table import (
    Histogram,
    exists,
    frontier,
    frontier_size,
    less_equal,
)

# Products with values of 38 bits are exact as floats for so many features in all sets together.
_MOST_USES = 1 << 14
# Histograms that are compared. Beyond them, each row is searched alone.
_MOST_HISTOGRAMS = 1_000
# Decisions to build one family. Beyond them, the row is searched alone.
_NODES = 100_000
# Numbers that are held in memory at a time.
_AT_ONCE = 4_000_000


def simultaneous_sets(
    weights: IntArray, n_features: int, n_sets: int, max_overlap: int
) -> tuple[IntArray, IntArray]:
    """Find the sets of every row, those with the best sum of all families.

    It takes and returns what :func:`altfs.kinds.rows._sequential.sequential_sets` does, for two
    sets or more. Of equally good families, a row has the lexicographically first. All its sets are
    -1 if no family exists, which includes a `max_overlap` below 0.

    Examples
    --------
    >>> sets, left = simultaneous_sets(np.array([[4, 3, 2, 1], [1, 1, 1, 1]]), 2, 2, 1)
    >>> sets.tolist(), left.tolist()
    ([[[0, 1], [0, 2]], [[0, 1], [0, 2]]], [])
    """
    n_rows, n_total = weights.shape
    sets = np.full((n_rows, n_sets, n_features), -1, dtype=np.int64)
    if max_overlap < 0 or n_features > n_total:
        return sets, np.empty(0, dtype=np.int64)
    shape = (n_sets, n_features, max_overlap)
    if n_sets * n_features > _MOST_USES or frontier_size(*shape) > _MOST_HISTOGRAMS:
        return sets, np.arange(n_rows)
    used = min(n_total, n_sets * n_features)
    histograms = _Histograms(shape, used)
    families = _Families(shape)
    left = [np.empty(0, dtype=np.int64)]
    step = max(1, _AT_ONCE // (_MOST_HISTOGRAMS + n_sets * used))
    for start in range(0, n_rows, step):
        ranked = _ranked(weights[start : start + step], used)
        best, skipped = histograms.best(ranked)
        sets[start : start + step], given_up = families.first(ranked, best)
        left += [start + skipped, start + given_up]
    return sets, np.unique(np.concatenate(left))


class _Ranked(NamedTuple):
    """The best features of rows, in classes of equal value."""

    #: Shape (n_rows, used). From best to worst, the smaller column first among equals.
    columns: IntArray
    values: FloatArray
    #: Shape (n_rows, used). The first and the last place of the class of each feature.
    first: IntArray
    last: IntArray


def _ranked(weights: IntArray, used: int) -> _Ranked:
    columns = np.argsort(-weights, axis=1, kind="stable")[:, :used]
    values = np.take_along_axis(weights, columns, axis=1)
    place = np.broadcast_to(np.arange(used), values.shape)
    edge = np.ones((len(values), 1), dtype=bool)
    differs = values[:, 1:] != values[:, :-1]
    first = np.maximum.accumulate(np.where(np.hstack([edge, differs]), place, 0), axis=1)
    ends = np.where(np.hstack([differs, edge]), place, used)
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return _Ranked(columns, values.astype(np.float64), first, last)


class _Optimal(NamedTuple):
    """The uses of optimal families; a row has several if its features tie."""

    #: Shape (n_uses,). Ascending.
    row: IntArray
    #: Shape (n_uses, used). For each feature the uses of its class, all features of the class
    #: together.
    uses: IntArray


class _Histograms:
    """The histograms that can be best, which become more as some prove to have no family."""

    def __init__(self, shape: tuple[int, int, int], used: int) -> None:
        self.shape, self.used = shape, used
        self.listed: list[Histogram] = []
        self.seen: set[Histogram] = set()
        self._add(tuple(row) for row in frontier(*shape).tolist())

    def _add(self, histograms: Iterator[Histogram]) -> None:
        for histogram in histograms:
            if histogram[0] <= self.used and histogram not in self.seen:
                self.seen.add(histogram)
                self.listed.append(histogram)
        table = np.array(self.listed, dtype=np.int64).reshape(-1, self.shape[0])
        #: The number of sets that hold the feature of each rank.
        self.held = (np.arange(self.used) < table[:, :, None]).sum(axis=1)

    def best(self, ranked: _Ranked) -> tuple[_Optimal, IntArray]:
        """Return the uses of optimal families, and the rows for which this takes too long."""
        rows, left = np.arange(len(ranked.values)), [np.empty(0, dtype=np.int64)]
        row, uses = [np.empty(0, dtype=np.int64)], [np.empty((0, self.used), dtype=np.int64)]
        while len(rows) and self.listed:
            if len(self.listed) > _MOST_HISTOGRAMS:
                left.append(rows)
                break
            at, which, of_optima = self._optima(ranked, rows)
            exist = {h: exists(self.listed[h], *self.shape[1:])[0] for h in np.unique(which)}
            doubtful, absent = (
                np.unique(at[np.isin(which, [h for h, answer in exist.items() if answer is a])])
                for a in (None, False)
            )
            left.append(rows[doubtful])
            settled = np.ones(len(rows), dtype=bool)
            settled[doubtful] = settled[absent] = False
            row.append(rows[at[settled[at]]])
            uses.append(of_optima[settled[at]])
            rows = rows[np.setdiff1d(absent, doubtful)]
            missing = [self.listed[h] for h, answer in exist.items() if answer is False]
            self.listed = [h for h in self.listed if h not in missing]
            self._add(lower for histogram in missing for lower in less_equal(histogram))
        every = np.concatenate(row)
        by_row = np.argsort(every, kind="stable")
        return _Optimal(every[by_row], np.concatenate(uses)[by_row]), np.concatenate(left)

    def _optima(self, ranked: _Ranked, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the places in `rows`, one best histogram for each uses, and these."""
        qualities = ranked.values[rows] @ self.held.T.astype(np.float64)
        at, which = np.nonzero(qualities == qualities.max(axis=1, keepdims=True))
        before = np.zeros((len(self.held), self.used + 1), dtype=np.int64)
        np.cumsum(self.held, axis=1, out=before[:, 1:])
        chosen = rows[at]
        uses = before[which[:, None], ranked.last[chosen] + 1]
        uses -= before[which[:, None], ranked.first[chosen]]
        if len(at) > len(rows):
            first = np.unique(np.column_stack([at, uses]), axis=0, return_index=True)[1]
            at, which, uses = at[first], which[first], uses[first]
        return at, which, uses


class _Families:
    """The first families that have some uses, which rows of the same roles share."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.shape = shape
        self.families: dict[bytes, IntArray | None] = {}

    def first(self, ranked: _Ranked, best: _Optimal) -> tuple[IntArray, IntArray]:
        """Return the sets of every row, -1 without a family, and the rows to search alone."""
        n_sets, n_features, _ = self.shape
        row, uses = best
        sets = np.full((len(ranked.values), n_sets, n_features), -1, dtype=np.int64)
        columns, roles = _roles(ranked, row, uses, n_sets)
        places = np.zeros((len(row), n_sets * n_features), dtype=np.int64)
        built = np.ones(len(row), dtype=bool)
        for i, of_row in enumerate(roles):
            key = of_row.tobytes()
            if key not in self.families:
                self.families[key] = self._build(of_row)
            family = self.families[key]
            if family is None:
                built[i] = False
            else:
                places[i] = family
        flat = np.take_along_axis(columns, places, axis=1)
        # Of several optimal families of a row the first one.
        order = np.lexsort([*flat.T[::-1], row])
        first = order[np.unique(row[order], return_index=True)[1]]
        sets[row[first]] = flat[first].reshape(-1, n_sets, n_features)
        return sets, np.unique(row[~built])

    def _build(self, roles: IntArray) -> IntArray | None:
        """Return the first family as places of features; None if that takes too long."""
        each, pool, pool_uses = roles
        n = int((each >= 0).sum())
        _, starts = np.unique(pool[:n], return_index=True)
        outcome, member, _ = first_family(
            *self.shape,
            each[:n],
            pool[:n],
            pool_uses[:n][starts[pool[starts] >= 0]],
            _NODES,
        )
        if outcome == LIMIT:
            return None
        assert outcome == FOUND
        return np.nonzero(member)[1]


def _roles(
    ranked: _Ranked, row: IntArray, uses: IntArray, n_sets: int
) -> tuple[IntArray, IntArray]:
    """Return the columns of the features used, ascending, and what a family does with each.

    The roles are, as `first_family` takes them: the number of sets that hold the feature, its
    pool, and the uses of its pool. -1 fills the places of features that are not used.
    """
    first, last = ranked.first[row], ranked.last[row]
    size = last - first + 1
    place = np.arange(first.shape[1])
    pooled: BoolArray = (size > 1) & (uses > 0) & (uses < n_sets * size)
    # Of a class that leaves a choice, its features of smallest index are enough.
    kept = np.where(pooled, place - first < uses, uses > 0)
    pool = np.cumsum(pooled & (place == first), axis=1) - 1
    roles = np.stack([np.where(pooled, 0, uses // size), np.where(pooled, pool, -1), uses])
    roles[:, ~kept] = -1
    columns = np.where(kept, ranked.columns[row], np.iinfo(np.int64).max)
    by_column = np.argsort(columns, axis=1)
    sorted_roles = np.take_along_axis(roles, by_column[None], axis=2)
    ordered = np.ascontiguousarray(sorted_roles.transpose(1, 0, 2))
    return np.take_along_axis(columns, by_column, axis=1), ordered
