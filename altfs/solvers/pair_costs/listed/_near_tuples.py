"""The best T of many known feature sets, all of them close to the best after prices.

The distance of a family to a bound on all families has three parts, which are never
negative. The first is the distance of each set to the best one after prices. The second is
the distance of each pair of sets to the allowed overlap, times a price of overlaps. The
third is the distance of each feature to the number of sets that pays most. All parts only
grow with the family. The first of its sets can be the one of the smallest distance, at most
a T-th of the whole.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import Bits, IntArray
from altfs.solvers.pair_costs.listed._bits import popcount

_NEVER = 1 << 60


class Payment(NamedTuple):
    """The largest payment of families."""

    most: int
    #: The deduction for an overlap less than allowed.
    overlap: int
    #: Shape (n, n_sets + 1, n_sets + 1). Entry (j, u, r): what is missing if feature j is in u to u
    #: + r sets.
    lacks: IntArray


def most_paid(prices: IntArray, shape: tuple[int, int, int]) -> tuple[int, int]:
    """Return the largest payment of a family, and the price of overlaps that shows it.

    The m-th use of a feature pays its price less (m - 1) times a price of overlaps. The
    best T k uses pay so, and all allowed overlaps pay their price. The smallest such sum
    over all prices of overlaps is returned. `shape` is (n_sets, n_features, max_overlap).

    Examples
    --------
    >>> most_paid(np.array([5, 3, 1]), (2, 2, 1))
    (14, 2)
    """
    n_sets, n_features, max_overlap = shape
    times = np.arange(n_sets)
    slots, pairs = n_sets * n_features, comb(n_sets, 2) * max_overlap

    def total(overlap: int) -> int:
        uses = np.sort((prices[:, None] - overlap * times).ravel())
        return int(uses[uses.size - slots :].sum()) + overlap * pairs

    low, high = 0, int(prices.max() - prices.min()) + 1
    while low < high:
        # The sum is convex in the price.
        middle = (low + high) // 2
        if total(middle) <= total(middle + 1):
            high = middle
        else:
            low = middle + 1
    return total(low), low


def payment(prices: IntArray, shape: tuple[int, int, int]) -> Payment:
    """Split what families can pay into features and overlaps."""
    n_sets, n_features, _ = shape
    most, overlap = most_paid(prices, shape)
    uses = prices[:, None] - overlap * np.arange(n_sets)
    least = int(np.sort(uses.ravel())[uses.size - n_sets * n_features])
    paid = np.zeros((prices.size, n_sets + 1), dtype=np.int64)
    paid[:, 1:] = np.cumsum(uses - least, axis=1)
    missing = paid.max(axis=1)[:, None] - paid
    lacks = np.zeros((prices.size, n_sets + 1, n_sets + 1), dtype=np.int64)
    for u in range(n_sets + 1):
        for r in range(n_sets + 1):
            lacks[:, u, r] = missing[:, u : u + r + 1].min(axis=1)
    return Payment(most, overlap, lacks)


class Listed(NamedTuple):
    """Sets in lexicographic order."""

    #: Shape (n,). The value of a set, and its distance to the best one after prices.
    values: IntArray
    slack: IntArray
    #: The features of a set, one set a row, and the same as bits.
    sets: IntArray
    bits: Bits


@compiled()
def near_tuple(
    listed: Listed, shape: tuple[int, int], ceiling: int, paid: Payment, dolls: IntArray,
    floor: int, ties: bool, node_limit: int,
) -> tuple[bool, int, IntArray, int]:  # fmt: skip
    """Find the best tuple of at least the value `floor`.

    Parameters
    ----------
    listed : Listed
    shape : tuple of int
        The number of sets, and their largest overlap.
    ceiling : int
        A bound on all families.
    paid : Payment
    dolls : ndarray of int64 of shape (n_sets,)
        Upper bounds of the best sum of 0, 1, ... sets.
    floor : int
    ties : bool
        True for the first of equal tuples, False for any of them.
    node_limit : int
        A node is up to 64 sets that are looked at.

    Returns
    -------
    complete : bool
    value : int
    members : ndarray of int64 of shape (n_sets,)
        Ascending rows, or -1 if there is no such tuple.
    nodes : int
    """
    values, slack, sets, bits = listed
    (T, max_overlap), (_, overlap_price, lacks) = shape, paid
    n = len(values)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    rows = np.zeros((T, n), dtype=np.int64)
    lack = np.zeros((T, n), dtype=np.int64)
    count, turn = np.zeros(T, dtype=np.int64), np.zeros(T, dtype=np.int64)
    spent, total = np.zeros(T + 1, dtype=np.int64), np.zeros(T + 1, dtype=np.int64)
    uses = np.zeros((T + 1, lacks.shape[0]), dtype=np.int64)
    top = np.zeros(T + 1, dtype=np.int64)
    chosen = np.zeros(T, dtype=np.int64)
    copy_into(rows[0], np.argsort(slack, kind="mergesort"))
    copy_into(lack[0], slack[rows[0]])
    count[0] = n
    level = nodes = 0
    while level >= 0:
        rest = T - level - 1
        left = turn[level]
        # The best value may be reached again if ties count.
        target = best + (0 if ties or members[0] < 0 else 1)
        budget = ceiling - target - spent[level]
        if left > count[level] - (rest + 1) or (
            rest > 0 and (rest + 1) * lack[level, left] > budget
        ):
            level -= 1
            continue
        i, distance = rows[level, left], lack[level, left]
        turn[level] += 1
        chosen[level] = i
        value = total[level] + values[i]
        if rest == 0:
            if value > best or (members[0] < 0 and value == best):
                best = value
                members = np.sort(chosen)
            elif value == best and ties:
                members = _first_of(np.sort(chosen), members)
            continue
        if value + dolls[rest] < target:
            continue
        copy_into(uses[level + 1], uses[level])
        for f in sets[i]:
            uses[level + 1, f] += 1
        budget -= distance
        for f in range(lacks.shape[0]):
            budget -= lacks[f, uses[level + 1, f], rest]
        if rest * distance > budget:
            continue
        fitting = 0
        top[:rest] = -_NEVER
        for p in range(turn[level], count[level]):
            g, more = rows[level, p], lack[level, p]
            if more + (rest - 1) * distance > budget:
                # Sets are in the order of their distances.
                break
            overlap = 0
            for w in range(bits.shape[1]):
                overlap += popcount(bits[i, w] & bits[g, w])
            if overlap > max_overlap:
                continue
            more += overlap_price * (max_overlap - overlap)
            if value + values[g] < target if rest == 1 else more + (rest - 1) * distance > budget:
                continue
            rows[level + 1, fitting] = g
            lack[level + 1, fitting] = more
            fitting += 1
            _keep_largest(values[g], top, rest)
        nodes += 1 + (count[level] - turn[level]) // 64
        if nodes > node_limit:
            return False, best, members, nodes
        if fitting < rest or value + top[:rest].sum() < target:
            continue
        if rest > 1:
            _sort_by_lack(rows[level + 1], lack[level + 1], fitting)
            if lack[level + 1, :rest].sum() > budget:
                continue
        level += 1
        count[level], turn[level] = fitting, 0
        total[level], spent[level] = value, spent[level - 1] + distance
    return True, best, members, nodes


@compiled()
def _first_of(a: IntArray, b: IntArray) -> IntArray:
    """Return the one of two rows that comes first."""
    for p in range(len(a)):
        if a[p] != b[p]:
            return a if a[p] < b[p] else b
    return a


@compiled(inline="always")
def _keep_largest(v: int, top: IntArray, most: int) -> None:
    """Insert a number if it is one of the largest."""
    if v > top[most - 1]:
        r = most - 1
        while r > 0 and top[r - 1] < v:
            top[r] = top[r - 1]
            r -= 1
        top[r] = v


@compiled()
def _sort_by_lack(rows: IntArray, lack: IntArray, count: int) -> None:
    order = np.argsort(lack[:count], kind="mergesort")
    copy_into(rows, rows[:count][order])
    copy_into(lack, lack[:count][order])
