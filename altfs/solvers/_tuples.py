"""The best T of many known feature sets such that any two of them differ enough.

Russian dolls: the best r sets are found for r = 1, 2, ..., T in turn, and each
answer bounds what r further sets can add to a partial choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

IntArray = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

_NOTHING = -(1 << 61)


@njit(cache=True)
def _popcount(bits: Any) -> Any:
    odd, two, four = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(4)
    x = bits - ((bits >> np.uint64(1)) & odd)
    x = (x & two) + ((x >> np.uint64(2)) & two)
    x = (x + (x >> four)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def _best_tuple(
    values: IntArray,
    bits: Bits,
    n_sets: int,
    max_overlap: int,
    minimum: bool,
    dolls: IntArray,
    slack: IntArray,
    ceiling: int,
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """The best tuple better than `floor`, members in the candidates' order.

    `dolls[r]` bounds the objective of r sets; so does `ceiling` less the slack
    of all T sets. Returns whether the search ended by itself, the value
    (`floor` if nothing is better), the members and the nodes, a node being up
    to 64 candidates looked at.
    """
    n, words = bits.shape
    T = n_sets
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    lists = np.zeros((T, n), dtype=np.int64)
    count = np.zeros(T, dtype=np.int64)
    turn = np.zeros(T, dtype=np.int64)
    total = np.zeros(T + 1, dtype=np.int64)
    total[0] = (1 << 60) if minimum else 0
    lists[0] = np.arange(n)
    count[0] = n
    top = np.zeros(T + 1, dtype=np.int64)
    spent = np.zeros(T + 1, dtype=np.int64)
    least = np.zeros(T + 1, dtype=np.int64)
    level = 0
    nodes = 0
    while level >= 0:
        if turn[level] >= count[level] - (T - level - 1):
            level -= 1
            continue
        i = lists[level, turn[level]]
        turn[level] += 1
        rest = T - level - 1
        value = min(total[level], values[i]) if minimum else total[level] + values[i]
        bound = value
        if rest > 0:
            bound = min(value, dolls[rest]) if minimum else value + dolls[rest]
        if bound <= best or ceiling - spent[level] - slack[i] <= best:
            continue
        if rest == 0:
            best = value
            for back in range(T):
                members[back] = lists[back, turn[back] - 1]
            if best >= stop_at:
                return True, best, members, nodes
            continue
        # Who can still join, and what the best of them add.
        found = 0
        for r in range(rest):
            top[r] = _NOTHING
            least[r] = 1 << 60
        left = ceiling - spent[level] - slack[i] - best
        for p in range(turn[level], count[level]):
            g = lists[level, p]
            if slack[g] >= left:
                continue
            overlap = 0
            for w in range(words):
                overlap += _popcount(bits[i, w] & bits[g, w])
            if overlap > max_overlap:
                continue
            lists[level + 1, found] = g
            found += 1
            v = slack[g]
            if v < least[rest - 1]:
                r = rest - 1
                while r > 0 and least[r - 1] > v:
                    least[r] = least[r - 1]
                    r -= 1
                least[r] = v
            v = values[g]
            if v > top[rest - 1]:
                r = rest - 1
                while r > 0 and top[r - 1] < v:
                    top[r] = top[r - 1]
                    r -= 1
                top[r] = v
        nodes += 1 + (count[level] - turn[level]) // 64
        if nodes > node_limit:
            return False, best, members, nodes
        if found < rest:
            continue
        more = spent[level] + slack[i]
        for r in range(rest):
            more += least[r]
        if ceiling - more <= best:
            continue
        if minimum:
            bound = min(value, top[rest - 1])
        else:
            bound = value
            for r in range(rest):
                bound += top[r]
        if bound <= best:
            continue
        level += 1
        count[level] = found
        turn[level] = 0
        total[level] = value
        spent[level] = spent[level - 1] + slack[i]
    return True, best, members, nodes


@dataclass(frozen=True)
class Tuple:
    """What is known about the best T sets.

    Attributes
    ----------
    members : ndarray of int64 or None
        Rows of the sets; None if there is no tuple (or none was found).
    value : int
        The objective; meaningless without members.
    complete : bool
        Whether the answer is proven.
    bound : int
        No tuple is better.
    dolls : list of int
        Best objective of 0, 1, 2, ... sets, as far as known.
    nodes : int
    """

    members: IntArray | None
    value: int
    complete: bool
    bound: int
    dolls: list[int]
    nodes: int


def best_tuple(
    values: IntArray,
    bits: Bits,
    n_sets: int,
    max_overlap: int,
    minimum: bool,
    node_limit: int,
    floor: int = _NOTHING,
    known_dolls: list[int] | None = None,
    slack: IntArray | None = None,
    ceiling: int = 1 << 60,
) -> Tuple:
    """The best `n_sets` of some feature sets; the first of them in the order of rows.

    Parameters
    ----------
    values : ndarray of int64 of shape (n,)
        Quality of each feature set.
    bits : ndarray of uint64 of shape (n, words)
        The feature sets; rows in lexicographic order of the sets.
    n_sets, max_overlap : int
        T and c; c below the size of a set.
    minimum : bool
        Aggregation min, else sum.
    node_limit : int
    floor : int
        Only tuples better than this count; the dolls do not need it.
    known_dolls : list of int, optional
        Upper bounds of the best objective of 0, 1, ..., T - 1 sets, which then
        are not computed.
    slack, ceiling : ndarray of int64 of shape (n,) and int, optional
        The objective of `n_sets` sets is at most `ceiling` less their slack, at
        least 0 each.
    """
    best_first = np.argsort(-values, kind="stable")
    loose = np.zeros_like(values) if slack is None else slack
    ranked_slack = loose[best_first]
    ranked, ranked_bits = values[best_first], np.ascontiguousarray(bits[best_first])
    dolls = np.full(n_sets + 1, 1 << 59, dtype=np.int64)
    dolls[0] = 0
    nodes = 0
    members: IntArray | None = None
    if known_dolls is not None:
        dolls[:n_sets] = known_dolls
    for r in range(1 if known_dolls is None else n_sets, n_sets + 1):
        start = floor if r == n_sets else _NOTHING
        complete, value, found, more = _best_tuple(
            ranked, ranked_bits, r, max_overlap, minimum, dolls, ranked_slack,
            ceiling if r == n_sets else 1 << 60, start, 1 << 60, node_limit - nodes,
        )  # fmt: skip
        nodes += more
        if not complete:
            # One set more adds at most the best one, or lowers the minimum.
            known = [int(d) for d in dolls[:r]]
            largest = int(values.max())
            bound = largest if r == 1 else known[-1]
            if not minimum:
                bound = known[-1] + (n_sets - r + 1) * largest
            reached = r == n_sets and found[0] >= 0
            return Tuple(
                best_first[found] if reached else None, int(value), False,
                max(bound, int(value)) if reached else bound, known, nodes,
            )  # fmt: skip
        if found[0] < 0:
            return Tuple(None, 0, True, floor, [int(d) for d in dolls[:r]], nodes)
        dolls[r] = value
        members = best_first[found]
    value = int(dolls[n_sets])
    assert members is not None
    # Again in the sets' own order: the first of that value is the canonical one.
    if minimum:
        kept = np.flatnonzero(values >= value)
    else:
        kept = np.flatnonzero(values + dolls[n_sets - 1] >= value)
    complete, _, found, more = _best_tuple(
        values[kept], np.ascontiguousarray(bits[kept]), n_sets, max_overlap, minimum, dolls,
        loose[kept], ceiling, value - 1, value, node_limit,
    )  # fmt: skip
    if complete:
        members = kept[found]
    return Tuple(members, value, True, value, [int(d) for d in dolls], nodes + more)
