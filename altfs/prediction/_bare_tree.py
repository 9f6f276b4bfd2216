"""Growing many decision trees on the same rows without scikit-learn's checks.

An estimator's ``fit`` validates its parameters and data and looks at the target
anew; on small data that takes longer than the tree itself. Here all of it is
done once, and the compiled builder is called as the estimator would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Grow = Callable[[npt.NDArray[np.float32]], Any]


def tree_grower(estimator: Any, y: npt.NDArray[Any], *, checked: bool = False) -> Grow:
    """Return a function that grows the trees which an estimator would fit.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or DecisionTreeRegressor
        Unfitted, with an int as random state; only its criterion may differ
        from scikit-learn's defaults.
    y : ndarray of shape (n_rows,)
        The target of every tree.
    checked : bool, default=False
        Let the estimator check the features (missing or infinite values).

    Returns
    -------
    callable
        Takes features of shape (n_rows, n_features) as float32, returns the
        estimator's ``tree_``.
    """
    if not checked:
        try:
            return _bare_grower(estimator, y)
        except (ImportError, KeyError, TypeError):
            # A scikit-learn with other internals: slower, but the same trees.
            pass
    return lambda X: estimator.fit(X, y).tree_


def _bare_grower(estimator: Any, y: npt.NDArray[Any]) -> Grow:
    from sklearn.base import is_classifier
    from sklearn.tree._classes import CRITERIA_CLF, CRITERIA_REG
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

    random = np.random.RandomState(estimator.random_state)
    # Seeding takes longer than growing a small tree.
    state = random.get_state(legacy=False)
    extent: Any
    if is_classifier(estimator):
        classes, codes = np.unique(y, return_inverse=True)
        n_classes, values = np.array([len(classes)], dtype=np.intp), codes
        kind, extent = CRITERIA_CLF[estimator.criterion], n_classes
    else:
        n_classes, values = np.array([1], dtype=np.intp), y
        kind, extent = CRITERIA_REG[estimator.criterion], len(y)
    target = np.ascontiguousarray(values, dtype=np.float64).reshape(-1, 1)

    def grow(X: npt.NDArray[np.float32]) -> Any:
        random.set_state(state)
        tree = Tree(X.shape[1], n_classes, 1)
        splitter = BestSplitter(kind(1, extent), X.shape[1], 1, 0.0, random, None)
        builder = DepthFirstTreeBuilder(splitter, 2, 1, 0.0, np.iinfo(np.int32).max, 0.0)
        builder.build(tree, X, target, None, None)
        return tree

    # Whether these internals are known shows when they are used.
    grow(np.zeros((len(y), 1), dtype=np.float32))
    return grow
