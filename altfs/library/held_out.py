"""Scores of features on held-out rows: a forest of one half of the rows judges the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from altfs._numbers import FloatArray, IntArray
from altfs.errors import DataError
from altfs.scores.base import Part
from altfs.scores.row_groups import group_folds, permutation, shift

_MOST_ROWS = 4000
_TREES, _LEAF = 50, 5
_SEED = 0

#: What the scores are.
UNITS = {True: "AUC on held-out rows", False: "R² on held-out rows"}


class HeldOut:
    """Two halves of at most 4,000 rows, with the same share of each class.

    Of groups, each is in one half. Of times, the second half is later. It is a DataError if there
    are too few rows of a class.
    """

    def __init__(self, part: Part) -> None:
        from sklearn.model_selection import train_test_split

        self._part, self.classes = part, part.target_type != "regression"
        n_rows = min(len(part.y), _MOST_ROWS)
        rows = part.canonical_rows()
        self._y = part.y
        if self.classes:
            # Classes are numbered by their first rows, whatever their names.
            _, first, codes = np.unique(part.y[rows], return_index=True, return_inverse=True)
            self._y = np.empty(len(part.y), dtype=np.int64)
            self._y[rows] = np.argsort(np.argsort(first))[codes]
        reason = f"{len(part.y)} rows cannot be divided into two halves with all classes"
        if part.groups is not None or part.times is not None:
            rows = np.random.default_rng(_SEED).permutation(rows)[:n_rows]
            if part.times is not None:
                order = np.argsort(part.times[rows], kind="stable")
                halves = order[: n_rows // 2], order[n_rows // 2 :]
            elif part.groups is not None:
                of_rows = self._y[rows], part.target_type, part.groups[rows]
                halves = group_folds(*of_rows, 2, _SEED)[0]
            self.first, self.second = (rows[half] for half in halves)
            fewest = min(len(np.unique(self._y[half])) for half in (self.first, self.second))
            if self.classes and fewest < len(np.unique(part.y)):
                which = "times" if part.groups is None else "groups"
                raise DataError(which, reason, "use more rows")
            return
        try:
            self.first, self.second = train_test_split(
                rows,
                train_size=n_rows // 2,
                test_size=n_rows - n_rows // 2,
                random_state=_SEED,
                stratify=self._y[rows] if self.classes else None,
            )
        except ValueError:
            raise DataError("y", reason, "use more rows") from None

    def shuffle(self, random: np.random.Generator) -> IntArray:
        """Return an order of the rows of the second half, for shuffled targets."""
        if self._part.times is not None:
            return shift(len(self.second), random)
        groups = None if self._part.groups is None else self._part.groups[self.second]
        return permutation(len(self.second), groups, random)

    @property
    def y(self) -> npt.NDArray[Any]:
        """The target of the second half."""
        y: npt.NDArray[Any] = self._y[self.second]
        return y

    def predictions(self, features: Sequence[int]) -> FloatArray:
        """Return what a forest of the first half says of the second: a column for each class."""
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        kind = RandomForestClassifier if self.classes else RandomForestRegressor
        forest = kind(_TREES, min_samples_leaf=_LEAF, random_state=_SEED)
        # A forest draws columns by their places.
        X: Any = self._part.X[:, self._part.canonical_columns(features)]
        X = X.toarray() if issparse(X) else X
        forest.fit(X[self.first], self._y[self.first])
        if self.classes:
            probabilities: FloatArray = forest.predict_proba(X[self.second])
            return probabilities
        return np.asarray(forest.predict(X[self.second]))[:, None]

    def score(self, features: Sequence[int]) -> float:
        """Return the agreement of the predictions; of no feature that of chance."""
        if not len(features):
            return 0.5 if self.classes else 0.0
        return agreement(self.predictions(features), self.y, self.classes)


def agreement(predicted: FloatArray, y: npt.NDArray[Any], classes: bool) -> float:
    """Return the mean area under the curve over the classes, or R² of numbers."""
    from scipy.stats import rankdata

    if not classes:
        spread = float(np.var(y))
        return 1.0 - float(np.mean((y - predicted[:, 0]) ** 2)) / spread if spread > 0 else 0.0
    areas = []
    for label, column in zip(np.unique(y), predicted.T, strict=True):
        is_class = y == label
        n, n_of_class = len(y), int(is_class.sum())
        ranks = rankdata(column)[is_class].sum()
        area = (ranks - n_of_class * (n_of_class + 1) / 2) / (n_of_class * (n - n_of_class))
        areas.append(area)
    return float(np.mean(areas))
