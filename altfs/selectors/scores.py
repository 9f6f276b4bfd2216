"""Scores that selectors share: computed once per dataset and fold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.prediction.decision_tree import DecisionTree

Matrix = npt.NDArray[np.float64]

# scikit-learn's estimators look at the three nearest neighbours of every row.
_FEWEST_ROWS = 4


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
    from sklearn.feature_selection import mutual_info_classif, mutual_info_regression

    if len(y) < _FEWEST_ROWS:
        raise DataError(
            f"{len(y)} rows are too few for mutual information, {_FEWEST_ROWS} are needed."
        )
    if variant == "auto":
        variant = "classification" if target_type == "multiclass" else "regression"
    estimate = mutual_info_classif if variant == "classification" else mutual_info_regression
    return np.asarray(estimate(X, y, random_state=seed), dtype=np.float64)


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
        Entry (i, c): I(feature i, feature columns[c]) in nats. The estimate is
        not symmetric.
    """
    from sklearn.feature_selection import mutual_info_regression

    result = np.empty((X.shape[1], len(columns)))
    for c, j in enumerate(columns):
        result[:, c] = mutual_info_regression(X, X[:, j], random_state=seed)
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
