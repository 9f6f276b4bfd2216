"""The best T of many known feature sets such that any two of them differ enough.

Russian dolls: the best r sets are found for r = 1, 2, ..., T in turn. Each answer bounds
the gain of r further sets. RankedSets are bits in descending order of
quality. So a test whether sets can join a partial choice takes 64 at a time. The first bits
left bound the gain. The canonical one of the best tuples is the first in the order of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import Bits, BoolArray, IntArray
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum
from altfs.solvers.pair_costs.listed._bits import all_bits, befriend, clear, holders_of, lowest

_NOTHING = -(1 << 61)
# Words of memory for the sets compatible with each of the best candidates.
_MEMORY = 1 << 23


class RankedSets(NamedTuple):
    """Sets in the order in which they are searched: from the best down."""

    #: Shape (n,).
    values: IntArray
    #: The features of each set, and the sets with each feature.
    sets: IntArray
    holders: Bits
    #: The sets compatible with each of the best ones, as far as they are `ready`.
    friends: Bits
    ready: BoolArray
    max_overlap: int


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
    given_dolls: list[int] | None = None,
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
    given_dolls : list of int, optional
        Upper bounds of the best objective of 0, 1, ... sets. They are computed by default.
    """
    if len(values) == 0:
        return Tuple(None, 0, True, floor, given_dolls or [0], 0)
    n_sets, max_overlap = shape
    given_dolls = given_dolls or [0]
    rows, candidates = _ranked(values, bits, max_overlap)
    pool, dolls = all_bits(len(rows)), _bounds(given_dolls, n_sets)
    nodes = 0
    best: IntArray | None = None
    for r in range(len(given_dolls), n_sets + 1):
        last = r == n_sets
        complete, value, places, more = walk_to_best(
            candidates, pool, r, minimum, dolls, floor if last else _NOTHING, 1 << 60,
            node_limit - nodes,
        )  # fmt: skip
        nodes += more
        if not complete:
            # A further set adds at most the value of the best one, or lowers the minimum.
            so_far = [int(d) for d in dolls[:r]]
            largest = int(values.max())
            bound = largest if r == 1 else so_far[-1]
            if not minimum:
                bound = so_far[-1] + (n_sets - r + 1) * largest
            reached = last and places[0] >= 0
            return Tuple(
                rows[places] if reached else None, int(value), False,
                max(bound, int(value)) if reached else bound, so_far, nodes,
            )  # fmt: skip
        if places[0] < 0:
            return Tuple(None, 0, True, floor, [int(d) for d in dolls[:r]], nodes)
        dolls[r] = value
        best = places
    value = int(dolls[n_sets])
    assert best is not None
    members, first, more = _first(rows, candidates, dolls, best, minimum, node_limit)
    return Tuple(members, value, True, value, [int(d) for d in dolls], nodes + more, first)


def first_tuple(
    values: IntArray,
    bits: Bits,
    optimum: IntArray,
    max_overlap: int,
    minimum: bool,
    dolls: list[int] | None,
    node_limit: int,
) -> tuple[IntArray, bool, int]:
    """Return the first of the best tuples in the order of rows, if one is known.

    The rows `optimum` are a best tuple. `dolls` is None if no bounds are known. Returns the
    rows, True if they are proven to be the first, and nodes.
    """
    rows, candidates = _ranked(values, bits, max_overlap)
    bounds, places = _bounds(dolls or [0], len(optimum)), np.argsort(rows)[optimum]
    return _first(rows, candidates, bounds, places, minimum, node_limit)


def _bounds(dolls: list[int], n_sets: int) -> IntArray:
    bounds = np.full(n_sets + 1, 1 << 59, dtype=np.int64)
    bounds[: len(dolls)] = dolls
    return bounds


