"""Several feature sets while rows arrive, each with a linear classifier."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from altfs._numbers import (
    check_lengths,
    check_matrix,
    check_not_empty,
    check_place,
    check_whole,
    is_finite,
)
from altfs.datasets.table import MOST_CLASSES
from altfs.errors import AltfsError, DataWarning
from altfs.kinds.streams.online_selector import OnlineSelector
from altfs.kinds.streams.streamed_sets import StreamedSets
from altfs.library.feature_sets import feature_set
from altfs.library.tables import numbers_in, read_table
from altfs.problem.results import NAN, FeatureSet, Status


@dataclass(eq=False, repr=False)
class OnlineAlternatives(StreamedSets, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Linear classifiers of few features that learn row by row, with alternatives.

    All classifiers see every row. Each keeps the best features for it that differ enough from
    those of the classifiers before it, after every row. The original one, with number 0, is that
    of the method alone. A pickled estimator goes on where it was.

    Columns are taken as they are. Scale them first for "ofs" and "ofs_partial". "sofs" needs
    columns of different scale, or with many zeros.

    Parameters
    ----------
    method : str, mapping, OnlineSelector or type
        "ofs", "ofs_partial" or "sofs", ``{"type": ..., "options": {...}}``, or such a class or
        object. "ofs_partial" sees only `n_features` values of each row.
    n_features : int, default=5
        The largest number of features of each classifier.
    n_alternatives, tau, max_overlap, dissimilarity
        As in :class:`AlternativeFeatures`, of sets of `n_features` features. Smaller ones share as
        few features.
    random_state : int, RandomState instance or None, default=0
        The seed of the columns that "ofs_partial" draws.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        More than two have a vector of weights each, one class against the rest.
    feature_sets_ : list of FeatureSet
        The features as they are now, those of the original classifier first; empty sets are left
        out. `train_objective` is the share of rows whose class was predicted before they were
        learned.
    mistakes_ : ndarray of int of shape (n_alternatives + 1,)
        The number of rows whose class was not predicted before they were learned.
    names_ : list of str
        The names of the columns so far.
    n_features_in_ : int
        The number of columns so far.

    See Also
    --------
    FeatureStream : Features that arrive one by one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.preprocessing import scale
    >>> from altfs import OnlineAlternatives
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> online = OnlineAlternatives("ofs", n_features=3, tau=1)
    >>> for rows in range(0, 569, 100):
    ...     _ = online.partial_fit(scale(X)[rows : rows + 100], y[rows : rows + 100])
    >>> [features.names for features in online.feature_sets_]
    [('x5', 'x9', 'x13'), ('x7', 'x10', 'x11')]
    """

    method: Any = "ofs"
    _: KW_ONLY
    n_features: int = 5

    def fit(self, X: Any, y: Any) -> Self:
        """Learn rows, and forget those of an earlier fit.

        Parameters
        ----------
        X, y
            See `partial_fit`.

        Returns
        -------
        self
        """
        if hasattr(self, "classes_"):
            del self.classes_
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn rows, one after the other. The size of the batches changes nothing.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
            Finite numbers; numpy, pandas, polars or scipy.
        y : array-like of shape (n_rows,)
            Classes, as text or at most 20 different whole numbers, unless `classes` has more.
        classes : array-like of shape (n_classes,), optional
            All classes, by default those of the first call. If there is one, a second may follow.

        Returns
        -------
        self

        Raises
        ------
        AltfsError
            If the rows cannot be used. Then none of them is learned.
        """
        labels = _labels(y)
        matrix, added = self._read(X)
        check_lengths("y", len(labels), matrix.shape[0])
        return self._learn(matrix, added, labels, classes)

    def learn_one(self, x: Mapping[Any, float], y: Any) -> Self:
        """Learn one row.

        Parameters
        ----------
        x : dict
            The values by the names of the columns. Columns that are left out are 0, and new ones
            may appear at any time.
        y : bool, int or str
            Its class. The first two that appear are the classes, unless `partial_fit` named them.

        Returns
        -------
        self
        """
        values = _values(x)
        index = self._index if hasattr(self, "classes_") else {}
        new = (name for name in values if name not in index)
        added = {name: j for j, name in enumerate(new, len(index))}
        columns = (added[name] if name in added else index[name] for name in values)
        row = _row(dict(zip(columns, values.values(), strict=True)), len(index) + len(added))
        return self._learn(row, added, _labels([y]), None)

    def predict(self, X: Any, alternative: int = 0) -> npt.NDArray[Any]:
        """Predict the classes of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
        alternative : int, default=0
            Number of the classifier; 0 is the original one.

        Returns
        -------
        ndarray of shape (n_rows,)
            Of equal scores, the first class.
        """
        return self._predicted(self._read(X)[0], self._place(alternative))

    def decision_function(self, X: Any, alternative: int = 0) -> npt.NDArray[np.float64]:
        """Return the scores of rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_columns)
        alternative : int, default=0

        Returns
        -------
        ndarray of shape (n_rows,) for two classes, else (n_rows, n_classes)
        """
        place = self._place(alternative)
        scores = self._learners.scores_of(self._read(X)[0], place)
        return scores[:, 0] if len(self.classes_) < 3 else scores

    def predict_one(self, x: Mapping[Any, float], alternative: int = 0) -> Any:
        """Predict the class of a row; columns that are not known do not count.

        Parameters
        ----------
        x : dict
            The values by the names of the columns.
        alternative : int, default=0

        Returns
        -------
        object
            One of the classes.
        """
        place, index = self._place(alternative), self._index
        values = {index[name]: value for name, value in _values(x).items() if name in index}
        return self._predicted(_row(values, len(index)), place)[0].item()

    @property
    def mistakes_(self) -> npt.NDArray[np.int64]:
        """The number of rows whose class was not predicted before they were learned."""
        check_is_fitted(self, "classes_")
        return self._learners.mistakes.copy()

    @property
    def names_(self) -> list[str]:
        """The names of the columns so far."""
        check_is_fitted(self, "classes_")
        return list(self._index)

    def _read(self, X: Any) -> tuple[Any, dict[str, int]]:
        """Return rows with columns in the order of the first rows, and the places of new ones."""
        matrix, names = _matrix(X)
        if not hasattr(self, "classes_"):
            names = names or [f"x{j}" for j in range(matrix.shape[1])]
            return matrix, {name: j for j, name in enumerate(names)}
        if names is None:
            if matrix.shape[1] != len(self._index):
                raise AltfsError(
                    "X",
                    f"{matrix.shape[1]} columns are not allowed",
                    f"use the {len(self._index)} of the first rows, or learn_one for columns that "
                    "appear late",
                )
            return matrix, {}
        place = {name: j for j, name in enumerate(names)}
        for name in (*names, *self._index):
            if name not in self._index or name not in place:
                what = "is missing" if name in self._index else "is new"
                raise AltfsError(
                    "X",
                    f"column '{name}' {what}",
                    "use the columns of the first rows, or learn_one for columns that appear late",
                )
        return matrix[:, [place[name] for name in self._index]], {}

    def _learn(self, matrix: Any, added: Mapping[str, int], labels: Any, classes: Any) -> Self:
        """Learn rows that may have new columns."""
        before = getattr(self, "classes_", None)
        after = _all_classes(before, labels, classes)
        if before is None:
            self._learners = self._begin(len(after))
            self._index: dict[str, int] = {}
            self._warned = False
        elif len(before) < len(after) and after[1] == before[0]:
            # The class so far was the first one, and is the second one now.
            self._learners.weights *= -1
        self.classes_ = after
        self._index |= added
        self.n_features_in_ = len(self._index)
        self._learners.learn_rows(matrix, np.searchsorted(after, labels))
        if not self._warned and (why := self._learners.doubt()):
            self._warned = True
            warnings.warn(why, DataWarning, stacklevel=3)
        return self

    def _begin(self, n_classes: int) -> OnlineSelector:
        selector, overlap, seed = self._checked(
            "method", OnlineSelector,
            "does not learn row by row, use 'ofs', 'ofs_partial' or 'sofs'",
        )  # fmt: skip
        check_whole("n_features", self.n_features, 1)
        k, n_sets = int(self.n_features), int(self.n_alternatives) + 1
        learners: OnlineSelector = selector.begin(max(n_classes, 2), n_sets, k, overlap(k, k), seed)
        return learners

    def _place(self, alternative: Any) -> int:
        check_is_fitted(self, "classes_")
        n_sets = len(self._learners.held)
        check_place("alternative", alternative, n_sets)
        return int(alternative)

    def _predicted(self, matrix: Any, place: int) -> npt.NDArray[Any]:
        codes = self._learners.classes_of(matrix, place)
        # As long as there is one class, it is predicted.
        return np.asarray(self.classes_[np.minimum(codes, len(self.classes_) - 1)])

    def _sets(self) -> dict[int, FeatureSet]:
        check_is_fitted(self, "classes_")
        names, right = list(self._index), 1 - self._learners.mistakes / self._learners.n_rows
        return {
            i: feature_set(indices, names, float(right[i]), NAN, Status.FEASIBLE)
            for i, indices in enumerate(self._learners.sets())
            if indices
        }

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _matrix(X: Any) -> tuple[Any, list[str] | None]:
    """Return rows as finite numbers, and the names of the columns, if they have names."""
    if issparse(X):
        matrix = csr_array(X, dtype=np.float64)
        if not np.isfinite(matrix.data).all():
            raise AltfsError("X", "there are missing or infinite values", "fill them")
        return matrix, None
    table = read_table(X)
    names = list(table.data.columns) if table.is_frame else None
    # The numbers 0, 1, ... are not names.
    names = names if names and isinstance(names[0], str) else None
    values = numbers_in(table.data, "X")
    check_matrix("X", values.shape)
    bad = ~np.isfinite(values).all(axis=0)
    if bad.any():
        j = int(bad.argmax())
        reason = f"column '{names[j] if names else j}' has missing or infinite values"
        raise AltfsError("X", reason, "fill them or leave the column out")
    return values, names


def _labels(y: Any) -> npt.NDArray[Any]:
    """Return classes, after a check."""
    import pandas as pd

    labels = column_or_1d(y)
    check_not_empty("y", len(labels))
    if pd.isna(labels).any():
        raise AltfsError("y", "there are missing classes", "leave out these rows")
    if labels.dtype.kind == "f" and not (labels == np.rint(labels)).all():
        raise AltfsError("y", "fractions are not allowed", "use classes as whole numbers or text")
    return np.asarray(labels.astype(str) if labels.dtype.kind == "O" else labels)


def _all_classes(before: Any, labels: npt.NDArray[Any], classes: Any) -> npt.NDArray[Any]:
    """Return the classes with those of new rows, after a check."""
    if before is None:
        after = np.unique(labels if classes is None else _labels(classes))
        if classes is None and after.dtype.kind in "iuf" and len(after) > MOST_CLASSES:
            reason = f"{len(after)} different numbers are not taken for classes"
            advice = "write classes as text, or name all in `classes` of the first partial_fit"
            raise AltfsError("y", reason, advice)
    elif classes is not None and set(np.unique(classes)) != set(before):
        raise AltfsError("classes", "they differ from those of the first rows", "leave them out")
    else:
        # A second class may follow the first one.
        both = np.unique(np.concatenate([before, labels])) if len(before) == 1 else before
        after = both if classes is None and len(both) < 3 else before
    new = labels[~np.isin(labels, after)]
    if len(new):
        reason = f"class {new[0].item()!r} is not one of the first rows"
        raise AltfsError("y", reason, "name all in `classes` of the first partial_fit")
    return after


def _values(x: Any) -> dict[str, float]:
    """Return the values of a row by names, after a check."""
    if not isinstance(x, Mapping):
        raise AltfsError(
            "x", f"a {type(x).__name__} is not allowed", "use a dict of values by name"
        )
    values = {}
    for name, value in x.items():
        if not is_finite(value):
            raise AltfsError("x", f"{value!r} of '{name}' is not allowed", "use a finite number")
        values[str(name)] = float(value)
    if len(values) < len(x):
        raise AltfsError("x", "two columns have the same name, every column needs its own")
    return values


def _row(values: Mapping[int, float], width: int) -> csr_array:
    """Return a row of so many columns, with values in some."""
    entries = list(values.values()), list(values), [0, len(values)]
    return csr_array(entries, (1, width), dtype=np.float64)
