"""OFS-A3M: streaming features, judged by the neighbours of each row."""

from __future__ import annotations

from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.methods.ofs_a3m import OfsA3m
from altfs.kinds.streams.methods.rough_sets import Order
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.selectors.base import selectors


class NeighbourOptions(ArrivalOptions):
    """order: in which members are tested. max_rows: the largest number of rows that are used."""

    order: Order = "weakest"
    max_rows: Annotated[int, Field(ge=10)] = 1000


@selectors.register("ofs_a3m")
class OfsA3mSelector(StreamingSelector):
    """OFS-A3M: a feature joins if more of the neighbours of rows are then of their class.

    The neighbours of a row are the nearest rows up to the first wide gap. The quality of a set
    is the mean share of neighbours that are of the row's class. Numbers have five classes.

    Source: Zhou, Hu, Li, Wu, *Online Streaming Feature Selection Using Adapted Neighborhood
    Rough Set*, Information Sciences 481, 2019.
    """

    Options = NeighbourOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> OfsA3m:
        return OfsA3m(y, target_type, self.options.order, self.options.max_rows, seed)
