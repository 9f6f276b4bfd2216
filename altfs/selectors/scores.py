"""Scores that selectors share: computed once per dataset and fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.prediction.decision_tree import DecisionTree
from altfs.selectors._estimator import PairEstimator, check_enough_rows

Matrix = npt.NDArray[np.float64]


def relevance(
    X: Matrix, y: npt.NDArray[Any], target_type: str, seed: int, variant: str = "auto"
) -> Matrix:
    """Mutual information of every feature with the target.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    seed : int
        Random state of the estimator's noise.
    variant : {"auto", "regression", "classification"}, default="auto"
        Which of scikit-learn's estimators: `mutual_info_regression` or
        `mutual_info_classif`. "auto" takes the latter for more than two
        classes only, as the paper's study used the former for two classes.

    Returns
    -------
    ndarray of shape (n_total,)
        In nats, at least 0.

    Raises
    ------
    DataError
        If there are fewer than 4 rows.
    """
    check_enough_rows(len(y))
    if variant == "auto":
        variant = "classification" if target_type == "multiclass" else "regression"
    if variant == "regression":
        n_total = X.shape[1]
        return PairEstimator(X, y[:, None], seed)(np.arange(n_total), np.zeros(n_total))
    from sklearn.feature_selection import mutual_info_classif

    return np.asarray(mutual_info_classif(X, y, random_state=seed), dtype=np.float64)


def redundancy(X: Matrix, columns: range, seed: int) -> Matrix:
    """Mutual information of every feature with some features as targets.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
    columns : range
        The features that take the target's place. The values do not depend on
        which columns are computed together.
    seed : int
        Random state of the estimator's noise.

    Returns
    -------
    ndarray of shape (n_total, len(columns))
        Entry (i, c): I(feature i, feature columns[c]) in nats, the value of
        `mutual_info_regression`. The estimate is not symmetric.

    Raises
    ------
    DataError
        If there are fewer than 4 rows.
    """
    features, targets = np.indices((X.shape[1], len(columns)))
    estimate = PairEstimator(X, X[:, columns], seed)
    return estimate(features.ravel(), targets.ravel()).reshape(features.shape)


def conflicts(X: Matrix, relevance: Matrix, columns: range, seed: int) -> npt.NDArray[np.bool_]:
    """Pairs of features that FCBF forbids, without the whole matrix.

    Two features exclude each other if I(i, j) >= I(j, target), or the same the
    other way round. The test with the less relevant feature in the target's
    place is the likelier to hold, so it comes first; the other one is made only
    if that does not decide.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
    relevance : ndarray of shape (n_total,)
        I(feature, target), raw.
    columns : range
        The features whose pairs are decided. Each feature owns the pairs with
        the following half of the features (after the last comes the first), so
        every pair is decided once, and all features have the same work.
    seed : int
        Random state of the estimator's noise.

    Returns
    -------
    ndarray of bool of shape (n_total, len(columns))
        Entry (i, c): features i and columns[c] exclude each other. Not
        symmetric: only one of the two owns the pair.
    """
    n_total = X.shape[1]
    own, steps = np.indices((len(columns), n_total // 2)).reshape(2, -1)
    one = np.asarray(columns, dtype=np.int64)[own]
    other = (one + steps + 1) % n_total
    # Of two features that are half a round apart, the first one owns the pair.
    kept = (2 * (steps + 1) < n_total) | (one < other)
    own, one, other = own[kept], one[kept], other[kept]
    weak = np.where(relevance[one] <= relevance[other], one, other)
    strong = one + other - weak
    found = relevance[weak] == 0
    if not found.all():
        estimate = PairEstimator(X, X, seed)
        for feature, target in ((strong, weak), (weak, strong)):
            left = np.flatnonzero(~found)
            found[left] = relevance[target[left]] <= estimate(feature[left], target[left])
    result = np.zeros((n_total, len(columns)), dtype=bool)
    result[other, own] = found
    return result


def importances(X: Matrix, y: npt.NDArray[Any], target_type: str, seed: int) -> Matrix:
    """Feature importances of one decision tree on all features.

    Returns
    -------
    ndarray of shape (n_total,)
        At least 0; they sum to 1, or are all 0 if the tree has no split.
    """
    tree = DecisionTree().estimator(target_type, seed)
    return np.asarray(tree.fit(X, y).feature_importances_, dtype=np.float64)


def normalised(values: Matrix) -> Matrix:
    """Values divided by their sum; zeros stay zeros.

    Examples
    --------
    >>> import numpy as np
    >>> normalised(np.array([1.0, 3.0])), normalised(np.zeros(2))
    (array([0.25, 0.75]), array([0., 0.]))
    """
    total = values.sum()
    return values / total if total > 0 else np.zeros_like(values)
