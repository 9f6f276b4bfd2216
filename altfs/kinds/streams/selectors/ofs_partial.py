"""OFS with partial inputs: streaming rows of which few columns are seen."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from altfs.kinds.streams.online_selector import OnlineSelector
from altfs.kinds.streams.rows import Shape
from altfs.kinds.streams.rows.ofs_partial import OfsPartial
from altfs.kinds.streams.selectors.ofs import Positive
from altfs.kinds.streams.streaming_selector import ArrivalOptions
from altfs.selectors.base import selectors


class OfsPartialOptions(ArrivalOptions):
    """eta: of a step. epsilon: share of rows with drawn columns. radius: the largest norm."""

    eta: Positive = 0.2
    epsilon: Annotated[float, Field(gt=0, le=1)] = 0.2
    radius: Positive = 10.0


@selectors.register("ofs_partial")
class OfsPartialSelector(OnlineSelector):
    """OFS that sees as many columns of a row as it keeps, drawn ones or its own.

    Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE
    Transactions on Knowledge and Data Engineering 26, 2014 (Algorithm 3).
    """

    Options = OfsPartialOptions

    def learners(self, shape: Shape, seed: int) -> OfsPartial:
        asked = self.options.model_dump(include={"eta", "epsilon", "radius"})
        return OfsPartial(shape, **asked, seed=seed)
