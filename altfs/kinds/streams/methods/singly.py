"""Methods that read columns one by one, and judge each first by the target alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from altfs.kinds.streams.base import Column, Group, Method, Other, Values
from altfs.kinds.streams.measures import FisherZ, GSquare, SymmetricUncertainty


class Filtered(Method):
    """The base class of methods that drop columns that are independent of the target.

    Parameters
    ----------
    measure : FisherZ, SymmetricUncertainty or GSquare
    """

    def __init__(self, measure: FisherZ | SymmetricUncertainty | GSquare) -> None:
        self.measure = measure

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        self.tests += len(columns)
        for j, dependence, values in self.measure.relevant(X, columns):
            yield j + 1, (Column(int(numbers[j]), dependence, values),)

    def objective(self, X: npt.NDArray[np.float64], other: Other | None = None) -> float:
        """Return the sum of the dependences on the target."""
        return float(self.measure.strengths(X, other).sum())
