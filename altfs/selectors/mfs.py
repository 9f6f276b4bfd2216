"""MFS: a bound of the error in each state of the categories of a set, by its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import fsum
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.prediction._binned import BinnedRows
from altfs.problem import FeatureIndices
from altfs.quality import BatchedBox
from altfs.scores.base import Part
from altfs.selectors.base import Selector, SelectorOptions, refuse_numbers, selectors

# A direction of at most so small a variance is that of a copy. The other one keeps variances within
# classes above 0.
_COPY, _NONE = 1e-6, 1e-9
# Sums in another order differ in later digits.
_DIGITS = 10


class MfsOptions(SelectorOptions):
    """max_iterations: the most sets that a solver evaluates; if there are no more, it proves."""

    max_iterations: Annotated[int, Field(ge=1)] = 5000


@selectors.register("mfs")
class Mfs(Selector):
    """The share of a bound of the error that the states of categories and numbers in them remove.

    The categories of a set divide the rows into states, one for each combination. In each state
    the numbers have normal distributions, with a mean for each class and one covariance. Classes
    a and b are then confused with at most ``sqrt(p_a p_b) exp(-D / 8)``, the bound of
    Bhattacharyya. D is the squared distance of Mahalanobis between the means, and 0 without
    numbers. The sum over pairs of classes and states, weighted by their rows, is compared with
    that of no features: 1 if no error is left, 0 if nothing is told. For classes only.

    Both parts are corrected for chance, so values can be below 0. The shares of the classes in
    the states are moved towards those of all rows, as far as chance explains their chi-square. D
    has its unbiased estimate, or is 0 in states of too few rows. Constants and copies add nothing.

    The text of the source was not available. What is known of it is the division of the numbers
    along the states of categories, judged by the probability of error. The bound, the covariance
    and both corrections were chosen here. The solver `forward` adds features one by one.

    Source: Tang and Mao, *Feature Selection Algorithm for Mixed Data with Both Nominal and
    Continuous Features*, Pattern Recognition Letters 28, 2007.
    """

    Options = MfsOptions
    needs_rows = True
    for_classes = True
    # The quality reads the rows of a set.
    stores = False

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        refuse_numbers(self.name, target_type, "forest")

    def quality(self, part: Part) -> BatchedBox:
        self.check_target(part.y, part.target_type, part.seed)
        rows = BinnedRows(part.X, part.y, part.categorical, part.target_type)
        rank, X = rows.rank[:-1], part.X[rows.order]
        columns = [
            np.unique(X[:, j], return_inverse=True)[1] if part.categorical[j] else _scaled(X[:, j])
            for j in range(len(rank))
        ]
        removed = _Removed(columns, part.categorical, rank, rows.classes)
        most = self.options.max_iterations
        return BatchedBox(removed, len(rank), 1.0, most, rank=rank.tolist())


def _scaled(values: FloatArray) -> FloatArray:
    """Return numbers with mean 0 and variance 1; zeros of a constant."""
    if values.min() == values.max():
        return np.zeros(len(values))
    small = values / np.abs(values).max()
    centred = small - small.mean()
    return np.asarray(centred / (centred.std() or 1.0))


@dataclass(frozen=True)
class _Removed:
    """The shares of the bound that sets remove, as a function that can be pickled."""

    columns: list[npt.NDArray[Any]]
    categorical: BoolArray
    rank: IntArray
    classes: IntArray

    def __call__(self, sets: list[FeatureIndices]) -> list[float]:
        alike: dict[FeatureIndices, list[int]] = {}
        for place, chosen in enumerate(sets):
            categories = tuple(j for j in chosen if self.categorical[j])
            alike.setdefault(categories, []).append(place)
        values = [0.0] * len(sets)
        for categories, places in alike.items():
            state = np.zeros(len(self.classes), dtype=np.int64)
            for j in categories:
                joint = state * (self.columns[j].max() + 1) + self.columns[j]
                state = np.unique(joint, return_inverse=True)[1]
            states = _States(state, self.classes, self.columns)
            for place in places:
                numbers = [j for j in sets[place] if not self.categorical[j]]
                values[place] = states.removed(sorted(numbers, key=lambda j: self.rank[j]))
        return values


class _States:
    """The rows in the states of some categories."""

    def __init__(self, state: IntArray, classes: IntArray, columns: list[npt.NDArray[Any]]) -> None:
        n_states, n_classes = int(state.max()) + 1, int(classes.max()) + 1
        cells = state * n_classes + classes
        counts = np.bincount(cells, minlength=n_states * n_classes).astype(np.float64)
        counts = counts.reshape(n_states, n_classes)
        sizes, shares = counts.sum(axis=1), counts.sum(axis=0) / len(state)
        apart = counts / sizes[:, None] - shares
        chi_square = float((sizes[:, None] * apart**2 / shares).sum())
        by_chance = (n_states - 1) * (n_classes - 1)
        told = max(0.0, 1 - by_chance / chi_square) if chi_square > 0 else 0.0
        self.weights, self.whole_roots = sizes / len(state), np.sqrt(shares)
        self.roots = np.sqrt(shares + np.sqrt(told) * apart)
        # An unbiased distance needs two degrees of freedom more than numbers.
        free = sizes - (counts > 0).sum(axis=1)
        self.used = np.flatnonzero(free > 2)
        self.counts, self.sizes, self.free = counts[self.used], sizes[self.used], free[self.used]
        order = np.argsort(state, kind="stable")
        self._rows, self._columns = order[np.isin(state[order], self.used)], columns
        place = np.searchsorted(self.used, state[self._rows])
        self._cells = place * n_classes + classes[self._rows]
        self._starts = np.searchsorted(place, np.arange(len(self.used)))
        self._means_and_rests, self._products = cache(self._of_number), cache(self._of_pair)

    def _of_number(self, j: int) -> tuple[FloatArray, FloatArray]:
        """Return the means of a number in states and classes, and what they leave of each row."""
        values = self._columns[j][self._rows]
        sums = np.bincount(self._cells, values, minlength=self.counts.size)
        means = sums.reshape(self.counts.shape) / np.maximum(self.counts, 1)
        return means, values - means.ravel()[self._cells]

    def _of_pair(self, i: int, j: int) -> FloatArray:
        """Return the sums of products within the classes of each state."""
        rests = self._means_and_rests(i)[1] * self._means_and_rests(j)[1]
        return np.asarray(np.add.reduceat(rests, self._starts))

    def removed(self, numbers: list[int]) -> float:
        """Return the share of the bound of no features that the states and numbers remove."""
        means = self._standard_means(numbers) if numbers and len(self.used) else None
        left, most = [], []
        for a in range(len(self.whole_roots) - 1):
            most += (self.whole_roots[a] * self.whole_roots[a + 1 :]).tolist()
            bound = self.weights[:, None] * self.roots[:, [a]] * self.roots[:, a + 1 :]
            if means is not None:
                bound[self.used] *= np.exp(-self._distances(*means, a) / 8)
            left += bound.ravel().tolist()
        return round(1 - fsum(left) / fsum(most), _DIGITS) if most else 0.0

    def _standard_means(self, numbers: list[int]) -> tuple[FloatArray, IntArray]:
        """Return class means whose distances are those of Mahalanobis, and the dimensions."""
        products = [[self._products(*sorted((i, j))) for j in numbers] for i in numbers]
        within, counts = np.moveaxis(np.array(products), 2, 0), self.counts[:, :, None]
        means = np.stack([self._means_and_rests(j)[0] for j in numbers], axis=2)
        sizes, free = self.sizes[:, None, None], self.free[:, None, None]
        centre = (counts * means).sum(axis=1, keepdims=True) / sizes
        means = np.where(counts > 0, means - centre, 0.0)
        total = within + np.swapaxes(means, 1, 2) @ (counts * means)
        variances, axes = np.linalg.eigh(total / sizes)
        kept = variances > _COPY
        axes = axes * np.where(kept, np.maximum(variances, _COPY) ** -0.5, 0.0)[:, None]
        inner = np.swapaxes(axes, 1, 2) @ within @ axes / free + _NONE * np.eye(len(numbers))
        standard = np.linalg.solve(np.linalg.cholesky(inner), np.swapaxes(means @ axes, 1, 2))
        return np.swapaxes(standard, 1, 2), kept.sum(axis=1)

    def _distances(self, means: FloatArray, dimensions: IntArray, a: int) -> FloatArray:
        """Return unbiased squared distances of class a from later ones in the states."""
        squares = ((means[:, [a]] - means[:, a + 1 :]) ** 2).sum(axis=2)
        one, others = self.counts[:, [a]], self.counts[:, a + 1 :]
        left = self.free - dimensions - 1
        chance = dimensions[:, None] * (1 / np.maximum(one, 1) + 1 / np.maximum(others, 1))
        known = (one > 0) & (others > 0) & (left > 0)[:, None]
        return np.where(known, squares * (left / self.free)[:, None] - chance, 0.0)
