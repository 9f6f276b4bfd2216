"""SOFS: streaming rows, learned with the certainty of each weight."""

from __future__ import annotations

from altfs.kinds.streams.online_selector import OnlineSelector
from altfs.kinds.streams.rows import Shape
from altfs.kinds.streams.rows.sofs import Sofs
from altfs.kinds.streams.selectors.ofs import Positive
from altfs.kinds.streams.streaming_selector import ArrivalOptions
from altfs.selectors.base import selectors


class SofsOptions(ArrivalOptions):
    """r: the regularisation; the larger, the smaller are the steps."""

    r: Positive = 1.0


@selectors.register("sofs")
class SofsSelector(OnlineSelector):
    """SOFS: the most certain weights of a linear classifier that learns row by row.

    Source: Wu, Hoi, Mei, Yu, *Large-Scale Online Feature Selection for Ultra-High Dimensional
    Sparse Data*, ACM Transactions on Knowledge Discovery from Data 11, 2017 (Algorithm 2).
    """

    Options = SofsOptions

    def learners(self, shape: Shape, seed: int) -> Sofs:
        return Sofs(shape, r=self.options.r)
