"""FCBF: relevant features, none of which makes another one redundant."""

from __future__ import annotations

from altfs.cost import Cost
from altfs.quality import Linear, Quality
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import SelectorOptions, normalised, selectors
from altfs.selectors.mutual_information import MutualInformation


@selectors.register("fcbf")
class Fcbf(MutualInformation):
    """Mutual information, without two features that tell more about each other than of the target.

    It is the Fast Correlation-Based Filter as constraints (Equation 10 of the paper).

    The objective is that of mutual information. Two features must not be selected together if
    one of them has as much information about the other as about the target. This is raw
    mutual information in both directions, as the estimate is not symmetric.
    """

    cost = Cost(0.0044, 0.0016, 0, 0.25)
    quality_cost = Cost(0.012, 0.0, 0, 0)

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.conflicts = ScoreKey("conflicts", self.options.estimator)
        self.train_scores = (self.relevance, self.conflicts)

    def quality(self, part: Part) -> Quality:
        return Linear(normalised(part.score(self.relevance)), part.score(self.conflicts))

    def test_quality(self, part: Part) -> Quality:
        """Learn mutual information alone: conflicts are constraints of the search."""
        return super().quality(part)
