"""Redundancy: the mutual information of all pairs of features."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.scores._information import PairInformation
from altfs.scores._pair_estimator import check_enough_rows
from altfs.scores._uncertainty import Uncertainty
from altfs.scores.base import Part, Score, scores


@scores.register("redundancy")
class Redundancy(Score):
    """Mutual information of every feature with every feature as target, in nats.

    Entry (i, j) is I(feature i, feature j), the value of `mutual_info_regression`, or of
    `mutual_info_classif` if feature j is a category. The estimate is not symmetric. The variant
    "uncertainty" is symmetric uncertainty, for classes.
    """

    of_pairs = True
    bytes_per_pair = 64
    variants = ("auto", "uncertainty")

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        features, targets = np.indices((part.X.shape[1], len(columns)))
        kind = Uncertainty if variant == "uncertainty" else PairInformation
        estimate = kind(part, columns)
        return estimate(features.ravel(), targets.ravel()).reshape(features.shape)
