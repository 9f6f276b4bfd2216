"""Importances: the importance of every feature in one decision tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.prediction.decision_tree import DecisionTree
from altfs.scores.base import Part, Score, scores


@scores.register("importances")
class Importances(Score):
    """Feature importances of one decision tree on all features.

    They are at least 0. Their sum is 1, or 0 if the tree has no split.
    """

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        tree = DecisionTree().estimator(part.target_type, part.seed)
        fitted = tree.fit(part.rows_for(tree), part.y)
        return np.asarray(fitted.feature_importances_, dtype=np.float64)
