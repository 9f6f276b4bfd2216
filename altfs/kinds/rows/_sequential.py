"""Sequential search for many rows at once.

The *class* of a feature says which earlier sets hold it. Of a class, a set takes the best
features. So only the number of features that it takes from each class is open, and the
possible numbers are the same for all rows whose classes have equal sizes. Each vector of
numbers is a row of a matrix of 0 and 1. One product with the sorted values gives the
quality of all of them, for all these rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from altfs._numbers import FloatArray, IntArray

# Products of 0 and 1 with values of 38 bits are exact as floats for so many features in a set.
_MOST_FEATURES = 1 << 14
# The earlier sets of a feature are the bits of a number.
_MOST_SETS = 60
# Numbers that are tried to list the vectors of a step, for each row that needs them, and for all.
# A search of the row alone takes as long. Beyond it, each row is searched alone.
_TRIALS_PER_ROW, _MOST_TRIALS = 1_000, 100_000
# Qualities that are held in memory at a time.
_AT_ONCE = 4_000_000

# A class: its earlier sets as bits, and its number of features.
Class = tuple[int, int]


def sequential_sets(
    weights: IntArray, n_features: int, n_sets: int, max_overlap: int
) -> tuple[IntArray, IntArray]:
    """Find the sets of every row, each the best one given those before it.

    The weights are those of exact solvers, a row of features for each row. Below an overlap of 0
    there is one set. The result has the sets, with columns in ascending order, of equally good sets
    the lexicographically first, and -1 in place of a set that does not exist. It also has the rows
    for which this way would take too long. Their sets are not valid.
    """
    n_rows, n_total = weights.shape
    sets = np.full((n_rows, n_sets, n_features), -1, dtype=np.int64)
    if n_features > n_total:
        return sets, np.empty(0, dtype=np.int64)
    if n_features > _MOST_FEATURES or n_sets > _MOST_SETS:
        return sets, np.arange(n_rows)
    # Of the features in no earlier set, only the best can be taken.
    used = min(n_total, n_sets * n_features)
    order = np.argsort(-weights, axis=1, kind="stable")[:, :used]
    values = np.take_along_axis(weights, order, axis=1).astype(np.float64)
    held = np.zeros(order.shape, dtype=np.int64)
    open_, left = np.arange(n_rows), []
    for i in range(n_sets):
        going_on = []
        for rows in _alike(held, open_):
            by_class = np.argsort(held[rows], axis=1, kind="stable")
            present, counts = np.unique(held[rows[0]], return_counts=True)
            classes = tuple(zip(present.tolist(), counts.tolist(), strict=True))
            trials = min(_TRIALS_PER_ROW << (len(rows) - 1).bit_length(), _MOST_TRIALS)
            vectors = _vectors(classes, n_features, max_overlap, i, trials)
            if vectors is None:
                left.append(rows)
            elif len(vectors):
                chosen, places = _best(
                    np.take_along_axis(values[rows], by_class, axis=1),
                    np.take_along_axis(order[rows], by_class, axis=1),
                    vectors,
                )
                sets[rows, i] = chosen
                ranks = np.take_along_axis(by_class, places, axis=1)
                held[rows[:, None], ranks] |= 1 << i
                going_on.append(rows)
        open_ = np.concatenate(going_on) if going_on else np.empty(0, dtype=np.int64)
    return sets, np.sort(np.concatenate(left)) if left else np.empty(0, dtype=np.int64)


def _alike(held: IntArray, rows: IntArray) -> Iterator[IntArray]:
    """Yield groups of rows whose classes have equal sizes."""
    if not len(rows):
        return
    sizes = np.sort(held[rows], axis=1)
    group = np.unique(sizes, axis=0, return_inverse=True)[1].ravel()
    by_group = np.argsort(group, kind="stable")
    yield from np.split(rows[by_group], np.flatnonzero(np.diff(group[by_group])) + 1)


@lru_cache(maxsize=4096)
def _vectors(
    classes: tuple[Class, ...], n_features: int, max_overlap: int, n_earlier: int, most_trials: int
) -> FloatArray | None:
    """Return the possible choices among features sorted by class, as rows of 0 and 1.

    It is None if listing them takes more trials than allowed.

    >>> _vectors(((0, 2), (1, 2)), 2, 1, 1, 100)
    array([[1., 0., 1., 0.],
           [1., 1., 0., 0.]])
    """
    numbers: list[list[int]] = []
    trials = 0
    after = np.cumsum([0, *(size for _, size in classes[::-1])])[::-1].tolist()

    def extend(taken: list[int], slots: int, room: list[int]) -> bool:
        nonlocal trials
        trials += 1
        if slots > after[len(taken)] or trials > most_trials:
            return trials <= most_trials
        if len(taken) == len(classes):
            numbers.append(taken)
            return True
        bits, size = classes[len(taken)]
        earlier = [h for h in range(n_earlier) if bits >> h & 1]
        most = min([size, slots, *(room[h] for h in earlier)])
        for number in range(most + 1):
            rest = [free - number if bits >> h & 1 else free for h, free in enumerate(room)]
            if not extend([*taken, number], slots - number, rest):
                return False
        return True

    if not extend([], n_features, [max_overlap] * n_earlier):
        return None
    choices = np.zeros((len(numbers), sum(size for _, size in classes)))
    for choice, taken in zip(choices, numbers, strict=True):
        start = 0
        for (_, size), number in zip(classes, taken, strict=True):
            choice[start : start + number] = 1
            start += size
    return choices


def _best(values: FloatArray, columns: IntArray, vectors: FloatArray) -> tuple[IntArray, IntArray]:
    """Return the columns of the best choice of every row, ascending, and their places."""
    places = np.nonzero(vectors)[1].reshape(len(vectors), -1)
    chosen = np.empty(len(values), dtype=np.int64)
    step = max(1, _AT_ONCE // len(vectors))
    for start in range(0, len(values), step):
        rows = slice(start, start + step)
        qualities = values[rows] @ vectors.T
        chosen[rows] = qualities.argmax(axis=1)
        ties = qualities == qualities.max(axis=1, keepdims=True)
        for row in np.flatnonzero(ties.sum(axis=1) > 1):
            tied = np.flatnonzero(ties[row])
            sets = np.sort(columns[start + row][places[tied]], axis=1)
            # The last key is the first one that `lexsort` compares.
            chosen[start + row] = tied[np.lexsort(sets.T[::-1])[0]]
    where = places[chosen]
    return np.sort(np.take_along_axis(columns, where, axis=1), axis=1), where
