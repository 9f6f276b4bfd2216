"""Rows in bins, in an order that follows from their content alone.

Nothing here depends on the order of rows or columns, on the texts or codes of classes and
categories, or on a growing change of a column: all ties are decided by hashes of the content.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.prediction._rows import LOGISTIC, MOST_BINS, SOFTMAX, SQUARES, TreeFolds, TreeRows

_Hashes = npt.NDArray[np.uint64]


class BinnedRows:
    """Columns in at most 64 bins, and the target, with the rows in a canonical order.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
        Without missing values.
    y : ndarray of shape (n_rows,)
    categorical : ndarray of bool of shape (n_total,)
    target_type : {"binary", "multiclass", "regression"}
    groups : ndarray of int of shape (n_rows,), optional
        Rows of a group are in the same fold.

    Attributes
    ----------
    order : ndarray of int of shape (n_rows,)
        The row in each place of the canonical order, in which all other attributes are.
    codes : ndarray of uint8 of shape (n_total + 1, n_rows)
        The bins. The last column is constant.
    n_bins : ndarray of int of shape (n_total + 1,)
    categorical : ndarray of bool of shape (n_total + 1,)
    rank : ndarray of int of shape (n_total + 1,)
        The place of each column in a canonical order.
    classes : ndarray of int of shape (n_rows,)
        The class of each row, in a canonical order of the classes; zeros for regression.
    numbers : ndarray of float of shape (n_rows,)
        The target, standardised; zeros for classes.
    hashes : ndarray of uint64 of shape (n_rows,)
        Equal only for rows that can replace each other.
    """

    def __init__(
        self,
        X: FloatArray,
        y: npt.NDArray[Any],
        categorical: BoolArray,
        target_type: str,
        groups: IntArray | None = None,
    ) -> None:
        n_rows, n_total = X.shape
        numbers, classes = np.unique(y, return_inverse=True)
        codes = np.zeros((n_total + 1, n_rows), dtype=np.uint8)
        for j in range(n_total):
            codes[j] = (_category_bins if categorical[j] else _number_bins)(X[:, j])
        self.categorical = np.append(categorical, False)
        self.n_bins = codes.max(axis=1, initial=0).astype(np.int64) + 1
        start = _of_target(classes, target_type == "regression")
        several = np.append(np.flatnonzero(codes[:-1].any(axis=1)), n_total)
        bins = np.full(n_total + 1, MOST_BINS)
        keys, rows = content_hashes(codes, self.categorical, bins, start, several)
        # Copies of a column have one key; what tells them apart is in other columns.
        self.rank = np.argsort(np.lexsort(keys[::-1]))
        self.order = np.argsort(rows, kind="stable")
        if len(np.unique(rows)) < n_rows:
            # Rows with equal hashes are equal or, in a symmetric table, in an order of their own.
            self.order = np.lexsort((classes, *codes[::-1], rows))
        self.hashes, self._of_target = rows[self.order], start[self.order]
        self._groups = None if groups is None else groups[self.order]
        self.codes = np.ascontiguousarray(codes[:, self.order])
        self._is_regression = target_type == "regression"
        self.classes, self.numbers = np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows)
        if self._is_regression:
            # Sums depend on the order.
            ordered = np.sort(y.astype(np.float64))
            spread = float(np.sqrt(np.mean((ordered - ordered.mean()) ** 2)))
            centred = y[self.order].astype(np.float64) - ordered.mean()
            self.numbers = centred / spread if spread > 0 else centred
            return
        # The rarest class first; of equally rare ones by their rows.
        counts = np.bincount(classes)
        totals = np.zeros(len(numbers), dtype=np.uint64)
        np.add.at(totals, classes, mixed(rows))
        place = np.argsort(np.lexsort((totals, counts)))
        self.classes = place[classes][self.order]

    def in_canonical_order(self, sets: IntArray) -> IntArray:
        """Return sets of columns, one in a row, in the canonical order of columns."""
        return np.take_along_axis(sets, np.argsort(self.rank[sets], axis=1), axis=1)

    def rows(self, places: IntArray) -> TreeRows:
        """Return some rows, by their places in the canonical order, for compiled trees."""
        counts = np.bincount(self.classes)
        loss = SQUARES if self._is_regression else LOGISTIC if len(counts) <= 2 else SOFTMAX
        return TreeRows(
            np.ascontiguousarray(self.codes[:, places]), self.n_bins, self.categorical, loss,
            len(counts) if loss == SOFTMAX else 1, self.numbers[places], self.classes[places],
            counts, self._of_target[places],
        )  # fmt: skip

    def folds(self, places: IntArray, number: int) -> TreeFolds:
        """Return folds of some rows to draw; a group is a unit, in its most frequent class."""
        unit, classes = np.arange(len(places)), self.classes[places]
        if self._groups is not None:
            unit = np.unique(self._groups[places], return_inverse=True)[1]
            counts = np.zeros((unit.max() + 1, classes.max() + 1))
            np.add.at(counts, (unit, classes), 1)
            classes = counts.argmax(axis=1)
        units = np.bincount(classes)
        rarer = np.array([units[units < n].sum() for n in units.tolist()], dtype=np.int64)
        return TreeFolds(number, np.empty(0, dtype=np.int64), unit, classes, rarer, 0)

    def sample(self, n_rows: int) -> IntArray:
        """Return places of at most so many rows, drawn by their content from all classes."""
        n = len(self.hashes)
        if n <= n_rows:
            return np.arange(n)
        ranked = np.lexsort((mixed(self.hashes), self.classes))
        return np.sort(ranked[np.arange(n_rows) * n // n_rows])


def _number_bins(values: FloatArray) -> IntArray:
    """Return bins of numbers by their ranks; frequent values have bins of their own."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(counts) <= MOST_BINS:
        return codes
    # A frequent value weighs as much as a bin, so that the others are divided more finely.
    weights = np.minimum(counts, max(1, len(values) // MOST_BINS))
    middles = 2 * np.cumsum(weights) - weights
    bins = MOST_BINS * middles // (2 * weights.sum())
    return np.unique(bins, return_inverse=True)[1][codes]


def _category_bins(values: FloatArray) -> IntArray:
    """Return a bin for each frequent category; the rest shares one."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(counts) <= MOST_BINS:
        return codes
    # Categories as frequent as the first one that is left out are left out, too.
    least = np.sort(counts)[-MOST_BINS]
    kept = counts > least
    bins = np.where(kept, np.cumsum(kept), 0)
    return bins[codes]


def _of_target(classes: IntArray, ordered: bool) -> _Hashes:
    """Return a hash of the target of each row."""
    # Numbers are told apart by their order, classes by their frequency.
    of_class = np.arange(classes.max() + 1) if ordered else np.bincount(classes)
    return mixed(of_class[classes].astype(np.uint64))


def content_hashes(
    codes: Any, categorical: BoolArray, n_bins: IntArray, rows: _Hashes, columns: IntArray
) -> tuple[_Hashes, _Hashes]:
    """Return hashes of columns, and of each row, by its content in them and not by its place.

    Columns have two: the first one is that of the column and the target alone.
    The bins of numbers are told apart by their order, those of categories by their rows. Columns
    that are not listed count as if they were not there. Two rounds tell apart what differs in
    its neighbours only (Weisfeiler and Leman 1968).

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_columns, n_rows)
    categorical : ndarray of bool of shape (n_columns,)
    n_bins : ndarray of int of shape (n_columns,)
        The number of bins of which a column's hash is made.
    rows : ndarray of uint64 of shape (n_rows,)
        A hash of each row's target.
    columns : ndarray of int

    Returns
    -------
    of_columns : ndarray of uint64 of shape (2, n_columns)
    of_rows : ndarray of uint64 of shape (n_rows,)
    """
    keys = np.zeros((2, len(codes)), dtype=np.uint64)
    ranks = mixed(np.arange(MOST_BINS, dtype=np.uint64))
    for turn in range(2):
        start = rows
        rows = start.copy()
        for j in columns:
            totals = ranks[: n_bins[j]].copy()
            if categorical[j]:
                totals[:] = 0
            np.add.at(totals, codes[j], start)
            of_bin = mixed(totals + keys[0, j] * np.uint64(turn))
            keys[turn, j] = of_bin.sum()
            rows += of_bin[codes[j]]
        rows = mixed(rows)
    return keys, rows


def mixed(numbers: _Hashes) -> _Hashes:
    """Return well-mixed hashes of 64 bits (the finaliser of SplitMix64, Steele et al. 2014)."""
    x = numbers + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
