"""Linear qualities that single selectors compute from rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from altfs._numbers import FloatArray
from altfs.errors import DataError
from altfs.prediction.decision_tree import DecisionTree
from altfs.quality import Linear, Quality
from altfs.scores.base import Part
from altfs.selectors.base import Selector


class LinearFromRows(Selector):
    """The base class of selectors that compute one value for each feature from rows."""

    needs_rows = True

    def quality(self, part: Part) -> Quality:
        return Linear(self.values(part))

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.values(Part(np.zeros((len(y), 1)), y, target_type, seed))

    @abstractmethod
    def values(self, part: Part) -> FloatArray:
        """Return the value of every feature on a part; DataError if it has too few rows."""


class LinearFromModel(LinearFromRows):
    """The base class of selectors that compute one value for each feature from a model."""

    def model(self, part: Part, rows: npt.NDArray[Any]) -> Any:
        """Fit the model on some rows of a part."""
        tree = DecisionTree().estimator(part.target_type, part.seed)
        return tree.fit(part.rows_for(tree)[rows], part.y[rows])


def sums_of_squares(part: Part) -> tuple[FloatArray, FloatArray, int]:
    """Return the explained and the total sum of squares of every feature, and the freedom.

    Classes explain the squares between them, and a numeric target those of a straight line.
    The degrees of freedom are those of the explained part: classes - 1, or 1. Constant
    features have 0. It is a DataError if no degree of freedom is left for the rest.
    """
    freedom, codes = 1, None
    if part.target_type != "regression":
        classes, codes = np.unique(part.y, return_inverse=True)
        freedom = len(classes) - 1
    explained, total = (_sparse_sums if issparse(part.X) else _array_sums)(part.X, part.y, codes)
    if len(part.y) - freedom - 1 < 1 or freedom < 1:
        raise DataError(
            f"{len(part.y)} rows with {freedom + 1} classes are too few for a comparison of means"
            if part.target_type != "regression"
            else f"{len(part.y)} rows are too few for a correlation, 3 are needed"
        )
    return np.minimum(explained, total), total, freedom


def _array_sums(X: FloatArray, y: npt.NDArray[Any], codes: Any) -> tuple[FloatArray, FloatArray]:
    """Return the explained and the total sums; `codes` of classes are None for numbers."""
    # Differences from the first row make constant features exactly 0.
    X = X - X[:1]
    X = X - X.mean(axis=0)
    total: FloatArray = (X**2).sum(axis=0)
    explained = np.zeros_like(total)
    if codes is None:
        centred = y - y.mean()
        spread = float((centred**2).sum())
        return (centred @ X) ** 2 / spread if spread > 0 else explained, total
    for c in range(codes.max() + 1):
        rows = X[codes == c]
        explained += len(rows) * rows.mean(axis=0) ** 2
    return explained, total


def _sparse_sums(X: Any, y: npt.NDArray[Any], codes: Any) -> tuple[FloatArray, FloatArray]:
    """Return the sums of a CSC matrix by its stored values, without making it dense."""
    n_rows, stored = X.shape[0], np.diff(X.indptr)
    mean = np.asarray(X.sum(axis=0)).ravel() / n_rows
    centred = X.data - np.repeat(mean, stored)
    column = np.repeat(np.arange(X.shape[1]), stored)
    total = np.bincount(column, centred**2, X.shape[1]) + (n_rows - stored) * mean**2
    # Rounding would leave constant features a little more than nothing.
    largest, smallest = (np.asarray(m.todense()).ravel() for m in (X.max(axis=0), X.min(axis=0)))
    total[largest == smallest] = 0.0
    if codes is None:
        target = y - y.mean()
        spread = float((target**2).sum())
        shared = np.asarray(target @ X).ravel() - target.sum() * mean
        return shared**2 / spread if spread > 0 else np.zeros_like(total), total
    explained = np.zeros_like(total)
    for c in range(codes.max() + 1):
        members = (codes == c).astype(np.float64)
        class_mean = np.asarray(members @ X).ravel() / members.sum()
        explained += members.sum() * (class_mean - mean) ** 2
    return explained, total
