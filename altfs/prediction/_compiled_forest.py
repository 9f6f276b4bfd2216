"""Scores of feature sets on held-out rows, by a small forest of compiled trees."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.prediction._binned import BinnedRows
from altfs.prediction._rows import TreeFolds, TreeRows

# The trees are grown one after the other, each on what the trees before leave unexplained.
_TREES, _DEPTH, _RATE = 30, 4, 0.2
# The ridge penalty of a leaf's value, and its least sum of second derivatives.
_PENALTY, _LEAST = 1.0, 2.0
# Blocks of sets take different times, so each thread takes some of them.
_BLOCKS_OF_A_THREAD = 4
# A fold that is always learned from, and one that is not used.
_LEARNED, _UNUSED = -1, -2


class ForestJudge:
    """A small forest that judges feature sets of a table by their scores on held-out rows.

    Thirty trees of depth 4 are boosted on at most 64 bins of each column (see
    :mod:`altfs.prediction._boosted_trees`). The score of numbers is R^2. That of classes is the
    area under the ROC curve, with several classes the mean of each class against the others.
    Scores do not depend on the order of rows and columns, on the codes of classes and
    categories, on a growing change of a column of numbers, or on columns that are not in the
    set; of many rows, the sample depends on all columns. Nothing is drawn.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
        Without missing values.
    y : ndarray of shape (n_rows,)
    categorical : ndarray of bool of shape (n_total,)
        The columns that are categories.
    target_type : {"binary", "multiclass", "regression"}
    groups : ndarray of int of shape (n_rows,), optional
        Rows of a group are held out together.

    Attributes
    ----------
    rank : ndarray of int of shape (n_total,)
        The place of each column in an order that follows from the values.

    Examples
    --------
    >>> X = np.repeat(np.arange(2.0), 40)[:, None] * [1, 0]
    >>> judge = ForestJudge(X, X[:, 0], np.zeros(2, dtype=bool), "binary")
    >>> judge.score([(0,), (1,), ()], np.arange(0, 80, 2), np.arange(1, 80, 2)).tolist()
    [1.0, 0.5, 0.5]
    """

    def __init__(
        self,
        X: FloatArray,
        y: npt.NDArray[Any],
        categorical: BoolArray,
        target_type: str,
        groups: IntArray | None = None,
    ) -> None:
        self._rows = BinnedRows(X, y, categorical, target_type, groups)
        self._n_total = X.shape[1]
        self.rank = self._rows.rank[:-1]

    def score(
        self, sets: Sequence[Sequence[int]], train_rows: IntArray, test_rows: IntArray
    ) -> FloatArray:
        """Return the score of each set, learned on some rows and judged on others.

        Parameters
        ----------
        sets : sequence of sequence of int
            Column numbers; sets of any sizes, also without features.
        train_rows, test_rows : ndarray of int
            Row numbers, without common ones.

        Returns
        -------
        ndarray of shape (n_sets,)
            NaN if the test rows have one class or one number only.
        """
        fold = np.full(len(self._rows.order), _UNUSED)
        fold[train_rows], fold[test_rows] = _LEARNED, 0
        fold = fold[self._rows.order]
        places = np.flatnonzero(fold > _UNUSED)
        return self._scores(sets, places, 1, range(1), fold[places])

    def cross_validated(
        self, sets: Sequence[Sequence[int]], max_rows: int, folds: int, repeats: int, first: int = 0
    ) -> FloatArray:
        """Return the mean score of each set over folds of the rows, by class if there are any.

        Parameters
        ----------
        sets : sequence of sequence of int
        max_rows : int
            The largest number of rows in use; of more rows a sample.
        folds, repeats : int
        first : int, default=0
            The number of the first repeat; each has other folds.

        Returns
        -------
        ndarray of shape (n_sets,)
            NaN if no fold has two classes or two numbers.
        """
        numbers = range(first, first + repeats)
        return self._scores(sets, self._rows.sample(max_rows), folds, numbers)

    def _scores(
        self,
        sets: Sequence[Sequence[int]],
        places: IntArray,
        n_folds: int,
        repeats: Sequence[int],
        given: IntArray | None = None,
    ) -> FloatArray:
        """Return the mean score of each set over repeats of folds, which may be given."""
        rows = self._rows.rows(places)
        drawn = self._rows.folds(places, n_folds)
        if given is not None:
            drawn = drawn._replace(given=given)
        scores = np.empty(len(sets))
        # Columns of one value tell nothing.
        tells = self._rows.n_bins > 1
        told = [tuple(j for j in chosen if tells[j]) for chosen in sets]
        sizes = np.array([len(chosen) for chosen in told], dtype=np.int64)
        for size in np.unique(sizes):
            of_size = np.flatnonzero(sizes == size).tolist()
            # The empty set is that of the constant column.
            listed = [told[i] or (self._n_total,) for i in of_size]
            columns = self._rows.in_canonical_order(np.array(listed, dtype=np.int64))
            repeated = [drawn._replace(repeat=repeat) for repeat in repeats]
            scores[of_size] = _of_one_size(rows, repeated, columns)
        return scores


def _of_one_size(rows: TreeRows, repeats: Sequence[TreeFolds], columns: IntArray) -> FloatArray:
    """Return the mean score of each set over repeats of folds, on the threads of joblib."""
    from joblib import effective_n_jobs

    # Compiled code is slow to import.
    from altfs.prediction._boosted_trees import Boosting, held_out_score
    from altfs.prediction._ordered_rows import order_rows

    boosting = Boosting(_TREES, _DEPTH, _RATE, _PENALTY, _LEAST)
    n_threads = min(effective_n_jobs(None), os.cpu_count() or 1)
    blocks = np.array_split(columns, min(len(columns), _BLOCKS_OF_A_THREAD * n_threads))
    jobs = [(folds, block) for folds in repeats for block in blocks]

    def scores_of(job: tuple[TreeFolds, IntArray]) -> list[float]:
        folds, sets = job
        ordered = (order_rows(rows, folds, chosen) for chosen in sets)
        return [
            held_out_score(of_set, rows.loss, rows.n_outputs, folds.number, boosting)
            for of_set in ordered
        ]

    if n_threads == 1:
        parts = [*map(scores_of, jobs)]
    else:
        # joblib looks every hundredth of a second whether its jobs have ended.
        with ThreadPoolExecutor(n_threads) as pool:
            parts = [*pool.map(scores_of, jobs)]
    n_blocks = len(blocks)
    totals = [np.concatenate(parts[i : i + n_blocks]) for i in range(0, len(parts), n_blocks)]
    means: FloatArray = np.sum(totals, axis=0) / len(repeats)
    return means
