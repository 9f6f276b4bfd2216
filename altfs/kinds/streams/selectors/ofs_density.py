"""OFS-Density: streaming features, judged by the neighbours of each row that lie densely."""

from __future__ import annotations

from typing import Annotated, Any

import numpy.typing as npt
from pydantic import Field

from altfs.kinds.streams.methods.ofs_density import OfsDensity
from altfs.kinds.streams.selectors.ofs_a3m import NeighbourOptions
from altfs.kinds.streams.streaming_selector import StreamingSelector
from altfs.selectors.base import selectors


class OfsDensityOptions(NeighbourOptions):
    """tolerance: the share by which dependencies may differ and still be equal."""

    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.05


@selectors.register("ofs_density")
class OfsDensitySelector(StreamingSelector):
    """OFS-Density: a feature joins if at least about as many neighbours are of the row's class.

    The neighbours of a row are the nearest rows, as long as the distance per neighbour does not
    increase. The quality of a set is the mean share of neighbours that are of the row's class.

    Source: Zhou, Hu, Li, Wu, *OFS-Density: A Novel Online Streaming Feature Selection Method*,
    Pattern Recognition 86, 2019.
    """

    Options = OfsDensityOptions

    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> OfsDensity:
        asked = self.options
        return OfsDensity(
            y, target_type, asked.order, asked.max_rows, seed, tolerance=asked.tolerance
        )
