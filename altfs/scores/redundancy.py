"""Redundancy: the mutual information of all pairs of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.scores._dependence_score import DependenceScore
from altfs.scores._information import PairInformation
from altfs.scores._pair_estimator import check_enough_rows
from altfs.scores.base import Part, scores
from altfs.scores.dependences import dependences
from altfs.scores.mixed._estimate import MixedPairs


@scores.register("redundancy")
class Redundancy(DependenceScore):
    """Mutual information of every feature with every feature as target, in nats.

    Entry (i, j) is I(feature i, feature j), at least 0. The variant "auto" is
    :class:`altfs.scores.mixed._estimate.MixedPairs`. That of "sklearn" is
    `mutual_info_regression`, or `mutual_info_classif` if feature j is a category, and not
    symmetric. Other variants are names of :data:`altfs.scores.dependences.dependences`.
    """

    of_pairs = True
    bytes_per_pair = 64
    variants = ("auto", "sklearn")

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        features, targets = np.indices((part.X.shape[1], len(columns)))
        estimate = pairs_of(part, columns, variant)
        values = estimate(features.ravel(), targets.ravel()).reshape(features.shape)
        return np.maximum(values, 0.0)

    def of_target(self, variant: str) -> bool:
        return variant not in self.variants and dependences.get(variant).of_target


def pairs_of(
    part: Part, columns: Sequence[int], variant: str
) -> Callable[[npt.ArrayLike, npt.ArrayLike], FloatArray]:
    """Return the function of features and places in the columns that estimates what they share."""
    check_enough_rows(len(part.y))
    if variant == "auto":
        return MixedPairs(part, columns)
    if variant in dependences.names():
        return dependences.get(variant)(part, columns)
    return PairInformation(part, columns)
