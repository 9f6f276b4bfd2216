"""Tree training: what a decision tree on a feature set explains of the rows it learns from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.quality.black_box import BlackBox


class TreeTraining(BlackBox):
    """The share of the impurity of a target that a decision tree on a feature set removes.

    Solvers that need no rows treat it as any black box. The solver ``embedded_tree`` grows a
    tree on the rows.

    Parameters
    ----------
    function : callable
        A function of a sorted tuple of feature indices that returns the share, from 0 to 1.
    X : ndarray of shape (n_rows, n_total)
    target : ndarray of shape (n_rows, n_columns)
        Of classes a column of zeros and ones for each, of numbers the numbers.
    min_leaf : int, default=1
        The smallest number of rows in a leaf.
    max_iterations : int, default=1000
        The largest number of candidate sets of a search.

    Attributes
    ----------
    of_classes : bool
        True if the impurity is the entropy of classes, False if it is the variance of numbers.
    """

    def __init__(
        self,
        function: Callable[[tuple[int, ...]], float],
        X: npt.NDArray[np.floating[Any]],
        target: npt.NDArray[np.float64],
        *,
        min_leaf: int = 1,
        max_iterations: int = 1000,
    ) -> None:
        super().__init__(function, X.shape[1], 1.0, max_iterations)
        self.X, self.target, self.min_leaf = X, target, min_leaf
        self.of_classes = target.shape[1] > 1
