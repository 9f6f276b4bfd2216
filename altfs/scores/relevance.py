"""Relevance: the mutual information of every feature with the target."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from altfs.errors import DataError
from altfs.scores._dependence_score import DependenceScore
from altfs.scores._information import categories_with_target
from altfs.scores._levels import Levels
from altfs.scores._pair_estimator import PairEstimator, check_enough_rows
from altfs.scores.base import Part, scores
from altfs.scores.dependences import dependences
from altfs.scores.mixed._estimate import with_target


@scores.register("relevance")
class Relevance(DependenceScore):
    """Mutual information of every feature with the target, in nats.

    The variant "auto" knows the order of numbers alone, and is corrected for chance
    (:func:`altfs.scores.mixed._estimate.with_target`), so it can be negative. The others are
    scikit-learn's and at least 0: "regression" is `mutual_info_regression`, "classification" is
    `mutual_info_classif`, and "sklearn" is the latter for more than two classes and the former
    for two, as in the paper's study. Of these, features that are categories have the
    information of their frequencies. Other variants are names of
    :data:`altfs.scores.dependences.dependences`.
    """

    variants = ("auto", "sklearn", "regression", "classification")

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        check_enough_rows(len(part.y))
        if variant not in self.variants:
            return dependences.get(variant)(part).with_target()
        if issparse(part.X) and not part.categorical.all():
            raise DataError(
                "X",
                "mutual information of a sparse table is that of categories",
                "name all columns as `categorical`, use the selector correlation or f_statistic, "
                "or X.toarray()",
            )
        if variant == "auto":
            y = Levels.of(part.y, part.target_type != "regression")
            return with_target(part.levels, y)
        if variant == "sklearn":
            variant = "classification" if part.target_type == "multiclass" else "regression"
        if not part.categorical.any():
            return _relevance(part.X, part, variant)
        numbers, classes = ~part.categorical, part.target_type != "regression"
        values = np.empty(len(numbers))
        values[~numbers] = categories_with_target(part.X[:, ~numbers], part.y, classes, part.seed)
        if numbers.any():
            values[numbers] = _relevance(part.X[:, numbers], part, variant)
        return values


def _relevance(X: npt.NDArray[np.float64], part: Part, variant: str) -> npt.NDArray[np.float64]:
    if variant == "regression":
        estimate = PairEstimator(X, part.y[:, None], part.seed)
        return estimate(np.arange(X.shape[1]), np.zeros(X.shape[1]))
    from sklearn.feature_selection import mutual_info_classif

    if np.unique(part.y, return_counts=True)[1].max() < 2:
        reason = "every class has only one row, mutual information needs two rows of a class"
        raise DataError("y", reason, "use fewer classes or the task regression")
    values = mutual_info_classif(X, part.y, random_state=part.seed)
    return np.asarray(values, dtype=np.float64)
