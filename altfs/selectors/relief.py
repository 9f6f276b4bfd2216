"""ReliefF: the differences of every feature between near rows of different classes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray, check_rows
from altfs.errors import DataError
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.base import SelectorOptions, selectors

# The largest number of distances in memory at a time.
_CELLS_AT_ONCE = 1 << 21


class ReliefOptions(SelectorOptions):
    """n_neighbours: of each row, of every class. sigma: see :class:`Relief`."""

    n_neighbours: int = Field(default=10, ge=1)
    sigma: float | None = Field(default=None, gt=0, allow_inf_nan=False)


@selectors.register("relief")
class Relief(LinearFromRows):
    """ReliefF for classes, RReliefF for numbers: the sum of the features' weights.

    Every row is compared once with its nearest rows in Manhattan distance over all features,
    each scaled to [0, 1] by its range. Among equally distant rows the first ones count. A
    feature gains by a difference from near rows of other classes, weighted by the share of
    each class. It loses by a difference from near rows of the same class. With a numeric
    target, the difference of the targets is the weight. All neighbours have the same weight.
    With `sigma`, the neighbour of rank r has the weight ``exp(-(r / sigma)**2)``. The results
    are in [-1, 1], and 0 for constant features. Two categories differ by 1.

    Source: Kononenko 1994; Robnik-Sikonja and Kononenko, *Theoretical and
    Empirical Analysis of ReliefF and RReliefF*, Machine Learning 53, 2003,
    Figures 2 and 3 and Equation 20, with all rows in place of a sample. Weights and
    their order are those of Weka 3.9.7 (``ReliefFAttributeEval``), compared to twelve
    digits in ``tests/oracles``. There are two exceptions: among equally distant rows
    Weka may take others, and with `sigma` Weka counts ranks from 0 in place of 1.
    """

    Options = ReliefOptions

    def values(self, part: Part) -> FloatArray:
        rows = _RowDistances(part)
        if part.target_type == "regression":
            return self._number_weights(rows, part.y.astype(np.float64))
        return self._class_weights(rows, part.y)

    def _class_weights(self, among: _RowDistances, y: npt.NDArray[np.generic]) -> FloatArray:
        _, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
        if sizes.min() < 2:
            reason = "a class has only 1 row, ReliefF needs 2 of every class"
            raise DataError("y", reason, "leave that class out or use another selector")
        shares = sizes / len(y)
        weights = np.zeros(among.n_total)
        rows_of = [np.flatnonzero(codes == c) for c in range(len(sizes))]
        for i, distances in enumerate(among.distances()):
            label = codes[i]
            for c, rows in enumerate(rows_of):
                others = rows[rows != i]
                chosen, influence = self._nearest(others, distances[others])
                differences = influence @ among.differences(chosen, i)
                if c == label:
                    weights -= differences
                else:
                    weights += shares[c] / (1 - shares[label]) * differences
        return weights / len(y)

    def _number_weights(self, among: _RowDistances, y: FloatArray) -> FloatArray:
        check_rows(len(y), 2, "ReliefF")
        target = _scaled(y[:, None])[:, 0]
        differs, both = 0.0, np.zeros(among.n_total)
        features = np.zeros(among.n_total)
        rows = np.arange(len(y))
        for i, distances in enumerate(among.distances()):
            others = rows[rows != i]
            chosen, influence = self._nearest(others, distances[others])
            moved = among.differences(chosen, i)
            targets = np.abs(target[chosen] - target[i])
            differs += float(influence @ targets)
            features += influence @ moved
            both += (influence * targets) @ moved
        same = len(y) - differs
        if differs == 0 or same <= 0:
            # The targets of near rows never differ, or always differ fully.
            return np.zeros(among.n_total)
        return both / differs - (features - both) / same

    def _nearest(
        self, rows: npt.NDArray[np.int64], distances: FloatArray
    ) -> tuple[npt.NDArray[np.int64], FloatArray]:
        """Return the nearest rows and their influence, which sums to 1."""
        order = np.argsort(distances, kind="stable")[: self.options.n_neighbours]
        ranks = np.arange(1, len(order) + 1)
        influence = np.ones(len(order))
        if self.options.sigma is not None:
            influence = np.exp(-((ranks / self.options.sigma) ** 2))
            if influence.sum() == 0:
                influence[0] = 1.0
        return rows[order], influence / influence.sum()


def _scaled(X: FloatArray) -> FloatArray:
    """Scale columns to [0, 1]; constant ones are 0."""
    least = X.min(axis=0)
    extent = X.max(axis=0) - least
    scaled: FloatArray = np.divide(X - least, extent, out=np.zeros_like(X), where=extent > 0)
    return scaled


class _RowDistances:
    """The rows of a part, and how far they are from each other."""

    def __init__(self, part: Part) -> None:
        self._categories = np.flatnonzero(part.categorical)
        self._numbers = np.flatnonzero(~part.categorical)
        self._X, self.n_total = part.X.copy(), part.X.shape[1]
        self._X[:, self._numbers] = _scaled(part.X[:, self._numbers])

    def differences(self, chosen: npt.NDArray[np.int64], row: int) -> FloatArray:
        """Return the difference of each feature between some rows and one row, from 0 to 1."""
        differences: FloatArray = np.abs(self._X[chosen] - self._X[row])
        differences[:, self._categories] = differences[:, self._categories] > 0
        return differences

    def distances(self) -> Iterator[FloatArray]:
        """Yield the distances of every row to all rows, computed a block of rows at a time."""
        from scipy.spatial.distance import cdist

        X, step = self._X[:, self._numbers], max(1, _CELLS_AT_ONCE // len(self._X))
        categories = self._X[:, self._categories]
        for start in range(0, len(X), step):
            block = slice(start, start + step)
            distances = cdist(X[block], X, "cityblock")
            if self._categories.size:
                share = cdist(categories[block], categories, "hamming")
                distances += np.rint(share * self._categories.size)
            yield from distances
