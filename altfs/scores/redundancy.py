"""Redundancy: the mutual information of all pairs of features."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.cost import Cost
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
    cost = Cost(0.015, 6e-6, 1, 1)

    def cost_of(self, variant: str) -> Cost:
        # Levels are counted, neighbours are searched.
        return Cost(0.01, 2e-7, 1, 1) if variant == "uncertainty" else self.cost

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        features, targets = np.indices((part.X.shape[1], len(columns)))
        kind = Uncertainty if variant == "uncertainty" else PairInformation
        estimate = kind(part, columns)
        return estimate(features.ravel(), targets.ravel()).reshape(features.shape)
