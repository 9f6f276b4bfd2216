"""MI: the sum of the features' mutual information with the target."""

from __future__ import annotations

from typing import Literal

from altfs.errors import DataError
from altfs.quality import Linear, Quality
from altfs.selectors.base import Qualities, Selector, SelectorOptions, selectors
from altfs.selectors.part import Part, ScoreKey
from altfs.selectors.scores import normalised


class MutualInformationOptions(SelectorOptions):
    """estimator: scikit-learn's for numeric or class targets; auto: by the target."""

    estimator: Literal["auto", "regression", "classification"] = "auto"


@selectors.register("mutual_information")
class MutualInformation(Selector):
    """Univariate filter (Equation 8 of the paper), normalised to a sum of 1."""

    Options = MutualInformationOptions

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.estimator)
        self.train_scores = (self.relevance,)
        self.test_scores = (self.relevance,)

    def fit(self, train: Part, test: Part) -> Qualities:
        quality = Linear(normalised(train.score(self.relevance)))
        return Qualities(quality, *relevance_on(test, self.relevance))


def relevance_on(part: Part, key: ScoreKey) -> tuple[Quality | None, str]:
    """The normalised relevance on a part, or why it cannot be had."""
    try:
        return Linear(normalised(part.score(key))), ""
    except DataError as error:
        return None, str(error)
