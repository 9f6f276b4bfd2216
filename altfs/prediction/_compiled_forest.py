"""Scores of feature sets on held-out rows, by a small forest of compiled trees."""

from __future__ import annotations

from collections.abc import Sequence
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
# Fewer sets than this are not worth a thread.
_SETS_OF_A_JOB = 32
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
            totals = [
                _of_one_size(rows, drawn._replace(repeat=repeat), columns) for repeat in repeats
            ]
            scores[of_size] = sum(totals) / len(repeats)
        return scores


def _of_one_size(rows: TreeRows, folds: TreeFolds, columns: IntArray) -> FloatArray:
    from sklearn.utils.parallel import Parallel, delayed

    # Compiled code is slow to import.
    from altfs.prediction._boosted_trees import Boosting, held_out_scores

    boosting = Boosting(_TREES, _DEPTH, _RATE, _PENALTY, _LEAST)
    blocks = np.array_split(columns, max(1, len(columns) // _SETS_OF_A_JOB))
    if len(blocks) == 1:
        return held_out_scores(rows, folds, columns, boosting)
    jobs = (delayed(held_out_scores)(rows, folds, block, boosting) for block in blocks)
    scores: FloatArray = np.concatenate(Parallel(require="sharedmem")(jobs))
    return scores
