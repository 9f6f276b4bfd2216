"""OFS with partial inputs: streaming rows of which few columns are seen."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from altfs._numbers import IntArray
from altfs.kinds.streams.online_selector import Positive
from altfs.kinds.streams.selectors.ofs import Ofs
from altfs.kinds.streams.streaming_selector import ArrivalOptions
from altfs.selectors.base import selectors


class OfsPartialOptions(ArrivalOptions):
    """eta: of a step. epsilon: share of rows with drawn columns. radius: the largest norm."""

    eta: Positive = 0.2
    epsilon: Annotated[float, Field(gt=0, le=1)] = 0.2
    radius: Positive = 10.0


@selectors.register("ofs_partial")
class OfsPartial(Ofs):
    """OFS that sees as many columns of a row as it keeps, drawn ones or its own.

    Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE
    Transactions on Knowledge and Data Engineering 26, 2014 (Algorithm 3).
    """

    Options = OfsPartialOptions

    def prepare(self, seed: int) -> None:
        self.chance = np.random.RandomState(seed)

    @property
    def rule(self) -> tuple[float, float, float, float, float, float]:
        return 1.0, self.options.eta, 1.0, 1.0, self.options.radius, self.options.epsilon

    def drawn(self, n_rows: int) -> IntArray:
        drawn = np.full((n_rows, min(self.size, self.n_columns)), -1, dtype=np.int64)
        for columns in drawn:
            if self.chance.random_sample() < self.options.epsilon:
                columns[:] = self.chance.permutation(self.n_columns)[: len(columns)]
        return drawn
