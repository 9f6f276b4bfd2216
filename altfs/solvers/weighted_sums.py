"""Limits of weighted sums as arrays, for compiled searches that add one feature at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray
from altfs.problem.conditions import Inequality

# More than the sum of any weights.
_NO_LIMIT = 1 << 61


class Sums(NamedTuple):
    """Sums of weights that a set must keep within limits.

    Attributes
    ----------
    weights : ndarray of int64 of shape (n_sums, n)
    least, most : ndarray of int64 of shape (n_sums,)
    shared : ndarray of bool of shape (n_shared, n)
        The features of each weight that counts once.
    place, weight : ndarray of int64 of shape (n_shared,)
        The sum to which each of these weights belongs, and the weight.
    """

    weights: IntArray
    least: IntArray
    most: IntArray
    shared: BoolArray
    place: IntArray
    weight: IntArray

    def within(self, held: IntArray, rest: IntArray) -> Sums:
        """Return the sums of sets of all features in `held` and some of `rest`."""
        if not len(self.least):
            # Its arrays are not read.
            return self
        hit = self.shared[:, held].any(axis=1)
        base = self.weights[:, held].sum(axis=1)
        np.add.at(base, self.place[hit], self.weight[hit])
        return Sums(
            np.ascontiguousarray(self.weights[:, rest]),
            self.least - base,
            self.most - base,
            np.ascontiguousarray(self.shared[~hit][:, rest]),
            self.place[~hit],
            self.weight[~hit],
        )

    @property
    def admits_nothing(self) -> bool:
        """True if a set with no further feature is within the limits."""
        return bool((self.least <= 0).all() and (self.most >= 0).all())


_NONE = np.zeros(0, dtype=np.int64)
_NO_SUMS = Sums(
    np.zeros((0, 0), dtype=np.int64), _NONE, _NONE, np.zeros((0, 0), dtype=np.bool_), _NONE, _NONE
)


def sums_of(inequalities: Sequence[Inequality], n_total: int) -> Sums:
    """Return inequalities on sets of `n_total` features as arrays.

    Raises
    ------
    AltfsError
        If their numbers have too many digits.

    Examples
    --------
    >>> from altfs.problem import Constraints
    >>> sums = sums_of([*Constraints(costs=(1, 2, 4), budget=5).inequalities()], 3)
    >>> satisfies(sums, np.array([0, 2])), satisfies(sums, np.array([1, 2]))
    (True, False)
    """
    if not inequalities:
        return _NO_SUMS
    small = [limit.in_64_bits() for limit in inequalities]
    weights = np.zeros((len(small), n_total), dtype=np.int64)
    for i, limit in enumerate(small):
        weights[i, [*limit.weights]] = [*limit.weights.values()]
    parts = [(i, *part) for i, limit in enumerate(small) for part in limit.shared]
    shared = np.zeros((len(parts), n_total), dtype=np.bool_)
    for p, (_, features, _) in enumerate(parts):
        shared[p, sorted(features)] = True
    return Sums(
        weights,
        np.array([-_NO_LIMIT if s.least is None else s.least for s in small], dtype=np.int64),
        np.array([_NO_LIMIT if s.most is None else s.most for s in small], dtype=np.int64),
        shared,
        np.array([i for i, _, _ in parts], dtype=np.int64),
        np.array([weight for _, _, weight in parts], dtype=np.int64),
    )


@compiled()
def satisfies(sums: Sums, chosen: IntArray) -> bool:
    """Return True if all sums of a set are within their limits."""
    for i in range(len(sums.least)):
        total = total_of(sums, i, chosen)
        if total < sums.least[i] or total > sums.most[i]:
            return False
    return True


@compiled()
def total_of(sums: Sums, i: int, chosen: IntArray) -> int:
    """Return one sum of a set, or of a part of one."""
    # A literal would be compiled as a type of its own.
    total: Any = np.int64(0)
    for j in chosen:
        total += sums.weights[i, j]
    for p in range(len(sums.place)):
        if sums.place[p] == i:
            for j in chosen:
                if sums.shared[p, j]:
                    total += sums.weight[p]
                    break
    return int(total)


@compiled()
def fills_of(sums: Sums, k: int) -> tuple[IntArray, IntArray]:
    """Return the least and the most that up to k further features add, of shape (n_sums, k + 1)."""
    low = np.zeros((len(sums.least), k + 1), dtype=np.int64)
    high = np.zeros_like(low)
    for i in range(len(sums.least)):
        ordered = np.sort(sums.weights[i])
        for m in range(min(k, len(ordered))):
            low[i, m + 1] = low[i, m] + ordered[m]
            high[i, m + 1] = high[i, m] + ordered[len(ordered) - 1 - m]
    for p in range(len(sums.place)):
        low[sums.place[p], 1:] += min(sums.weight[p], 0)
        high[sums.place[p], 1:] += max(sums.weight[p], 0)
    return low, high


@compiled()
def can_satisfy(sums: Sums, fills: tuple[IntArray, IntArray], chosen: IntArray, rest: int) -> bool:
    """Return False if no `rest` further features bring all sums within their limits."""
    low, high = fills
    for i in range(len(sums.least)):
        total = total_of(sums, i, chosen)
        if total + high[i, rest] < sums.least[i] or total + low[i, rest] > sums.most[i]:
            return False
    return True
