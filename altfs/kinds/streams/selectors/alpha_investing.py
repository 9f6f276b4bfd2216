"""Alpha-investing: streaming features, tested at a level that depends on the success so far."""

from __future__ import annotations

from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.methods.alpha_investing import AlphaInvesting
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.selectors.base import selectors


class AlphaInvestingOptions(ArrivalOptions):
    """wealth: at the start. payout: of a feature. intercept_counts: if it is the first feature."""

    wealth: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.5
    payout: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.5
    intercept_counts: bool = False


@selectors.register("alpha_investing")
class AlphaInvestingSelector(StreamingSelector):
    """Alpha-investing: a feature is accepted if it improves a linear model significantly.

    The quality of a set is the share of the sum of squares that the linear model explains.

    Source: Zhou, Foster, Stine, Ungar, *Streamwise Feature Selection*, Journal of Machine
    Learning Research 7, 2006 (Figure 1).
    """

    Options = AlphaInvestingOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> AlphaInvesting:
        asked = self.options
        return AlphaInvesting(y, target_type, asked.wealth, asked.payout, asked.intercept_counts)
