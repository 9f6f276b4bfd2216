"""MI: the sum of the features' mutual information with the target."""

from __future__ import annotations

from typing import Any, Literal

import numpy.typing as npt
from pydantic import field_validator

from altfs._numbers import BoolArray, FloatArray
from altfs.errors import AltfsError
from altfs.quality import Linear, Quality
from altfs.scores.base import Part, ScoreKey
from altfs.scores.dependences import dependences
from altfs.selectors.base import (
    Selector,
    SelectorOptions,
    normalised,
    selectors,
    shares_of_bits,
)


class MeasureOptions(SelectorOptions):
    """Options of measures of dependence.

    estimator: auto is for numbers, categories and mixtures, without noise and corrected for chance.
    regression and classification are scikit-learn's; sklearn is the latter for more than two
    classes and the former for others, as in the paper.
    measure: one of :data:`altfs.scores.dependences.dependences` in place of information, which
    ignores `estimator`; symmetric_uncertainty is for classes.
    """

    estimator: Literal["auto", "sklearn", "regression", "classification"] = "auto"
    measure: str = "mutual_information"

    @field_validator("measure")
    @classmethod
    def _known(cls, name: str) -> str:
        names = ["mutual_information", *dependences.names()]
        if name not in names:
            raise AltfsError.of_name("", f"'{name}' is not a measure", name, names)
        return name

    @property
    def is_information(self) -> bool:
        """True for mutual information, which has a unit."""
        return self.measure == "mutual_information"

    @property
    def variant(self) -> str:
        """The variant of scores with the target."""
        return self.estimator if self.is_information else self.measure

    @property
    def pair_variant(self) -> str:
        """The variant of scores of pairs."""
        return "sklearn" if self.is_information and self.estimator != "auto" else self.variant

    def check_target(self, target_type: str) -> None:
        """Check that the measure is for a type of target, or raise a DataError."""
        if not self.is_information:
            dependences.get(self.measure).check_target(target_type)


@selectors.register("mutual_information")
class MutualInformation(Selector):
    """The sum of what each feature alone tells about the target (mutual information).

    It is normalised so that all features have 1 (Equation 8 of the paper). Another `measure`
    takes the place of information.

    Source: Kraskov, Stögbauer and Grassberger, *Estimating Mutual Information*, Physical Review E
    69, 2004; Ross, *Mutual Information between Discrete and Continuous Data Sets*, PLoS ONE 9,
    2014.
    """

    Options = MeasureOptions
    takes_sparse = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.variant)
        self.train_scores = self.test_scores = (self.relevance,)

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        super().check_target(y, target_type, seed)
        self.options.check_target(target_type)

    def quality(self, part: Part) -> Quality:
        return self._shares(part.score(self.relevance))

    def _shares(self, values: FloatArray, conflicts: BoolArray | None = None) -> Quality:
        if self.options.is_information:
            return shares_of_bits(values, conflicts)
        return Linear(normalised(values), conflicts)
