"""Pair contrasts: how much each feature tells about each other one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.scores._contrast import Contrasts, SliceSettings, check_enough_rows
from altfs.scores.base import Part, Score, scores


@scores.register("pair_contrasts")
class PairContrasts(Score):
    """The contrast of every feature on every other one, from 0 to 1.

    Entry (i, j) is that of feature i in slices of feature j, and 0 on the diagonal. A variant
    other than "auto" is the text of :class:`altfs.scores._contrast.SliceSettings`.
    """

    of_pairs = True
    any_variant = True

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        contrasts = Contrasts(part, SliceSettings.of(variant))
        # Without a slice nothing is known to be shared.
        return np.nan_to_num(np.column_stack([contrasts.of_pairs(j) for j in columns]))
