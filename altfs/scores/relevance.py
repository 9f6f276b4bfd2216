"""Relevance: the mutual information of every feature with the target."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.cost import Cost
from altfs.scores._pair_estimator import PairEstimator, check_enough_rows
from altfs.scores.base import Part, Score, scores


@scores.register("relevance")
class Relevance(Score):
    """Mutual information of every feature with the target, in nats, at least 0.

    The variant chooses scikit-learn's estimator: `mutual_info_regression` or
    `mutual_info_classif`. "auto" chooses the latter for more than two classes only, as the
    paper's study used the former for two classes.
    """

    variants = ("auto", "regression", "classification")
    cost = Cost(0.005, 7.9e-7, 1, 1)

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        check_enough_rows(len(part.y))
        if variant == "auto":
            variant = "classification" if part.target_type == "multiclass" else "regression"
        if variant == "regression":
            n_total = part.X.shape[1]
            estimate = PairEstimator(part.X, part.y[:, None], part.seed)
            return estimate(np.arange(n_total), np.zeros(n_total))
        from sklearn.feature_selection import mutual_info_classif

        values = mutual_info_classif(part.X, part.y, random_state=part.seed)
        return np.asarray(values, dtype=np.float64)
