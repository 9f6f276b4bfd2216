"""OSSFS-DD: streaming features, of which the weakly relevant ones wait for a decision."""

from __future__ import annotations

from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field, model_validator

from altfs.kinds.streams.methods.ossfs_dd import OssfsDd
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.selectors.base import selectors


class OssfsDdOptions(ArrivalOptions):
    """sigma_low, sigma_high: thresholds. pool: its size. below_sum: the slides' condition."""

    sigma_low: Annotated[float, Field(allow_inf_nan=False)] = 1.0
    sigma_high: Annotated[float, Field(allow_inf_nan=False)] = 2.0
    pool: Annotated[int, Field(ge=1)] = 100
    below_sum: bool = False

    @model_validator(mode="after")
    def _in_order(self) -> OssfsDdOptions:
        if self.sigma_low > self.sigma_high:
            raise ValueError(
                f"sigma_low: {self.sigma_low} is not allowed, use at most sigma_high, "
                f"{self.sigma_high}"
            )
        return self


@selectors.register("ossfs_dd")
class OssfsDdSelector(StreamingSelector):
    """OSSFS-DD: features with much information about the target join, others wait in a pool.

    The thresholds follow the mean and the standard deviation of the symmetric uncertainty of all
    features so far. The quality of a set is the sum of its features' symmetric uncertainties.

    Source: Zhou, Zhang, Yan, Wu, *Online Scalable Streaming Feature Selection via Dynamic
    Decision*, ACM Transactions on Knowledge Discovery from Data 16, 2022.
    """

    Options = OssfsDdOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> OssfsDd:
        asked = self.options
        return OssfsDd(
            y, target_type, asked.sigma_low, asked.sigma_high, asked.pool, asked.below_sum
        )
