"""Rows in an order that follows from their content in a set of columns, and the folds of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.prediction._binned import content_hashes, mixed
from altfs.prediction._rows import SQUARES, TreeFolds, TreeRows


class OrderedRows(NamedTuple):
    """The rows in the columns of a set, in the order of their hashes."""

    #: The bins, of shape (n_features, n_rows), their number, and whether they are categories.
    codes: Any
    n_bins: IntArray
    categorical: BoolArray
    #: The number of each row, or the place of its class.
    target: FloatArray
    fold: IntArray


def order_rows(rows: TreeRows, folds: TreeFolds, columns: IntArray) -> OrderedRows:
    """Order rows by their values in a set of columns and their target; draw folds by the same.

    Other columns do not matter, nor does the order in which the rows are given.
    """
    codes, n_bins, categorical = (
        rows.codes[columns],
        rows.n_bins[columns],
        rows.categorical[columns],
    )
    several = np.flatnonzero(n_bins > 1)
    hashes = content_hashes(codes, categorical, n_bins, rows.hashes, several)[1]
    fold = folds.given if len(folds.given) > 0 else drawn_folds(folds, hashes)
    if rows.loss == SQUARES:
        target = rows.numbers
    else:
        target = _places_of_classes(rows, hashes)[rows.classes].astype(np.float64)
    # Sums of numbers depend on the order of the rows.
    order = np.argsort(hashes, kind="stable")
    return OrderedRows(codes.take(order, axis=1), n_bins, categorical, target[order], fold[order])


def drawn_folds(folds: TreeFolds, hashes: Any) -> IntArray:
    """Return the fold of each row: units of a class, in the order of hashes, in turn."""
    classes = folds.unit_class
    drawn = np.zeros(len(classes), dtype=np.uint64)
    np.add.at(drawn, folds.unit, mixed(hashes))
    order = np.argsort(mixed(drawn + np.uint64(folds.repeat)), kind="stable")
    fold = np.empty(len(classes), dtype=np.int64)
    for c, rarer in enumerate(folds.rarer.tolist()):
        of_class = order[classes[order] == c]
        fold[of_class] = (rarer + np.arange(len(of_class))) % folds.number
    return fold[folds.unit]


def _places_of_classes(rows: TreeRows, hashes: Any) -> IntArray:
    """Return the place of each class: rare ones first, equally frequent ones by their hashes.

    No code of a class matters.
    """
    totals = np.zeros(len(rows.class_counts), dtype=np.uint64)
    np.add.at(totals, rows.classes, mixed(hashes))
    return np.argsort(np.lexsort((totals, rows.class_counts)))
