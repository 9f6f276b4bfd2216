"""SOFS: second-order learning that keeps the features whose weights are most certain.

Source: Wu, Hoi, Mei, Yu, *Large-Scale Online Feature Selection for Ultra-High Dimensional Sparse
Data*, ACM Transactions on Knowledge Discovery from Data 11, 2017 (Algorithm 2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.streams.rows.base import Learners, Rows, Shape

# The rows from which sums of squares are compared, and the ratio up to which they are equal.
_FEW, _ABOUT = 30, 1.05


class Sofs(Learners):
    """SOFS.

    Parameters
    ----------
    shape : Shape
    r : float, default=1
        The regularisation: the larger, the smaller are the steps.

    Attributes
    ----------
    variances : ndarray of shape (n_sets, n_vectors, room)
        The uncertainty of each weight, at first 1.
    """

    def __init__(self, shape: Shape, *, r: float = 1.0) -> None:
        super().__init__(shape)
        n_sets = shape.n_sets
        self.r = r
        self.variances: FloatArray = np.ones_like(self.weights)
        self._best: IntArray = np.zeros((n_sets, n_sets * shape.size), dtype=np.int64)
        self._numbers: IntArray = np.zeros(n_sets, dtype=np.int64)
        # The sums of the squares of the columns of dense tables.
        self._squares: FloatArray = np.zeros(0)

    def learn(self, X: Any, y: IntArray) -> None:
        super().learn(X, y)
        if not issparse(X):
            self._squares = np.pad(self._squares, (0, self.n_columns - len(self._squares)))
            self._squares[: X.shape[1]] += np.einsum("ij,ij->j", X, X)

    def doubt(self) -> str:
        used = self._squares[self._squares > 0]
        if self.n_rows < _FEW or len(used) < 2 or used.max() > _ABOUT * used.min():
            return ""
        return (
            "X: the columns have about equal squares, as after standardisation, so 'sofs' cannot "
            "tell them apart, use 'ofs', or columns of different scale or with many zeros."
        )

    def _extend(self, missing: int) -> None:
        super()._extend(missing)
        added = ((0, 0), (0, 0), (0, missing))
        self.variances = np.pad(self.variances, added, constant_values=1.0)

    def step(self, rows: Rows, signs: FloatArray) -> int:
        # Compiled code is slow to import.
        from altfs.kinds.streams.rows._steps import learn_sofs

        own, places = (self.weights, self.variances), (self._best, self._numbers)
        found, asked = (self.held, self.mistakes), (self.size, self.shared)
        return int(learn_sofs(*rows, signs, *own, *places, *found, *asked, self.r))
