"""Lists of the good feature sets where pairs cost, and the parts that their searches share.

Both searches are depth first and keep their state per level: the features that can
still join (`members`, best first, `length` of them), the next one to try (`turn`) and
what each can add at best (`scores`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray

#: The sets wanted of a search for sets of at least some value: all of them (the better
#: half is kept where there are too many), the best one, or any.
ALL, BEST, SOME = 0, 1, 2
#: The value of `reached` where nothing is known to be complete.
NOT_REACHED = 1 << 61
#: Less than the value of any set.
LOWEST = -(1 << 61)


class Goal(NamedTuple):
    """The sets that a search is to list, and its limits.

    Attributes
    ----------
    threshold : int
        The value of a set that is good enough.
    wanted : {ALL, BEST, SOME}
        With `BEST` each set found raises the threshold. `SOME` ends the search as soon
        as there are `most` sets.
    most, node_limit : int
        The numbers of sets to list and of partial sets to look at. Where there are more
        sets and `ALL` are wanted, the better half is kept and the threshold raised.
    """

    threshold: int
    wanted: int
    most: int
    node_limit: int


class Rows(NamedTuple):
    """Limits of how many features of some rows a set may hold.

    Attributes
    ----------
    rows : ndarray of bool of shape (n_rows, n)
    room : ndarray of int64 of shape (n_rows,)
    """

    rows: BoolArray
    room: IntArray


class Found(NamedTuple):
    """The answer of a search.

    Attributes
    ----------
    sets : ndarray of int64 of shape (n_found, n_features)
        Ascending indices; with `BEST` at most one set.
    values : ndarray of int64 of shape (n_found,)
    reached : int
        All sets of at least this value are listed (with `BEST`: no other set has it). It
        is the threshold if no limit was met. It is `NOT_REACHED` if there are as many of
        `SOME` as wanted.
    nodes : int
    """

    sets: IntArray
    values: IntArray
    reached: int
    nodes: int


@dataclass(frozen=True)
class Listing:
    """Feature sets of at least some value.

    Attributes
    ----------
    sets : ndarray of int64 of shape (n_found, n_features)
        Ascending indices, rows in lexicographic order.
    values : ndarray of int64 of shape (n_found,)
    reached : int
        All sets of at least this value are listed.
    nodes : int
    """

    sets: IntArray
    values: IntArray
    reached: int
    nodes: int


def lexicographic_rows(sets: IntArray) -> IntArray:
    """Return the order of feature sets that are rows of ascending indices."""
    return np.lexsort(sets.T[::-1]) if sets.shape[1] else np.arange(len(sets))


@compiled()
def nearest_first(costs: Any) -> IntArray:
    """Return for each feature all features by ascending cost of the pair."""
    near = np.zeros(costs.shape, dtype=np.int64)
    for j in range(len(costs)):
        near[j] = np.argsort(costs[j])
    return near


@compiled()
def keep_fitting(
    members: IntArray, length: int, rows: BoolArray, room: IntArray, used: IntArray, inside: Any
) -> int:
    """Keep the members that rows have room for, mark them, and return their number."""
    inside[:] = False
    kept = 0
    for p in range(length):
        j = members[p]
        fits = True
        for i in range(len(room)):
            if rows[i, j] and used[i] >= room[i]:
                fits = False
                break
        if fits:
            members[kept] = j
            inside[j] = True
            kept += 1
    return kept


@compiled()
def with_cheapest(start: Any, j: int, need: int, near: IntArray, inside: Any, costs: Any) -> Any:
    """Add to a number the costs of a feature's cheapest pairs with other members."""
    q = 0
    while need > 0:
        other = near[j, q]
        if inside[other] and other != j:
            start += costs[j, other]
            need -= 1
        q += 1
    return start


@compiled()
def insert(members: IntArray, scores: Any, p: int, j: int, score: Any, by_index: bool) -> None:
    """Insert a feature among the first p by descending score, then as they come or by index."""
    while p > 0 and (
        scores[p - 1] < score or (by_index and scores[p - 1] == score and members[p - 1] > j)
    ):
        scores[p] = scores[p - 1]
        members[p] = members[p - 1]
        p -= 1
    scores[p] = score
    members[p] = j


@compiled()
def bound_of(start: Any, scores: Any, p: int, rest: int, part: Any, spare: Any) -> Any:
    """Bound a partial set with the `rest` best features from p on, rounding included."""
    for q in range(p, p + rest):
        start += scores[q]
    return start + part * (spare + abs(start))


@compiled()
def largest_open_bound(
    level: int, start: Any, scores: Any, turn: IntArray, length: IntArray, part: Any, spare: Any
) -> Any:
    """Return the largest bound of what is open, on some level and those above it."""
    k = len(start) - 1
    worst = bound_of(start[level], scores[level], turn[level], k - level, part, spare[level])
    for back in range(level):
        p, rest = turn[back], k - back
        if length[back] - p >= rest:
            bound = bound_of(start[back], scores[back], p, rest, part, spare[back])
            worst = max(worst, bound)
    return worst


@compiled()
def use_rows(used: IntArray, rows: BoolArray, j: int, by: int) -> None:
    """Count a feature in its rows."""
    for i in range(len(used)):
        if rows[i, j]:
            used[i] += by


@compiled()
def descend(
    level: int, members: IntArray, turn: IntArray, length: IntArray, sums: Any, more: Any
) -> None:
    """Hand the features that come later to the next level, and add to their sums."""
    kept = 0
    for q in range(turn[level], length[level]):
        other = members[level, q]
        members[level + 1, kept] = other
        sums[level + 1, other] = sums[level, other] + more[other]
        kept += 1
    length[level + 1] = kept


@compiled()
def chosen_by(members: IntArray, turn: IntArray, n_features: int) -> IntArray:
    """Return the set that the last choices of all levels make, ascending."""
    chosen = np.zeros(n_features, dtype=np.int64)
    for level in range(n_features):
        chosen[level] = members[level, turn[level] - 1]
    chosen.sort()
    return chosen


@compiled()
def record(
    sets: IntArray, values: IntArray, count: int, chosen: IntArray, value: int, threshold: int,
    wanted: int, most: int,
) -> tuple[IntArray, IntArray, int, int]:  # fmt: skip
    """List a set of at least the threshold; return the list, its length and the threshold."""
    if count == most:
        threshold = np.sort(values[:count])[count // 2] + 1
        kept = 0
        for q in range(count):
            if values[q] >= threshold:
                values[kept] = values[q]
                sets[kept] = sets[q]
                kept += 1
        count = kept
        if value < threshold:
            return sets, values, count, threshold
    if wanted == BEST:
        threshold = value + 1
        count = 0
    if count == len(values):
        sets = np.concatenate((sets, np.zeros_like(sets)))
        values = np.concatenate((values, np.zeros_like(values)))
    sets[count] = chosen
    values[count] = value
    return sets, values, count + 1, threshold
