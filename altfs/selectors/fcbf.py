"""FCBF: relevant features, none of which makes another one redundant."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from altfs.quality import Quality
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import SelectorOptions, selectors, shares_of_bits
from altfs.selectors.mutual_information import MeasureOptions, MutualInformation


@selectors.register("fcbf")
class Fcbf(MutualInformation):
    """Mutual information, without two features that tell more about each other than of the target.

    It is the Fast Correlation-Based Filter as constraints (Equation 10 of the paper).

    The objective is that of mutual information. Two features must not be selected together if
    one of them has as much information about the other as about the target. This is raw
    mutual information in both directions, as the estimate is not symmetric. With `measure`
    symmetric_uncertainty, that takes the place of information, as in the source.

    Source: Yu and Liu, *Feature Selection for High-Dimensional Data: A Fast Correlation-Based
    Filter Solution*, ICML 2003.
    """

    Options = MeasureOptions
    takes_sparse = False
    forbids_sets = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.variant)
        self.conflicts = ScoreKey("conflicts", self.options.variant)
        self.train_scores, self.test_scores = (self.relevance, self.conflicts), (self.relevance,)

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        super().check_target(y, target_type, seed)
        self.options.check_target(target_type)

    def quality(self, part: Part) -> Quality:
        return shares_of_bits(part.score(self.relevance), part.score(self.conflicts))

    def test_quality(self, part: Part) -> Quality:
        """Learn mutual information alone: conflicts are constraints of the search."""
        return super().quality(part)
