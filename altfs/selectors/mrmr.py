"""mRMR: high relevance of the features, and low redundancy between them."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.quality import Pairwise, Quality
from altfs.quality.base import Measure
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import Selector, SelectorOptions, selectors
from altfs.selectors.mutual_information import MeasureOptions


class PairScores(Selector):
    """The base class of selectors of relevance and redundancy."""

    Options = MeasureOptions

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.variant)
        self.redundancy = ScoreKey("redundancy", self.options.pair_variant)
        self.train_scores = self.test_scores = (self.relevance, self.redundancy)

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        super().check_target(y, target_type, seed)
        self.options.check_target(target_type)


class MrmrOptions(MeasureOptions):
    """diagonal: True if a feature is redundant with itself, as in the paper's formula."""

    diagonal: bool = False


@selectors.register("mrmr")
class Mrmr(PairScores):
    """Relevance to the target minus redundancy among the features (Equation 12 of the appendix).

    It is the mean mutual information with the target minus that between the features, all
    divided by the largest value. The information of a feature about itself counts only with
    `diagonal`, as in the author's later code. Another `measure` takes the place of information.

    Source: Peng, Long and Ding, *Feature Selection Based on Mutual Information: Criteria of
    Max-Dependency, Max-Relevance, and Min-Redundancy*, IEEE Transactions on Pattern Analysis and
    Machine Intelligence 27, 2005.
    """

    Options = MrmrOptions
    of_pairs = True

    def quality(self, part: Part) -> Quality:
        relevance, redundancy = part.score(self.relevance), part.score(self.redundancy)
        quality = mrmr_quality(relevance, redundancy, self.options.diagonal)
        if not self.options.is_information:
            quality.measure = None
        return quality


def mrmr_quality(
    relevance: npt.NDArray[np.float64], redundancy: npt.NDArray[np.float64], diagonal: bool = False
) -> Pairwise:
    """Return the quality of raw mutual information.

    >>> mrmr_quality(np.array([1.0, 2.0]), np.array([[9, 4.0], [2, 9]])).evaluate([0, 1])
    -0.375
    """
    relevance, redundancy, largest = over_the_largest(relevance, redundancy, diagonal)
    quality = Pairwise(relevance, redundancy, diagonal)
    quality.measure = Measure("bits", largest / log(2))
    return quality


def over_the_largest(
    relevance: npt.NDArray[np.float64], redundancy: npt.NDArray[np.float64], diagonal: bool = False
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float]:
    """Divide relevance and redundancy by the largest value, which may be on a `diagonal`.

    The value is the third result.
    """
    pairs = redundancy.copy()
    if not diagonal:
        np.fill_diagonal(pairs, 0)
    # All features can tell less than by chance.
    largest = max(float(relevance.max()), float(pairs.max()))
    largest = largest if largest > 0 else 1.0
    return relevance / largest, pairs / largest, largest
