"""OSFS: streaming features, tested given few others."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.measures import FisherZ, GSquare
from altfs.kinds.streams.methods.osfs import Osfs
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector, needs_counts
from altfs.selectors.base import selectors


class OsfsOptions(ArrivalOptions):
    """measure, alpha: the test. max_conditioning: the number of features that it is given."""

    measure: Literal["auto", "fisher_z", "g2"] = "auto"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.01
    max_conditioning: Annotated[int, Field(ge=1, le=3)] = 3

    def made(self, y: npt.NDArray[Any], target_type: str) -> FisherZ | GSquare:
        """Return the measure for a target."""
        if needs_counts(self.measure, target_type, "g2"):
            return GSquare(y, target_type, self.alpha)
        return FisherZ(y, target_type, self.alpha)


@selectors.register("osfs")
class OsfsSelector(StreamingSelector):
    """OSFS: a feature is redundant if few others make it independent of the target.

    The quality of a set is the sum of its features' dependences on the target.

    Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 1).
    """

    Options = OsfsOptions
    _method = Osfs

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> Osfs:
        return self._method(self.options.made(y, target_type), self.options.max_conditioning)
