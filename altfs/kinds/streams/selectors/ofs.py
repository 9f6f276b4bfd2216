"""OFS: streaming rows, learned by gradient descent that keeps the largest weights."""

from __future__ import annotations

from math import inf, sqrt
from typing import ClassVar, Literal

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.streams.online_selector import EntriesOfRows, OnlineSelector, Positive
from altfs.kinds.streams.streaming_selector import ArrivalOptions
from altfs.selectors.base import selectors


class OfsOptions(ArrivalOptions):
    """eta: of a step. penalty: of the norm. decay: when weights shrink. rule: how they change."""

    eta: Positive = 0.2
    penalty: Positive = 0.01
    decay: Literal["always", "updates"] = "always"
    rule: Literal["projection", "truncation"] = "projection"


@selectors.register("ofs")
class Ofs(OnlineSelector):
    """OFS: the largest weights of a linear classifier that learns row by row.

    The norm is at most ``1 / sqrt(penalty)``. Weights shrink after all rows, as published, or
    with the decay "updates" after those of a step. The rule "truncation" is a perceptron without
    shrinking that is cut to its largest weights.

    Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE
    Transactions on Knowledge and Data Engineering 26, 2014 (Algorithm 2).
    """

    Options: ClassVar[type[ArrivalOptions]] = OfsOptions

    @property
    def rule(self) -> tuple[float, float, float, float, float, float]:
        """The numbers of `learn_ofs`."""
        eta, penalty = self.options.eta, self.options.penalty
        if self.options.rule == "truncation":
            return 0.0, 1.0, 1.0, 1.0, inf, 0.0
        stays = 1 - penalty * eta
        rests = stays if self.options.decay == "always" else 1.0
        return 1.0, eta, stays, rests, 1 / sqrt(penalty), 0.0

    def drawn(self, n_rows: int) -> IntArray:
        """Return the columns that are seen of each row; no rows if all are seen."""
        return np.empty((0, 0), dtype=np.int64)

    def step(self, rows: EntriesOfRows, signs: FloatArray) -> int:
        # Compiled code is slow to import.
        from altfs.kinds.streams.selectors._steps import learn_ofs

        drawn = self.drawn(len(signs))
        return int(learn_ofs(rows, signs, drawn, self.arrays, self.n_columns, self.rule))
