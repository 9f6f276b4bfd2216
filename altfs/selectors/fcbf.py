"""FCBF: relevant features, none of which makes another one redundant."""

from __future__ import annotations

from altfs.quality import Quality
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import SelectorOptions, selectors
from altfs.selectors.mutual_information import MutualInformation


@selectors.register("fcbf")
class Fcbf(MutualInformation):
    """Mutual information, without two features that tell more about each other than of the target.

    It is the Fast Correlation-Based Filter as constraints (Equation 10 of the paper).

    The objective is that of mutual information. Two features must not be selected together if
    one of them has as much information about the other as about the target. This is raw
    mutual information in both directions, as the estimate is not symmetric. Another `measure`
    takes the place of information: symmetric_uncertainty in the source.

    Source: Yu and Liu, *Feature Selection for High-Dimensional Data: A Fast Correlation-Based
    Filter Solution*, ICML 2003.
    """

    takes_sparse = False
    forbids_sets = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.conflicts = ScoreKey("conflicts", self.options.variant)
        self.train_scores, self.test_scores = (self.relevance, self.conflicts), (self.relevance,)

    def quality(self, part: Part) -> Quality:
        return self._shares(part.score(self.relevance), part.score(self.conflicts))

    def test_quality(self, part: Part) -> Quality:
        """Learn mutual information alone: conflicts are constraints of the search."""
        return super().quality(part)
