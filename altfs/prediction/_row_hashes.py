"""Hashes of rows by their content in a set of columns, and the folds that follow, compiled.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled_inside, copy_into
from altfs._numbers import IntArray
from altfs.prediction._rows import MOST_BINS, TreeFolds, TreeRows

# Hashes are sorted by so many bits at a time.
_DIGIT = 11


@compiled_inside()
def _mixed(number: Any) -> Any:
    """Return a well-mixed hash of 64 bits, as in :mod:`altfs.prediction._binned`."""
    x = number + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled_inside()
def hash_rows(rows: TreeRows, chosen: IntArray, hashes: Any, sums: Any) -> None:
    """Write a hash of each row to `hashes`, by its values in a set of columns and its target.

    As in :mod:`altfs.prediction._binned`, two rounds tell categories apart.
    """
    n = len(hashes)
    keys, of_bin = np.zeros(len(chosen), dtype=np.uint64), np.empty(MOST_BINS, dtype=np.uint64)
    for i in range(n):
        hashes[i] = rows.hashes[i]
    for _ in range(2):
        for i in range(n):
            sums[i] = hashes[i]
        for place in range(len(chosen)):
            j = chosen[place]
            column, n_bins = rows.codes[j], rows.n_bins[j]
            if n_bins == 1:
                continue
            for b in range(n_bins):
                of_bin[b] = np.uint64(0) if rows.categorical[j] else _mixed(np.uint64(b))
            for i in range(n):
                of_bin[column[i]] += hashes[i]
            key = keys[place]
            keys[place] = 0
            for b in range(n_bins):
                of_bin[b] = _mixed(of_bin[b] + key)
                keys[place] += of_bin[b]
            for i in range(n):
                sums[i] += of_bin[column[i]]
        for i in range(n):
            hashes[i] = _mixed(sums[i])


@compiled_inside()
def sort_by_hashes(keys: Any, order: IntArray, other: IntArray) -> None:
    """Sort `order`, which are places of keys, by the keys; equal ones stay in their order."""
    starts = np.empty(1 << _DIGIT, dtype=np.int64)
    last = np.uint64((1 << _DIGIT) - 1)
    for step in range(0, 64, _DIGIT):
        shift = np.uint64(step)
        starts[:] = 0
        for i in order:
            starts[np.int64((keys[i] >> shift) & last)] += 1
        total = 0
        for d in range(len(starts)):
            starts[d], total = total, total + starts[d]
        for i in order:
            digit = np.int64((keys[i] >> shift) & last)
            other[starts[digit]] = i
            starts[digit] += 1
        copy_into(order, other)


@compiled_inside()
def draw_folds(folds: TreeFolds, hashes: Any, fold: IntArray) -> None:
    """Write the fold of each row to `fold`: units of a class, in the order of hashes, in turn."""
    n_units = len(folds.unit_class)
    drawn, next_ = np.zeros(n_units, dtype=np.uint64), folds.rarer.copy()
    order, other = np.arange(n_units), np.empty(n_units, dtype=np.int64)
    for i in range(len(hashes)):
        drawn[folds.unit[i]] += _mixed(hashes[i])
    for u in range(n_units):
        drawn[u] = _mixed(drawn[u] + np.uint64(folds.repeat))
    sort_by_hashes(drawn, order, other)
    for unit in order:
        c = folds.unit_class[unit]
        # The units have no further use of their hashes.
        drawn[unit] = next_[c] % folds.number
        next_[c] += 1
    for i in range(len(hashes)):
        fold[i] = drawn[folds.unit[i]]


@compiled_inside()
def place_classes(rows: TreeRows, hashes: Any, place: IntArray) -> None:
    """Write the place of each class to `place`: rare ones first, equally frequent ones by hashes.

    No code of a class matters.
    """
    counts, n = rows.class_counts, len(rows.class_counts)
    totals, order = np.zeros(n, dtype=np.uint64), np.arange(n)
    for i in range(len(hashes)):
        totals[rows.classes[i]] += _mixed(hashes[i])
    for c in range(n):
        at = c
        while at > 0:
            before = order[at - 1]
            if counts[before] != counts[c] or totals[before] <= totals[c]:
                break
            order[at] = before
            at -= 1
        order[at] = c
    for at in range(n):
        place[order[at]] = at
