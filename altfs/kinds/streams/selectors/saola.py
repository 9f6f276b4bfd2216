"""SAOLA: streaming features, compared in pairs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.measures import FisherZ, SymmetricUncertainty
from altfs.kinds.streams.methods.saola import Saola
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector, needs_counts
from altfs.selectors.base import selectors


class SaolaOptions(ArrivalOptions):
    """measure, alpha, threshold: the dependence. rule: as in the public code or on the slides."""

    measure: Literal["auto", "fisher_z", "symmetric_uncertainty"] = "auto"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.01
    threshold: Annotated[float, Field(ge=0, lt=1)] = 0.0
    rule: Literal["code", "slides"] = "code"

    def made(self, y: npt.NDArray[Any], target_type: str) -> FisherZ | SymmetricUncertainty:
        """Return the measure for a target."""
        if needs_counts(self.measure, target_type, "symmetric_uncertainty"):
            return SymmetricUncertainty(y, target_type, self.threshold)
        return FisherZ(y, target_type, self.alpha)


@selectors.register("saola")
class SaolaSelector(StreamingSelector):
    """SAOLA: a feature is redundant if another one tells more about the target and about it.

    The quality of a set is the sum of its features' dependences on the target.

    Source: Yu, Wu, Ding, Pei, *Scalable and Accurate Online Feature Selection for Big Data*,
    ACM Transactions on Knowledge Discovery from Data 11, 2016 (Algorithm 1).
    """

    Options = SaolaOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> Saola:
        return Saola(self.options.made(y, target_type), self.options.rule == "slides")
