"""A decision tree that grows best first, on features that a caller permits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.quality import TreeTraining

# Smaller gains are rounding, as a share of the impurity of all rows.
_ROUNDING = 1e-9
# Numbers that are sorted at once, which bounds the memory.
_AT_ONCE = 2_000_000


class GrowingTree:
    """A tree of which each step splits the leaf with the largest gain.

    The gain of a split is the decrease of the impurity (entropy of classes, variance of
    numbers) times the number of rows. Of equal gains the feature with the smaller index
    comes first, then the older leaf.

    Parameters
    ----------
    quality : TreeTraining

    Attributes
    ----------
    used : list of int
        The features in the tree, in the order in which it took them up.
    alone : ndarray of shape (n_total,)
        The gain of the best split of all rows by each feature.
    """

    def __init__(self, quality: TreeTraining) -> None:
        # Missing values go with the largest ones.
        self._X = np.where(np.isnan(quality.X), np.inf, quality.X)
        self._of_classes, self._min_leaf = quality.of_classes, quality.min_leaf
        y = quality.target
        # Sums over rows, from which the impurity follows.
        self._terms = y if self._of_classes else np.hstack([y - y.mean(), (y - y.mean()) ** 2])
        everything = np.arange(len(y))
        self._least = _ROUNDING * float(self._impurity(self._terms.sum(axis=0), len(y)))
        self._leaves = [everything]
        self._splits = [self._best_splits(everything)]
        self.alone = self._splits[0][0]
        self.used: list[int] = []

    def grow(self, may_enter: Callable[[int], bool], most: int) -> None:
        """Split leaves until no split gains, or until the tree has `most` features.

        Parameters
        ----------
        may_enter : callable
            Returns True if a feature may join those in use. A feature that may not join them
            is not asked for again.
        most : int
        """
        permitted = np.ones(self._X.shape[1], dtype=bool)
        while len(self.used) < most:
            gains = np.array([gain for gain, _ in self._splits]).T
            gains[~permitted] = 0.0
            feature, leaf = np.unravel_index(int(gains.argmax()), gains.shape)
            if gains[feature, leaf] <= self._least:
                return
            j = int(feature)
            if j not in self.used:
                if not may_enter(j):
                    permitted[j] = False
                    continue
                self.used.append(j)
            self._split(int(leaf), j)

    def _split(self, leaf: int, feature: int) -> None:
        rows = self._leaves[leaf]
        left = self._X[rows, feature] <= self._splits[leaf][1][feature]
        parts = [rows[left], rows[~left]]
        self._leaves[leaf], self._splits[leaf] = parts[0], self._best_splits(parts[0])
        self._leaves.append(parts[1])
        self._splits.append(self._best_splits(parts[1]))

    def _best_splits(self, rows: npt.NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return the largest gain of each feature on some rows, and the largest value left."""
        n_total, n_rows = self._X.shape[1], len(rows)
        gains, cuts = np.zeros(n_total), np.zeros(n_total)
        n_left = np.arange(self._min_leaf, n_rows - self._min_leaf + 1)
        if not len(n_left):
            return gains, cuts
        terms = self._terms[rows]
        whole = terms.sum(axis=0)
        before = float(self._impurity(whole, n_rows))
        step = max(1, _AT_ONCE // terms.size)
        for start in range(0, n_total, step):
            values = self._X[rows, start : start + step].T
            order = np.argsort(values, axis=1, kind="stable")
            ordered = np.take_along_axis(values, order, axis=1)
            left = np.cumsum(terms[order], axis=1)[:, n_left - 1]
            after = self._impurity(left, n_left) + self._impurity(whole - left, n_rows - n_left)
            # Equal values stay together.
            after[ordered[:, n_left] <= ordered[:, n_left - 1]] = np.inf
            best = after.argmin(axis=1)
            place = np.arange(len(best))
            gains[start : start + step] = np.maximum(before - after[place, best], 0.0)
            cuts[start : start + step] = ordered[place, n_left[best] - 1]
        return gains, cuts

    def _impurity(
        self, sums: FloatArray, n_rows: FloatArray | npt.NDArray[np.int64] | int
    ) -> FloatArray:
        """Return impurities times the numbers of rows, from the sums of `_terms`."""
        if not self._of_classes:
            return np.asarray(sums[..., 1] - sums[..., 0] ** 2 / n_rows)
        logarithms = np.log2(np.maximum(sums, 1.0))
        return np.asarray(n_rows * np.log2(n_rows) - (sums * logarithms).sum(axis=-1))
