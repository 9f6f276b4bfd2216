"""MI: the sum of the features' mutual information with the target."""

from __future__ import annotations

from typing import Literal

from altfs.quality import Quality
from altfs.scores._uncertainty import check_classes
from altfs.scores.base import Part, ScoreKey
from altfs.selectors.base import Selector, SelectorOptions, selectors, shares_of_bits


class MutualInformationOptions(SelectorOptions):
    """Options of the estimator of mutual information.

    estimator: auto is for numbers, categories and mixtures, without noise and corrected for chance.
    regression and classification are scikit-learn's; sklearn is the latter for more than two
    classes and the former for others, as in the paper.
    """

    estimator: Literal["auto", "sklearn", "regression", "classification"] = "auto"


class MeasureOptions(MutualInformationOptions):
    """measure: symmetric_uncertainty is for classes, and ignores `estimator`."""

    measure: Literal["mutual_information", "symmetric_uncertainty"] = "mutual_information"

    @property
    def is_uncertainty(self) -> bool:
        """True for symmetric uncertainty."""
        return self.measure == "symmetric_uncertainty"

    @property
    def variant(self) -> str:
        """The variant of scores with the target."""
        return "uncertainty" if self.is_uncertainty else self.estimator

    @property
    def pair_variant(self) -> str:
        """The variant of scores of pairs."""
        return self.variant if self.variant in ("auto", "uncertainty") else "sklearn"

    def check_target(self, target_type: str) -> None:
        """Check that the measure is for a type of target, or raise a DataError."""
        if self.is_uncertainty:
            check_classes(target_type)


@selectors.register("mutual_information")
class MutualInformation(Selector):
    """The sum of what each feature alone tells about the target (mutual information).

    It is normalised so that all features have 1 (Equation 8 of the paper).

    Source: Kraskov, Stögbauer and Grassberger, *Estimating Mutual Information*, Physical Review E
    69, 2004; Ross, *Mutual Information between Discrete and Continuous Data Sets*, PLoS ONE 9,
    2014.
    """

    Options = MutualInformationOptions
    takes_sparse = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.estimator)
        self.train_scores = self.test_scores = (self.relevance,)

    def quality(self, part: Part) -> Quality:
        return shares_of_bits(part.score(self.relevance))
