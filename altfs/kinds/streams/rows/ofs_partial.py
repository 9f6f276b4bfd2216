"""OFS with partial inputs: only a few columns of each row are seen.

Source: Wang, Zhao, Hoi, Jin, *Online Feature Selection and Its Applications*, IEEE Transactions
on Knowledge and Data Engineering 26, 2014 (Algorithm 3).
"""

from __future__ import annotations

import numpy as np

from altfs._numbers import IntArray
from altfs.kinds.streams.rows.base import Shape
from altfs.kinds.streams.rows.ofs import Ofs


class OfsPartial(Ofs):
    """OFS that sees as many columns of a row as a learner has features.

    Parameters
    ----------
    shape : Shape
    eta : float, default=0.2
        The size of a step.
    epsilon : float, default=0.2
        The share of rows of which columns are drawn. Of others, the features of the learner
        are seen.
    radius : float, default=10
        The largest norm of a vector.
    seed : int, default=0
    """

    def __init__(
        self,
        shape: Shape,
        *,
        eta: float = 0.2,
        epsilon: float = 0.2,
        radius: float = 10.0,
        seed: int = 0,
    ) -> None:
        super().__init__(shape)
        self.chance = np.random.RandomState(seed)
        self.rule = (1.0, eta, 1.0, 1.0, radius, epsilon)

    def drawn(self, n_rows: int) -> IntArray:
        found = np.full((n_rows, min(self.size, self.n_columns)), -1, dtype=np.int64)
        for columns in found:
            if self.chance.random_sample() < self.rule[-1]:
                columns[:] = self.chance.permutation(self.n_columns)[: len(columns)]
        return found