def _ranked(values: IntArray, bits: Bits, max_overlap: int) -> tuple[IntArray, RankedSets]:
    """Return the rows of sets from the best down, and what the walks know of them."""
    rows = np.argsort(-values, kind="stable")
    sets, holders = holders_of(bits[rows])
    words = holders.shape[1]
    kept = min(len(values), _MEMORY // words)
    friends, ready = np.empty((kept + 1, words), dtype=np.uint64), np.zeros(kept, dtype=bool)
    return rows, RankedSets(values[rows], sets, holders, friends, ready, max_overlap)


def _first(
    rows: IntArray,
    candidates: RankedSets,
    dolls: IntArray,
    optimum: IntArray,
    minimum: bool,
    node_limit: int,
) -> tuple[IntArray, bool, int]:
    """Return the best tuple whose sorted rows come first; `optimum` are the places of one."""
    values, n_sets, place_of = candidates.values, len(optimum), np.argsort(rows)
    value = int(values[optimum].min() if minimum else values[optimum].sum())
    # The places that can join the rows before the next one, without the rows asked for.
    pool, cleared, nodes, need = all_bits(len(rows)), 0, 0, value

    def joined(place: int) -> Bits:
        nonlocal nodes
        row, more = befriend(place, *candidates[1:3], candidates.max_overlap, *candidates[3:5])
        nodes += more
        both: Bits = pool & candidates.friends[row]
        return both

    def later(prefix: list[int], below: int) -> Iterable[int]:
        nonlocal pool, need
        chosen = place_of[prefix]
        if prefix:
            pool = joined(int(chosen[-1]))
        start = prefix[-1] + 1 if prefix else 0
        places = place_of[start:below]
        worth = values[places]
        if not minimum:
            # What the rest of a tuple needs.
            need = value - int(values[chosen].sum())
            worth = worth + dolls[n_sets - len(prefix) - 1]
        bits = pool[places >> 6] >> (places & 63).astype(np.uint64)
        return np.flatnonzero((worth >= need) & (bits & np.uint64(1) > 0)) + start

    def ask(prefix: list[int]) -> list[int] | None:
        nonlocal nodes, cleared
        row, rest = prefix[-1], n_sets - len(prefix)
        if rest == 0:
            return prefix
        last = int(place_of[row])
        friends = joined(last)
        # Rows of a tuple ascend.
        gone = place_of[cleared : row + 1]
        clear(pool, gone)
        clear(friends, gone)
        cleared = row + 1
        left = need if minimum else need - int(values[last])
        complete, _, places, more = walk_to_best(
            candidates, friends, rest, minimum, dolls, left - 1, left, node_limit - nodes
        )
        nodes += more
        if not complete:
            raise OutOfWorkError
        return None if places[0] < 0 else [*prefix, *np.sort(rows[places]).tolist()]

    members, first = first_optimum(np.sort(rows[optimum]).tolist(), later, ask)
    return np.array(members, dtype=np.int64), first, nodes


@compiled()
def walk_to_best(
    candidates: RankedSets,
    pool: Any,
    n_sets: int,
    minimum: bool,
    dolls: IntArray,
    floor: int,
    stop_at: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """Find the best tuple of the candidates in `pool` that is better than `floor`.

    `dolls[r]` bounds the objective of r sets. A tuple as good as `stop_at` ends the search.
    Returns whether the search ended by itself, the value (`floor` if nothing is better), the
    members and the nodes. A node is up to 64 words of bits.
    """
    values, sets, holders, friends, ready, max_overlap = candidates
    words, T = len(pool), n_sets
    bit = np.uint64(1)
    best = floor
    members = np.full(T, -1, dtype=np.int64)
    chosen = np.full(T, -1, dtype=np.int64)
    open_ = np.zeros((T, words), dtype=np.uint64)
    copy_into(open_[0], pool)
    start = np.zeros(T, dtype=np.int64)
    total = np.zeros(T, dtype=np.int64)
    level = 0
    nodes = 0
    while level >= 0:
        rest = T - level
        # The best open_ left bound the rest, compatible or not.
        first = -1
        count = 0
        bound = total[level]
        w = start[level]
        while w < words and count < rest:
            x = open_[level, w]
            while x and count < rest:
                g = (w << 6) + lowest(x)
                if first < 0:
                    first = g
                    start[level] = w
                bound = values[g] if minimum else bound + values[g]
                count += 1
                x &= x - bit
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
        open_[level, first >> 6] ^= bit << np.uint64(first & 63)
        if rest == 1:
            best = value
            copy_into(members, chosen)
            if best >= stop_at:
                return True, best, members, nodes
            continue
        if nodes >= node_limit:
            return False, best, members, nodes
        place, taken = befriend(first, sets, holders, max_overlap, friends, ready)
        nodes += taken
        if rest == 2:
            # The first compatible one is the best one.
            w = start[level]
            settled = False
            while w < words and not settled:
                x = open_[level, w] & friends[place, w]
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
        joined = open_[level + 1]
        for w in range(start[level], words):
            joined[w] = open_[level, w] & friends[place, w]
        nodes += (words - start[level]) // 64
        level += 1
        start[level] = start[level - 1]
        total[level] = value
    return True, best, members, nodes
