"""OFS: streaming rows, learned by gradient descent that keeps the largest weights."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from altfs.kinds.streams.online_selector import OnlineSelector
from altfs.kinds.streams.rows import Shape
from altfs.kinds.streams.rows.ofs import Decay, Ofs, Rule
from altfs.kinds.streams.streaming_selector import ArrivalOptions
from altfs.selectors.base import selectors

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class OfsOptions(ArrivalOptions):
    """eta: of a step. penalty: of the norm. decay: when weights shrink. rule: how they change."""

    eta: Positive = 0.2
    penalty: Positive = 0.01
    decay: Decay = "always"
    rule: Rule = "projection"


@selectors.register("ofs")
class OfsSelector(OnlineSelector):
    """OFS: the largest weights of a linear classifier that learns row by row.

    Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE
    Transactions on Knowledge and Data Engineering 26, 2014 (Algorithm 2).
    """

    Options = OfsOptions

    def learners(self, shape: Shape, seed: int) -> Ofs:
        asked = self.options.model_dump(include={"eta", "penalty", "decay", "rule"})
        return Ofs(shape, **asked)
