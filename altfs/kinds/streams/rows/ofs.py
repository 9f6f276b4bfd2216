"""OFS: online gradient descent in a ball, cut to the largest weights after each mistake.

Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE Transactions
on Knowledge and Data Engineering 26, 2014 (Algorithm 2).
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Literal

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.streams.rows.base import Learners, Rows, Shape

Decay = Literal["always", "updates"]
Rule = Literal["projection", "truncation"]


class Ofs(Learners):
    """OFS.

    Parameters
    ----------
    shape : Shape
    eta : float, default=0.2
        The size of a step.
    penalty : float, default=0.01
        The weight of the squared norm. The norm is at most ``1 / sqrt(penalty)``.
    decay : {"always", "updates"}, default="always"
        The rows after which weights shrink: all, as published, or those of a step.
    rule : {"projection", "truncation"}, default="projection"
        "truncation" is a perceptron without shrinking that is cut to its largest weights.
    """

    def __init__(
        self,
        shape: Shape,
        *,
        eta: float = 0.2,
        penalty: float = 0.01,
        decay: Decay = "always",
        rule: Rule = "projection",
    ) -> None:
        super().__init__(shape)
        stays = 1 - penalty * eta
        rests = stays if decay == "always" else 1.0
        self.rule = (1.0, eta, stays, rests, 1 / sqrt(penalty), 0.0)
        if rule == "truncation":
            self.rule = (0.0, 1.0, 1.0, 1.0, inf, 0.0)

    def drawn(self, n_rows: int) -> IntArray:
        """Return the columns that are seen of each row; no rows if all are seen."""
        return np.empty((0, 0), dtype=np.int64)

    def step(self, rows: Rows, signs: FloatArray) -> int:
        # Compiled code is slow to import.
        from altfs.kinds.streams.rows._steps import learn_ofs

        drawn, asked = self.drawn(len(signs)), (self.size, self.shared, self.n_columns)
        state = self.weights, self.held, self.mistakes
        return int(learn_ofs(*rows, signs, drawn, *state, *asked, self.rule))
