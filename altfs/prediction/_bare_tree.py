"""Many decision trees on the same rows without scikit-learn's checks.

Each ``fit`` of an estimator checks its parameters, its data and the target. On small data this
takes longer than growing the tree. Here it is done once, and the compiled builder is called as
the estimator calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Grow = Callable[[npt.NDArray[np.float32]], Any]


class TreeGrower:
    """A function of float32 features that grows the ``tree_`` of an estimator.

    It can be pickled, which compiled code cannot.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or DecisionTreeRegressor
        Unfitted, with an int as random state. Only its criterion and its smallest leaf may
        differ from scikit-learn's defaults.
    y : ndarray of shape (n_rows,)
        The target of every tree.
    checked : bool, default=False
        Let the estimator check the features (missing or infinite values).
    """

    def __init__(self, estimator: Any, y: npt.NDArray[Any], *, checked: bool = False) -> None:
        self._state = estimator, y, checked
        self._grow = _grower(estimator, y, checked)

    def __call__(self, X: npt.NDArray[np.float32]) -> Any:
        return self._grow(X)

    def __getstate__(self) -> tuple[Any, npt.NDArray[Any], bool]:
        return self._state

    def __setstate__(self, state: tuple[Any, npt.NDArray[Any], bool]) -> None:
        self._state = state
        self._grow = _grower(*state)


def _grower(estimator: Any, y: npt.NDArray[Any], checked: bool) -> Grow:
    if not checked:
        try:
            return _bare_grower(estimator, y)
        except (ImportError, KeyError, TypeError):
            # This scikit-learn has other internals. The trees are the same, but slower.
            pass
    return lambda X: estimator.fit(X, y).tree_


def _bare_grower(estimator: Any, y: npt.NDArray[Any]) -> Grow:
    from sklearn.base import is_classifier
    from sklearn.tree._classes import CRITERIA_CLF, CRITERIA_REG
    from sklearn.tree._splitter import BestSplitter
    from sklearn.tree._tree import DepthFirstTreeBuilder, Tree

    random = np.random.RandomState(estimator.random_state)
    # A new seed takes longer than growing a small tree.
    state = random.get_state(legacy=False)
    extent: Any
    if is_classifier(estimator):
        classes, codes = np.unique(y, return_inverse=True)
        n_classes, values = np.array([len(classes)], dtype=np.intp), codes
        kind, extent = CRITERIA_CLF[estimator.criterion], n_classes
    else:
        n_classes, values = np.array([1], dtype=np.intp), y
        kind, extent = CRITERIA_REG[estimator.criterion], len(y)
    least = estimator.min_samples_leaf
    target = np.ascontiguousarray(values, dtype=np.float64).reshape(-1, 1)

    def grow(X: npt.NDArray[np.float32]) -> Any:
        random.set_state(state)
        tree = Tree(X.shape[1], n_classes, 1)
        splitter = BestSplitter(kind(1, extent), X.shape[1], least, 0.0, random, None)
        builder = DepthFirstTreeBuilder(
            splitter, max(2, 2 * least), least, 0.0, np.iinfo(np.int32).max, 0.0
        )
        builder.build(tree, X, target, None, None)
        return tree

    # An error here means that this scikit-learn has other internals.
    grow(np.zeros((len(y), 1), dtype=np.float32))
    return grow
