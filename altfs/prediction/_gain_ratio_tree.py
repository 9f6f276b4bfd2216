"""The decision tree of C4.5: gain ratios, a branch for each category, pessimistic pruning.

Source: Quinlan, *C4.5: Programs for Machine Learning*, 1993.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray

# Differences that count as rounding: of gains, and of a gain from the average.
_ROUNDING, _NEAR_AVERAGE = 1e-6, 1e-3
# A subtree stays only if it saves this many estimated errors.
_SAVING = 0.1
# Both sides of a cut have a tenth of an even class of the rows, up to so many.
_MOST_ROWS_OF_A_SIDE = 25
# Categories have many values if they are this share of all rows.
_MANY = 0.3
# The largest number of values that are sorted at a time.
_CELLS_AT_ONCE = 1 << 20


@dataclass(eq=False)
class Node:
    """A node of a tree; a leaf has no children."""

    rows: IntArray
    #: Shape (n_classes,). Its rows of each class.
    counts: IntArray
    #: The feature that it splits.
    feature: int = -1
    #: The largest value of the first of two branches; NaN if each category has a branch.
    cut: float = float("nan")
    children: list[Node] = field(default_factory=list)
    #: The pessimistic number of errors of its pruned subtree.
    estimate: float = 0.0

    def become(self, other: Node | None) -> None:
        """Take the split of another node, or become a leaf."""
        self.feature, self.cut, self.children = (
            (-1, float("nan"), []) if other is None else (other.feature, other.cut, other.children)
        )


class GainRatioTree:
    """A C4.5 tree.

    Of the splits with at least the average gain, a node takes that of the largest gain ratio;
    the first feature among equals. Numbers are cut in two, halfway between neighbours, where
    the gain is largest; the first such cut among equals. The gain of a cut pays ``log2(cuts) /
    rows`` for the choice. A category has a branch for each value.

    Subtrees that do not err less on the rows become leaves. Then a subtree becomes a leaf, or
    its largest branch takes its place, if a pessimistic number of errors allows it.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_total)
        Without missing values.
    y : ndarray of shape (n_rows,)
        Classes.
    categorical : ndarray of bool of shape (n_total,)
        The features that are categories.
    min_rows : int
        Two branches of a split have at least so many rows.
    confidence : float
        The probability that a leaf errs more often than its upper bound says.
    """

    def __init__(
        self,
        X: FloatArray,
        y: npt.NDArray[Any],
        categorical: npt.NDArray[np.bool_],
        min_rows: int,
        confidence: float,
    ) -> None:
        self._X, self._min_rows, self._confidence = X, min_rows, confidence
        classes, self._y = np.unique(y, return_inverse=True)
        self._n_classes, n = len(classes), len(self._y)
        sizes = np.arange(n + 1)
        self._worth = sizes * np.log2(np.maximum(sizes, 1))
        self._codes = {
            int(j): np.unique(X[:, j], return_inverse=True)[1] for j in np.flatnonzero(categorical)
        }
        self._n_values = {j: int(codes.max()) + 1 for j, codes in self._codes.items()}
        self._numbers = np.flatnonzero(~categorical)
        self._ordered = {int(j): np.unique(X[:, j]) for j in self._numbers}
        many = {j for j, size in self._n_values.items() if size >= _MANY * n - _ROUNDING}
        # They do not raise the average, unless there is nothing else.
        self._many = many if len(many) < X.shape[1] else set()
        self.root = self._node(np.arange(n))
        self._grow()
        self._collapse()
        self._prune()

    def importances(self) -> FloatArray:
        """Return the bits that the splits on each feature save, over all rows."""
        values = np.zeros(self._X.shape[1])
        for node in _below(self.root):
            if node.children:
                saved = self._bits(node.counts) - sum(self._bits(c.counts) for c in node.children)
                values[node.feature] += max(saved, 0.0)
        return values

    def _node(self, rows: IntArray) -> Node:
        return Node(rows, np.bincount(self._y[rows], minlength=self._n_classes))

    def _bits(self, counts: IntArray) -> float:
        """Return the entropy of counts in bits times their sum."""
        return float(self._worth[counts.sum()] - self._worth[counts].sum())

    def _branches(self, node: Node, rows: IntArray) -> list[IntArray]:
        """Divide rows by the split of a node."""
        if node.feature not in self._codes:
            above = self._X[rows, node.feature] > node.cut
            return [rows[~above], rows[above]]
        codes = self._codes[node.feature][rows]
        return [rows[codes == value] for value in range(self._n_values[node.feature])]

    def _grow(self) -> None:
        pending = [self.root]
        while pending:
            node = pending.pop()
            if len(node.rows) < 2 * self._min_rows or node.counts.max() == len(node.rows):
                continue
            split = self._best_split(node)
            if split is not None:
                node.feature, node.cut = split
                node.children = [self._node(rows) for rows in self._branches(node, node.rows)]
                pending += node.children

    def _best_split(self, node: Node) -> tuple[int, float] | None:
        """Return the feature and the cut of the best split; None if no split is possible."""
        gains = np.full(self._X.shape[1], -np.inf)
        ratios, cuts = np.zeros(len(gains)), np.full(len(gains), np.nan)
        self._judge_numbers(node, gains, ratios, cuts)
        self._judge_categories(node, gains, ratios)
        usual = [j for j in np.flatnonzero(np.isfinite(gains)) if int(j) not in self._many]
        if not usual:
            return None
        ratios[gains < gains[usual].mean() - _NEAR_AVERAGE] = 0
        best = _first_largest(ratios[:, None])[0]
        if ratios[best] <= _ROUNDING:
            return None
        return int(best), float(cuts[best])

    def _judge_numbers(
        self, node: Node, gains: FloatArray, ratios: FloatArray, cuts: FloatArray
    ) -> None:
        n = len(node.rows)
        share = min(max(0.1 * n / self._n_classes, self._min_rows), _MOST_ROWS_OF_A_SIDE)
        least = int(np.ceil(max(share, self._min_rows) - _ROUNDING))
        if n < 2 * least:
            return
        step = max(1, _CELLS_AT_ONCE // n)
        for start in range(0, len(self._numbers), step):
            block = self._numbers[start : start + step]
            X = self._X[np.ix_(node.rows, block)]
            order = np.argsort(X, axis=0, kind="stable")
            X, y = np.take_along_axis(X, order, 0), self._y[node.rows][order]
            # A cut at place i leaves the rows up to i below it.
            places = np.arange(least - 1, n - least)
            rises = X[places] < X[places + 1]
            below = np.zeros((len(places), len(block)))
            for c, count in enumerate(node.counts):
                lower = np.cumsum(y == c, axis=0)[places]
                below -= self._worth[lower] + self._worth[count - lower]
            apart = self._worth[places + 1] + self._worth[n - 1 - places]
            gain = (self._bits(node.counts) - apart[:, None] - below) / n
            gain[~rises] = -np.inf
            first = _first_largest(gain)
            each, n_cuts = np.arange(len(block)), rises.sum(axis=0)
            net = gain[first, each] - np.log2(np.maximum(n_cuts, 1)) / n
            possible = (n_cuts > 0) & (net > _ROUNDING)
            at, each = places[first[possible]], each[possible]
            gains[block[each]] = net[possible]
            ratios[block[each]] = net[possible] * n / (self._worth[n] - apart[first[possible]])
            low, high = X[at, each], X[at + 1, each]
            for j, a, b in zip(block[each], low, high, strict=True):
                values, middle = self._ordered[int(j)], (a + b) / 2
                middle = a if middle == b else middle
                cuts[j] = values[np.searchsorted(values, middle, side="right") - 1]

    def _judge_categories(self, node: Node, gains: FloatArray, ratios: FloatArray) -> None:
        n, y = len(node.rows), self._y[node.rows]
        for j, codes in self._codes.items():
            cells = self._n_values[j] * self._n_classes
            counts = np.bincount(codes[node.rows] * self._n_classes + y, minlength=cells)
            table = counts.reshape(-1, self._n_classes)
            sizes = table.sum(axis=1)
            if np.count_nonzero(sizes >= self._min_rows) < 2:
                continue
            left = float(self._worth[sizes].sum() - self._worth[table].sum())
            saved, spread = self._bits(node.counts) - left, self._bits(sizes)
            gains[j] = saved / n
            ratios[j] = saved / spread

    def _collapse(self) -> None:
        """Make leaves of subtrees that err as often on the rows as a leaf."""
        for node in reversed(list(_below(self.root))):
            node.estimate = sum(child.estimate for child in node.children)
            if not node.children or node.estimate >= _errors(node.counts) - _NEAR_AVERAGE:
                node.become(None)
                node.estimate = _errors(node.counts)

    def _prune(self) -> None:
        pending = [(self.root, False)]
        while pending:
            node, children_are_pruned = pending.pop()
            leaf = self._pessimistic(node.counts)
            if not node.children:
                node.estimate = leaf
            elif not children_are_pruned:
                pending += [(node, True), *((child, False) for child in node.children)]
            else:
                # The last one among equal branches, as in Weka.
                sizes = [len(child.rows) for child in node.children]
                largest = node.children[len(sizes) - 1 - int(np.argmax(sizes[::-1]))]
                raised = self._estimate(largest, node.rows)
                kept = sum(child.estimate for child in node.children)
                if leaf <= min(kept, raised) + _SAVING + _ROUNDING:
                    node.become(None)
                    node.estimate = leaf
                elif raised <= kept + _SAVING + _ROUNDING:
                    node.become(largest)
                    self._refill(node)
                    pending.append((node, False))
                else:
                    node.estimate = kept

    def _refill(self, top: Node) -> None:
        """Give the nodes below a node their shares of its rows."""
        pending = [top]
        while pending:
            node = pending.pop()
            if node.children:
                shares = self._branches(node, node.rows)
                for child, rows in zip(node.children, shares, strict=True):
                    child.rows = rows
                    child.counts = np.bincount(self._y[rows], minlength=self._n_classes)
                pending += node.children

    def _estimate(self, top: Node, rows: IntArray) -> float:
        """Return the pessimistic errors of a subtree on other rows."""
        total, pending = 0.0, [(top, rows)]
        while pending:
            node, rows = pending.pop()
            if node.children:
                pending += zip(node.children, self._branches(node, rows), strict=True)
            else:
                counts = np.bincount(self._y[rows], minlength=self._n_classes)
                total += self._pessimistic(counts)
        return total

    def _pessimistic(self, counts: IntArray) -> float:
        n, errors = int(counts.sum()), _errors(counts)
        return errors + more_errors(n, errors, self._confidence) if n else 0.0


def more_errors(n_rows: int, errors: int, confidence: float) -> float:
    """Return how many errors more than seen a leaf is charged with.

    It is the upper bound of a binomial distribution: exact without errors, from one on the
    normal approximation with correction for continuity.

    >>> round(more_errors(6, 0, 0.25), 4), round(more_errors(16, 1, 0.25), 4)
    (1.2378, 1.4757)
    """
    if errors == 0:
        return float(n_rows * (1 - confidence ** (1 / n_rows)))
    if errors + 0.5 >= n_rows:
        return float(max(n_rows - errors, 0))
    z, share = NormalDist().inv_cdf(1 - confidence), (errors + 0.5) / n_rows
    spread = sqrt(share / n_rows - share**2 / n_rows + z**2 / (4 * n_rows**2))
    bound = (share + z**2 / (2 * n_rows) + z * spread) / (1 + z**2 / n_rows)
    return bound * n_rows - errors


def _errors(counts: IntArray) -> int:
    return int(counts.sum() - counts.max())


def _first_largest(values: FloatArray) -> IntArray:
    """Return the first place of the largest value in each column, but for rounding."""
    return np.asarray(np.argmax(values >= values.max(axis=0) - _ROUNDING, axis=0))


def _below(top: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it, parents first."""
    pending = [top]
    while pending:
        node = pending.pop()
        yield node
        pending += node.children
