"""The base of selectors whose rows arrive one by one."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array, issparse

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.errors import DataWarning
from altfs.kinds.streams.stream import Stream, StreamResult
from altfs.kinds.streams.streaming_selector import OnePassSelector
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.selectors.base import refuse_numbers

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
#: The starts of rows, and the columns and values of their entries, the columns ascending.
EntriesOfRows = tuple[IntArray, IntArray, FloatArray]

# Rows of a table that are converted at once.
_BLOCK = 4096


class OnlineSelector(OnePassSelector):
    """The base class of selectors whose rows arrive one by one.

    A selector has options alone. `begin` returns one that learns: linear classifiers of at most
    `size` features, of which no two share more than `shared` features. All see every row. Of its
    columns, each one keeps the best that differ enough from those of the classifiers before it.
    If these change, it is cut again. More than two classes have a vector of weights each, one
    class against the rest.

    The quality of a set is the share of rows whose class is predicted by a classifier that
    learned the training part with these features alone.

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

    needs_size = True
    n_classes: int
    size: int
    shared: int
    weights: FloatArray
    held: BoolArray
    mistakes: IntArray
    n_columns: int
    n_rows: int
    updates: int

    def begin(self, n_classes: int, n_sets: int, size: int, shared: int, seed: int = 0) -> Self:
        """Return a selector with these options that learns rows of at least two classes.

        `size` and `shared` are the largest number of features of each of `n_sets` classifiers, and
        that of two of them; `seed` is the random state of the part.
        """
        learners = copy(self)
        learners.n_classes, learners.size, learners.shared = n_classes, size, shared
        learners.weights = np.zeros((n_sets, 1 if n_classes == 2 else n_classes, 0))
        learners.held = np.zeros((n_sets, 0), dtype=bool)
        learners.mistakes = np.zeros(n_sets, dtype=np.int64)
        learners.n_rows = learners.updates = learners.n_columns = 0
        learners.prepare(seed)
        return learners

    def prepare(self, seed: int) -> None:
        """Set up what a method needs besides weights."""
        return

    @abstractmethod
    def step(self, rows: EntriesOfRows, signs: FloatArray) -> int:
        """Learn rows, and return the number of changes of a vector.

        `signs`, of shape (n_rows, n_vectors), are 1 for rows of the class of a vector, else -1.
        """

    @property
    def arrays(self) -> tuple[Any, ...]:
        """Arrays that compiled steps read and change."""
        return self.weights, self.held, self.mistakes, self.size, self.shared

    def grow(self, n_columns: int) -> None:
        """Make room for columns that appear late, for twice as many if there is too little."""
        self.n_columns = max(n_columns, self.n_columns)
        room = self.weights.shape[2]
        if n_columns > room:
            self._extend(max(n_columns, 2 * room) - room)

    def _extend(self, missing: int) -> None:
        self.weights = np.pad(self.weights, ((0, 0), (0, 0), (0, missing)))
        self.held = np.pad(self.held, ((0, 0), (0, missing)))

    def learn_rows(self, X: Any, y: IntArray) -> None:
        """Learn rows of finite numbers, dense or sparse; their classes are 0, 1, ..."""
        self.grow(X.shape[1])
        for first in range(0, len(y), _BLOCK):
            classes = y[first : first + _BLOCK]
            of_vector = np.arange(self.n_classes) if self.n_classes > 2 else np.ones(1)
            signs = np.where(classes[:, None] == of_vector, 1.0, -1.0)
            self.updates += self.step(entries_of(X[first : first + _BLOCK]), signs)
            self.n_rows += len(classes)

    def scores_of(self, X: Any, i: int) -> FloatArray:
        """Return the products of rows and the vectors of classifier i."""
        return np.asarray(X @ self.weights[i][:, : X.shape[1]].T)

    def classes_of(self, X: Any, i: int) -> IntArray:
        """Return the classes that classifier i predicts; of equal scores, the first class."""
        scores = self.scores_of(X, i)
        classes = scores[:, 0] > 0 if self.n_classes == 2 else scores.argmax(axis=1)
        return classes.astype(np.int64)

    def sets(self, overlap: Callable[[int, int], int] | None = None) -> list[FeatureIndices]:
        """Return the features of each classifier.

        `overlap` is the largest number of features that two sets of two sizes may share. Sets with
        fewer than `size` features lose shared ones of small weight.
        """
        sets: list[set[int]] = []
        for held, weights in zip(self.held, self.weights, strict=True):
            features = set(np.flatnonzero(held).tolist())
            sizes = np.abs(weights).sum(axis=0)
            for other in sets:
                while overlap and len(features & other) > overlap(len(other), len(features)):
                    features.remove(min(features & other, key=lambda j: (sizes[j], -j)))
            sets.append(features)
        return [tuple(sorted(features)) for features in sets]

    def doubt(self) -> str:
        """Return why the features are not to be trusted; empty if there is no reason."""
        return ""

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        refuse_numbers(self.name, target_type, "grafting")

    def quality(self, part: Part, judged: Part | None = None) -> RowStream:
        self.check_target(part.y, part.target_type, part.seed)
        return RowStream(self, part, judged)


class RowStream(Stream):
    """The rows of a part, which classifiers see one by one."""

    needs_size = True

    def __init__(self, selector: OnlineSelector, part: Part, judged: Part | None = None) -> None:
        super().__init__(selector, part, judged)
        self.classes, self._codes = np.unique(part.y, return_inverse=True)

    def _learn(
        self, columns: Sequence[int] | slice, n_sets: int, size: int, shared: int
    ) -> OnlineSelector:
        """Return classifiers that have seen these columns of all rows."""
        X, y, seed = self.part.X[:, columns], self._codes, self.part.seed
        order = self.selector.order(len(y), seed)
        if order is not None:
            X, y = X[order], y[order]
        n_classes = max(len(self.classes), 2)
        learners: OnlineSelector = self.selector.begin(n_classes, n_sets, size, shared, seed)
        learners.learn_rows(X, y)
        return learners

    def evaluate(self, indices: Sequence[int]) -> float:
        columns = sorted(indices)
        learners = self._learn(columns, 1, len(columns), 0)
        predicted = self.classes[learners.classes_of(self.judged.X[:, columns], 0)]
        return float((predicted == self.judged.y).mean())

    def find(
        self, n_sets: int, overlap: Callable[[int, int], int], largest: int | None
    ) -> StreamResult:
        size = self.n_total if largest is None else largest
        learners = self._learn(slice(None), n_sets, size, overlap(size, size))
        if why := learners.doubt():
            warnings.warn(why, DataWarning, stacklevel=2)
        return StreamResult(learners.sets(overlap), learners.updates, {}, [])


def entries_of(X: Any) -> EntriesOfRows:
    """Return the entries of the rows of a table; zeros of a dense one stay entries.

    >>> entries_of(np.array([[0.0, 2.0]]))
    (array([0, 2]), array([0, 1]), array([0., 2.]))
    """
    if not issparse(X):
        n_rows, width = X.shape
        values = np.array(X, dtype=np.float64, order="C").ravel()
        return np.arange(n_rows + 1) * width, np.tile(np.arange(width), n_rows), values
    X = csr_array(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    return X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data
