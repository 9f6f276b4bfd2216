"""The best T of many known feature sets such that any two of them differ enough.

Russian dolls: the best r sets are found for r = 1, 2, ..., T in turn. Each answer bounds
what r further sets can add to a partial choice. Candidates are bits in descending order of
quality. So 64 at a time are tested whether they can join a partial choice, and the first
bits left bound what they can add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import Bits, BoolArray, IntArray
from altfs.solvers.listed.bits import all_bits, befriend, holders_of, lowest
from altfs.solvers.listed.first_rows import Ranked, first_rows

_NOTHING = -(1 << 61)
# Words of memory for the sets that go with each of the best candidates.
_MEMORY = 1 << 23

# Features of each set, sets with each feature, sets that go with each, and which are known.
_Table = tuple[IntArray, Bits, Bits, BoolArray]


@dataclass(frozen=True)
class Tuple:
    """The knowledge about the best T sets.

    Attributes
    ----------
    members : ndarray of int64 or None
        Rows of the sets; None if there is no tuple (or none was found).
    value : int
        The objective. Meaningless without members.
    complete : bool
        True if the answer is proven.
    bound : int
        No tuple is better.
    dolls : list of int
        The best objective of 0, 1, 2, ... sets, as far as known.
    nodes : int
    first : bool
        True if no best tuple comes before it in the order of rows.
    """

    members: IntArray | None
    value: int
    complete: bool
    bound: int
    dolls: list[int]
    nodes: int
    first: bool = False


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
    """Find the best `n_sets` of some feature sets, the first in the order of rows.

    Parameters
    ----------
    values : ndarray of int64 of shape (n,)
        Quality of each feature set.
    bits : ndarray of uint64 of shape (n, words)
        The feature sets, in lexicographic order.
    n_sets, max_overlap : int
        T and c; c below the size of a set.
    minimum : bool
        Aggregation min, else sum.
    node_limit : int
    floor : int
        Only tuples better than this count. The dolls do not need it.
    known_dolls : list of int, optional
        Upper bounds of the best objective of 0, 1, ... sets, which are then not
        computed.
    slack, ceiling : ndarray of int64 of shape (n,) and int, optional
        The objective of `n_sets` sets is at most `ceiling` less their slacks, which are
        at least 0.
    """
    if len(values) == 0:
        return Tuple(None, 0, True, floor, known_dolls or [0], 0)
    rows, ranked, table = _ranked(values, bits)
    nothing = np.empty(0, dtype=np.int64)
    ranked_slack = nothing if slack is None else slack[rows]
    dolls = np.full(n_sets + 1, 1 << 59, dtype=np.int64)
    dolls[0] = 0
    nodes = 0
    best: IntArray | None = None
    if known_dolls is not None:
        dolls[: len(known_dolls)] = known_dolls
    everyone = all_bits(len(values))
    for r in range(1 if known_dolls is None else len(known_dolls), n_sets + 1):
        last = r == n_sets
        complete, value, found, more = walk_to_best(
            ranked, ranked_slack if last else nothing, *table, everyone, r, max_overlap, minimum,
            dolls, ceiling, floor if last else _NOTHING, 1 << 60, node_limit - nodes,
        )  # fmt: skip
        nodes += more
        if not complete:
            # A further set adds at most the value of the best one, or lowers the minimum.
            so_far = [int(d) for d in dolls[:r]]
            largest = int(values.max())
            bound = largest if r == 1 else so_far[-1]
            if not minimum:
                bound = so_far[-1] + (n_sets - r + 1) * largest
            reached = last and found[0] >= 0
            return Tuple(
                rows[found] if reached else None, int(value), False,
                max(bound, int(value)) if reached else bound, so_far, nodes,
            )  # fmt: skip
        if found[0] < 0:
            return Tuple(None, 0, True, floor, [int(d) for d in dolls[:r]], nodes)
        dolls[r] = value
        best = found
    value = int(dolls[n_sets])
    assert best is not None
    order = Ranked(rows, ranked, ranked_slack, everyone, dolls, ceiling, minimum)
    members, first, more = _first(order, table, best, max_overlap, value, node_limit)
    return Tuple(members, value, True, value, [int(d) for d in dolls], nodes + more, first)


def first_tuple(
    values: IntArray,
    bits: Bits,
    known: IntArray,
    max_overlap: int,
    minimum: bool,
    dolls: list[int] | None,
    node_limit: int,
) -> tuple[IntArray, bool, int]:
    """Return the first of the best tuples in the order of rows, where one is known.

    Parameters
    ----------
    values, bits, max_overlap, minimum
        As in `best_tuple`.
    known : ndarray of int64 of shape (n_sets,)
        Rows of a best tuple.
    dolls : list of int or None
        Upper bounds of the best objective of 0, 1, ... sets. None if unknown.
    node_limit : int

    Returns
    -------
    members : ndarray of int64 of shape (n_sets,)
        Rows.
    first : bool
        True if it is proven to be the first.
    nodes : int
    """
    rows, ranked, table = _ranked(values, bits)
    bounds = np.full(len(known) + 1, 1 << 59, dtype=np.int64)
    bounds[: len(dolls or [0])] = dolls or [0]
    worth = values[known]
    everyone, nothing = all_bits(len(values)), np.empty(0, dtype=np.int64)
    return _first(
        Ranked(rows, ranked, nothing, everyone, bounds, 1 << 60, minimum), table,
        np.argsort(rows)[known], max_overlap, int(worth.min() if minimum else worth.sum()),
        node_limit,
    )  # fmt: skip


def _first(
    ranked: Ranked,
    table: _Table,
    known: IntArray,
    max_overlap: int,
    value: int,
    node_limit: int,
) -> tuple[IntArray, bool, int]:
    sets, holders, friends, remembered = table

    def together(i: int) -> tuple[Bits, int]:
        place, nodes = befriend(i, sets, holders, max_overlap, friends, remembered)
        return friends[place], nodes

    def search(
        chosen: list[int], pool: Bits, rest: int, ceiling: int, need: int, limit: int
    ) -> tuple[bool, IntArray, int]:
        complete, _, members, nodes = walk_to_best(
            ranked.values, ranked.slack, *table, pool, rest, max_overlap, ranked.minimum,
            ranked.dolls, ceiling, need - 1, need, limit,
        )  # fmt: skip
        return complete, members, nodes

    return first_rows(ranked, known, value, together, search, node_limit)


def _ranked(values: IntArray, bits: Bits) -> tuple[IntArray, IntArray, _Table]:
    """Return the rows from the best down, their values, and the table of the walks."""
    rows = np.argsort(-values, kind="stable")
    sets, holders = holders_of(bits[rows])
    words = holders.shape[1]
    kept = min(len(values), _MEMORY // words)
    friends, known = np.empty((kept + 1, words), dtype=np.uint64), np.zeros(kept, dtype=bool)
    return rows, values[rows], (sets, holders, friends, known)


@compiled()
def walk_to_best(
    values: IntArray,
    slack: IntArray,
    sets: IntArray,
    holders: Bits,
    friends: Bits,
    known: Any,
    pool: Any,
    n_sets: int,
    max_overlap: int,
    minimum: bool,
    dolls: IntArray,
    ceiling: int,
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """Find the best tuple of the candidates in `pool` that is better than `floor`.

    `values` descend. `dolls[r]` bounds the objective of r sets. So does `ceiling` less the
    slack of all `n_sets` sets, unless `slack` is empty. Returns whether the search ended by
    itself, the value (`floor` if nothing is better), the members and the nodes. A node is
    up to 64 words of bits, or 16 single candidates.
    """
    words = len(pool)
    T = n_sets
    one = np.uint64(1)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    chosen = np.full(T, -1, dtype=np.int64)
    candidates = np.zeros((T, words), dtype=np.uint64)
    candidates[0] = pool
    start = np.zeros(T, dtype=np.int64)
    total = np.zeros(T, dtype=np.int64)
    spent = np.zeros(T, dtype=np.int64)
    least = np.zeros(T, dtype=np.int64)
    sift = len(slack) > 0
    level = 0
    nodes = 0
    while level >= 0:
        rest = T - level
        # The best candidates left bound the rest, even if they do not go together.
        first = -1
        count = 0
        bound = total[level]
        w = start[level]
        while w < words and count < rest:
            x = candidates[level, w]
            while x and count < rest:
                g = (w << 6) + lowest(x)
                if first < 0:
                    first = g
                    start[level] = w
                bound = values[g] if minimum else bound + values[g]
                count += 1
                x &= x - one
            w += 1
        if count < rest or bound <= best:
            level -= 1
            continue
        value = values[first] if minimum else total[level] + values[first]
        more = dolls[rest - 1] if rest > 1 else 0
        if rest > 1 and (more if minimum else value + more) <= best:
            # No later set is better.
            level -= 1
            continue
        chosen[level] = first
        candidates[level, first >> 6] ^= one << np.uint64(first & 63)
        if rest == 1:
            if not sift or ceiling - spent[level] - slack[first] > best:
                best = value
                members[:] = chosen
                if best >= stop_at:
                    return True, best, members, nodes
            continue
        left = 0
        if sift:
            left = ceiling - spent[level] - slack[first] - best
            if left <= 0:
                continue
        if nodes >= node_limit:
            return False, best, members, nodes
        place, taken = befriend(first, sets, holders, max_overlap, friends, known)
        nodes += taken
        if rest == 2:
            # The first one that goes with it is the best one.
            w = start[level]
            settled = False
            while w < words and not settled:
                x = candidates[level, w] & friends[place, w]
                while x and not settled:
                    g = (w << 6) + lowest(x)
                    x &= x - one
                    last = values[g] if minimum else value + values[g]
                    if last <= best:
                        settled = True
                    elif not sift or slack[g] < left:
                        settled = True
                        best = last
                        chosen[level + 1] = g
                        members[:] = chosen
                w += 1
            nodes += (w - start[level]) // 64
            if best >= stop_at:
                return True, best, members, nodes
            continue
        joined = candidates[level + 1]
        for w in range(start[level], words):
            joined[w] = candidates[level, w] & friends[place, w]
        nodes += (words - start[level]) // 64
        if sift:
            for r in range(rest - 1):
                least[r] = 1 << 60
            count = 0
            for w in range(start[level], words):
                x = joined[w]
                while x:
                    bit = x & (~x + one)
                    v = slack[(w << 6) + lowest(x)]
                    x ^= bit
                    if v >= left:
                        joined[w] ^= bit
                        continue
                    count += 1
                    r = rest - 2
                    if v < least[r]:
                        while r > 0 and least[r - 1] > v:
                            least[r] = least[r - 1]
                            r -= 1
                        least[r] = v
            nodes += count // 16
            if count < rest - 1:
                continue
            for r in range(rest - 1):
                left -= least[r]
            if left <= 0:
                continue
            spent[level + 1] = spent[level] + slack[first]
        level += 1
        start[level] = start[level - 1]
        total[level] = value
    return True, best, members, nodes
