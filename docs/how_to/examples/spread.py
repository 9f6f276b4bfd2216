"""Spread: the range of every feature's values, relative to its standard deviation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.scores import Part, Score, scores


@scores.register("spread")
class Spread(Score):
    """Range over standard deviation, or over the interquartile range; 0 if constant."""

    variants = ("auto", "robust")

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        self.check_rows(len(part.y))
        if variant == "robust":
            low, high = np.quantile(part.X, [0.25, 0.75], axis=0)
            unit = high - low
        else:
            unit = part.X.std(axis=0)
        extent = np.ptp(part.X, axis=0)
        return np.divide(extent, unit, out=np.zeros_like(extent), where=unit > 0)

    def check_rows(self, n_rows: int) -> None:
        if n_rows < 2:
            raise DataError(f"{n_rows} rows are too few for the spread, 2 are needed")
