"""FCBF: relevant features of which none makes another redundant."""

from __future__ import annotations

from altfs.quality import Linear
from altfs.selectors.base import Qualities, SelectorOptions, selectors
from altfs.selectors.mutual_information import MutualInformation, relevance_on
from altfs.selectors.part import Part, ScoreKey
from altfs.selectors.scores import normalised


@selectors.register("fcbf")
class Fcbf(MutualInformation):
    """Fast Correlation-Based Filter as constraints (Equation 10 of the paper).

    The objective is that of mutual information. Two features must not be
    selected together if either of them tells as much about the other as about
    the target; raw mutual information, in both directions, as the estimate is
    not symmetric.
    """

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.conflicts = ScoreKey("conflicts", self.options.estimator)
        self.train_scores = (self.relevance, self.conflicts)

    def fit(self, train: Part, test: Part) -> Qualities:
        relevance = normalised(train.score(self.relevance))
        quality = Linear(relevance, train.score(self.conflicts))
        return Qualities(quality, *relevance_on(test, self.relevance))
