"""The best T of many known feature sets such that any two of them differ enough.

Russian dolls: the best r sets are found for r = 1, 2, ..., T in turn. Each answer bounds
the gain of r further sets. Candidates are bits in descending order of
quality. So a test whether sets can join a partial choice takes 64 at a time. The first bits
left bound the gain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import Bits, BoolArray, IntArray
from altfs.solvers.listed.bits import all_bits, befriend, holders_of, lowest
from altfs.solvers.listed.first_rows import Ranked, first_rows

_NOTHING = -(1 << 61)
# Words of memory for the sets compatible with each of the best candidates.
_MEMORY = 1 << 23

# Features of each set, sets with each feature, sets compatible with each, and which are known.
_Table = tuple[IntArray, Bits, Bits, BoolArray]


@dataclass(frozen=True)
class Tuple:
    """The knowledge about the best T sets."""

    #: Rows of the sets; None if there is no tuple (or none was found).
    members: IntArray | None
    #: The objective. Meaningless without members.
    value: int
    #: True if the answer is proven.
    complete: bool
    #: No tuple is better.
    bound: int
    #: The best objective of 0, 1, 2, ... sets, as far as known.
    dolls: list[int]
    nodes: int
    #: True if no best tuple comes before it in the order of rows.
    first: bool = False


def best_tuple(
    values: IntArray,
    bits: Bits,
    shape: tuple[int, int],
    minimum: bool,
    node_limit: int,
    floor: int = _NOTHING,
    known_dolls: list[int] | None = None,
) -> Tuple:
    """Find the best `shape[0]` of some feature sets, the first in the order of rows.

    Parameters
    ----------
    values : ndarray of int64 of shape (n,)
        Quality of each feature set.
    bits : ndarray of uint64 of shape (n, words)
        The feature sets, in lexicographic order.
    shape : tuple of int
        The number of sets T, and their largest overlap c, which is below the size of a set.
    minimum : bool
        Aggregation min, else sum.
    node_limit : int
    floor : int
        Only tuples better than this count. The dolls do not need it.
    known_dolls : list of int, optional
        Upper bounds of the best objective of 0, 1, ... sets. They are computed by default.
    """
    if len(values) == 0:
        return Tuple(None, 0, True, floor, known_dolls or [0], 0)
    n_sets, max_overlap = shape
    known_dolls = known_dolls or [0]
    ranked, table = _ranked(values, bits, n_sets, known_dolls, minimum)
    rows, dolls = ranked.rows, ranked.dolls
    nodes = 0
    best: IntArray | None = None
    for r in range(len(known_dolls), n_sets + 1):
        last = r == n_sets
        complete, value, found, more = walk_to_best(
            ranked.values, *table, ranked.pool, r, max_overlap, minimum, dolls,
            floor if last else _NOTHING, 1 << 60, node_limit - nodes,
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
    members, first, more = _first(ranked, table, best, max_overlap, value, node_limit)
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
    """Return the first of the best tuples in the order of rows, if one is known.

    The rows `known` are a best tuple. `dolls` is None if no bounds are known. Returns the
    rows, True if they are proven to be the first, and nodes.
    """
    ranked, table = _ranked(values, bits, len(known), dolls or [0], minimum)
    value = int(values[known].min() if minimum else values[known].sum())
    candidates = np.argsort(ranked.rows)[known]
    return _first(ranked, table, candidates, max_overlap, value, node_limit)


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
            ranked.values, *table, pool, rest, max_overlap, ranked.minimum, ranked.dolls,
            need - 1, need, limit,
        )  # fmt: skip
        return complete, members, nodes

    return first_rows(ranked, known, value, together, search, node_limit)


def _ranked(
    values: IntArray, bits: Bits, n_sets: int, dolls: list[int], minimum: bool
) -> tuple[Ranked, _Table]:
    """Return the sets from the best down, and the table of the walks."""
    rows = np.argsort(-values, kind="stable")
    sets, holders = holders_of(bits[rows])
    words = holders.shape[1]
    kept = min(len(values), _MEMORY // words)
    friends, known = np.empty((kept + 1, words), dtype=np.uint64), np.zeros(kept, dtype=bool)
    bounds = np.full(n_sets + 1, 1 << 59, dtype=np.int64)
    bounds[: len(dolls)] = dolls
    pool, no_slack = all_bits(len(values)), np.zeros_like(rows)
    ranked = Ranked(rows, values[rows], no_slack, pool, bounds, 1 << 60, minimum)
    return ranked, (sets, holders, friends, known)


@compiled()
def walk_to_best(
    values: IntArray,
    sets: IntArray,
    holders: Bits,
    friends: Bits,
    known: Any,
    pool: Any,
    n_sets: int,
    max_overlap: int,
    minimum: bool,
    dolls: IntArray,
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """Find the best tuple of the candidates in `pool` that is better than `floor`.

    `values` descend. `dolls[r]` bounds the objective of r sets. A tuple as good as `stop_at`
    ends the search. Returns whether the search ended by itself, the value (`floor` if nothing
    is better), the members and the nodes. A node is up to 64 words of bits.
    """
    words = len(pool)
    T = n_sets
    one = np.uint64(1)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    chosen = np.full(T, -1, dtype=np.int64)
    candidates = np.zeros((T, words), dtype=np.uint64)
    copy_into(candidates[0], pool)
    start = np.zeros(T, dtype=np.int64)
    total = np.zeros(T, dtype=np.int64)
    level = 0
    nodes = 0
    while level >= 0:
        rest = T - level
        # The best candidates left bound the rest, compatible or not.
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
            best = value
            copy_into(members, chosen)
            if best >= stop_at:
                return True, best, members, nodes
            continue
        if nodes >= node_limit:
            return False, best, members, nodes
        place, taken = befriend(first, sets, holders, max_overlap, friends, known)
        nodes += taken
        if rest == 2:
            # The first compatible one is the best one.
            w = start[level]
            settled = False
            while w < words and not settled:
                x = candidates[level, w] & friends[place, w]
                if x:
                    settled = True
                    g = (w << 6) + lowest(x)
                    last = values[g] if minimum else value + values[g]
                    if last > best:
                        best = last
                        chosen[level + 1] = g
                        copy_into(members, chosen)
                w += 1
            nodes += (w - start[level]) // 64
            if best >= stop_at:
                return True, best, members, nodes
            continue
        joined = candidates[level + 1]
        for w in range(start[level], words):
            joined[w] = candidates[level, w] & friends[place, w]
        nodes += (words - start[level]) // 64
        level += 1
        start[level] = start[level - 1]
        total[level] = value
    return True, best, members, nodes
