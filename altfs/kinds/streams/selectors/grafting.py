"""Grafting: streaming features, added to a penalised linear model along its gradient."""

from __future__ import annotations

from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.methods.grafting import Grafting
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.selectors.base import selectors


class GraftingOptions(ArrivalOptions):
    """penalty: the weight of the sum of the absolute weights."""

    penalty: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.05


@selectors.register("grafting")
class GraftingSelector(StreamingSelector):
    """Grafting: a feature is added if the loss falls faster than the penalty grows.

    The model is logistic or linear, on standardised columns. The quality of a set is 1 minus
    the loss of its model, as a share of the loss without features.

    Source: Perkins, Lacker, Theiler, *Grafting: Fast, Incremental Feature Selection by Gradient
    Descent in Function Space*, Journal of Machine Learning Research 3, 2003.
    """

    Options = GraftingOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> Grafting:
        return Grafting(y, target_type, self.options.penalty)
