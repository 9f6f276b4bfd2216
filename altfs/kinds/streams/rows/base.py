"""Linear classifiers of few features that learn side by side, row by row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, issparse

from altfs._numbers import FloatArray, IntArray

# Rows of a dense table that are converted at once.
_BLOCK = 4096


class Rows(NamedTuple):
    """Rows as compressed lists of their entries, in ascending order of the columns."""

    starts: IntArray
    columns: IntArray
    values: FloatArray


class Shape(NamedTuple):
    """The numbers of classes and learners, and the largest numbers of their features."""

    #: At least 2.
    n_classes: int
    #: The number of learners.
    n_sets: int
    #: The largest number of features of each.
    size: int
    #: The largest number of features that two of them share.
    shared: int


class Learners(ABC):
    """Linear classifiers of at most `size` features; no two share more than `shared` features.

    All see every row. Of its columns, each one keeps the best that differ enough from those of
    the learners before it. If these change, it is cut again. More than two classes have a vector
    of weights each, one class against the rest.

    Parameters
    ----------
    shape : Shape

    Attributes
    ----------
    weights : ndarray of shape (n_sets, n_vectors, room)
        One vector for two classes. There is room for more columns.
    held : ndarray of bool of shape (n_sets, room)
        True for weights that are not 0.
    n_columns, n_rows, updates : int
        The number of columns and of rows so far, and of changes of a vector.
    mistakes : ndarray of int of shape (n_sets,)
        The number of rows whose class was predicted wrongly, before they were learned.
    """

    def __init__(self, shape: Shape) -> None:
        n_classes, n_sets, self.size, self.shared = shape
        self.n_classes = n_classes
        self.weights: FloatArray = np.zeros((n_sets, 1 if n_classes == 2 else n_classes, 0))
        self.held = np.zeros((n_sets, 0), dtype=bool)
        self.mistakes = np.zeros(n_sets, dtype=np.int64)
        self.n_rows = self.updates = self.n_columns = 0

    def grow(self, n_columns: int) -> None:
        """Make room for columns that appear late, for twice as many if there is too little."""
        self.n_columns = max(n_columns, self.n_columns)
        room = self.weights.shape[2]
        if n_columns > room:
            self._extend(max(n_columns, 2 * room) - room)

    def _extend(self, missing: int) -> None:
        self.weights = np.pad(self.weights, ((0, 0), (0, 0), (0, missing)))
        self.held = np.pad(self.held, ((0, 0), (0, missing)))

    def learn(self, X: Any, y: IntArray) -> None:
        """Learn rows, one after the other.

        Parameters
        ----------
        X : ndarray or sparse array of shape (n_rows, n_columns)
            Finite numbers.
        y : ndarray of int of shape (n_rows,)
            Classes as 0, 1, ...
        """
        self.grow(X.shape[1])
        step = X.shape[0] if issparse(X) else _BLOCK
        for first in range(0, X.shape[0], max(step, 1)):
            classes = y[first : first + step]
            own = np.arange(self.n_classes) if self.n_classes > 2 else np.ones(1)
            signs = np.where(classes[:, None] == own, 1.0, -1.0)
            self.updates += self.step(rows_of(X[first : first + step]), signs)
            self.n_rows += len(classes)

    @abstractmethod
    def step(self, rows: Rows, signs: FloatArray) -> int:
        """Learn rows, and return the number of changes of a vector.

        Parameters
        ----------
        rows : Rows
        signs : ndarray of shape (n_rows, n_vectors)
            1 for rows of the class of a vector, else -1.
        """

    def scores(self, X: Any, i: int) -> FloatArray:
        """Return the products of rows and the vectors of learner i."""
        return np.asarray(X @ self.weights[i][:, : X.shape[1]].T)

    def classes(self, X: Any, i: int) -> IntArray:
        """Return the classes that learner i predicts; of equal scores, the first class."""
        found = self.scores(X, i)
        one = found[:, 0] > 0 if self.n_classes == 2 else found.argmax(axis=1)
        return one.astype(np.int64)

    def sets(self, overlap: Callable[[int, int], int] | None = None) -> list[tuple[int, ...]]:
        """Return the features of each learner.

        Parameters
        ----------
        overlap : callable, optional
            The largest number of features that two sets of two sizes may share. It matters for
            sets with fewer than `size` features, which lose shared ones of small weight.
        """
        found: list[set[int]] = []
        for i, one in enumerate(self.held):
            chosen = set(np.flatnonzero(one).tolist())
            sizes = np.abs(self.weights[i]).sum(axis=0)
            for other in found:
                while overlap and len(chosen & other) > overlap(len(other), len(chosen)):
                    chosen.remove(min(chosen & other, key=lambda j: (sizes[j], -j)))
            found.append(chosen)
        return [tuple(sorted(one)) for one in found]

    def doubt(self) -> str:
        """Return why the features are not to be trusted; empty if there is no reason."""
        return ""


def rows_of(X: Any) -> Rows:
    """Convert a table; zeros of a dense one stay entries.

    >>> rows_of(np.array([[0.0, 2.0]]))
    Rows(starts=array([0, 2]), columns=array([0, 1]), values=array([0., 2.]))
    """
    if not issparse(X):
        n_rows, width = X.shape
        values = np.array(X, dtype=np.float64, order="C").ravel()
        return Rows(np.arange(n_rows + 1) * width, np.tile(np.arange(width), n_rows), values)
    X = csr_array(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    return Rows(X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data)
