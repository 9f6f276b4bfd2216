"""Rows of compiled trees, and the folds in which these are held out."""

from __future__ import annotations

from typing import Any, NamedTuple

from altfs._numbers import BoolArray, FloatArray, IntArray

#: The largest number of bins of a column.
MOST_BINS = 64
#: The losses: squares, logistic of two classes, softmax of more.
SQUARES, LOGISTIC, SOFTMAX = 0, 1, 2


class TreeRows(NamedTuple):
    """Rows in bins; the same for all sets."""

    #: The bins, of shape (n_columns, n_rows), their number, and whether they are categories.
    codes: Any
    n_bins: IntArray
    categorical: BoolArray
    loss: int
    n_outputs: int
    #: The numbers of the target; zeros for classes.
    numbers: FloatArray
    #: The class of each row, rare ones first, and the rows of each; zeros for numbers.
    classes: IntArray
    class_counts: IntArray
    #: A hash of the target of each row.
    hashes: Any


class TreeFolds(NamedTuple):
    """The fold in which each row is held out.

    Folds that are not given are drawn by the content of the rows in the columns of a set, and its
    target, so that other columns do not matter. They divide the units of each class.
    """

    number: int
    #: Given folds; empty if they are drawn. A row of fold f from 0 is held out once, and learned
    #: from in the other folds. One of fold -1 is always learned from.
    given: IntArray
    #: TreeRows of a unit, such as those of a patient, have one fold.
    unit: IntArray
    unit_class: IntArray
    #: The units of the classes that are rarer than each class.
    rarer: IntArray
    #: Each number draws other folds.
    repeat: int
