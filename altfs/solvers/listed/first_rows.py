"""The canonical one of the best tuples of listed sets: the first in the order of rows.

The kind of list decides which sets are compatible and how the rest of a tuple is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from altfs._numbers import Bits, IntArray
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum
from altfs.solvers.listed.bits import clear

#: Searches the rest of a tuple. Takes its candidates so far, those that may join them, the
#: number of those to choose, a bound of their value, the value needed and a limit of nodes.
#: Returns whether the search ended by itself, the members (-1: none), and nodes.
Rest = Callable[[list[int], Bits, int, int, int, int], tuple[bool, IntArray, int]]


@dataclass(frozen=True)
class Ranked:
    """Listed sets in the order in which they are searched."""

    #: Shape (n,). The row of each candidate in the list.
    rows: IntArray
    #: Shape (n,). The quality of a candidate, and its deduction from `ceiling`.
    values: IntArray
    slack: IntArray
    #: Candidates that optima can hold, as bits.
    pool: Bits
    #: Upper bounds of the objective of 0, 1, ... sets.
    dolls: IntArray
    #: Upper bound of the objective of all sets.
    ceiling: int
    #: Aggregation min, else sum.
    minimum: bool


def first_rows(
    ranked: Ranked,
    known: IntArray,
    value: int,
    together: Callable[[int], tuple[Bits, int]],
    search: Rest,
    node_limit: int,
) -> tuple[IntArray, bool, int]:
    """Return the optimal tuple whose sorted rows come first.

    `known` are the candidates of an optimal tuple, and `value` is its objective. `together`
    returns the candidates compatible with one of them, and nodes. Returns the rows, True if
    no optimal tuple comes before them, and nodes.
    """
    values, minimum, n_sets = ranked.values, ranked.minimum, len(known)
    slack, candidate_of = ranked.slack, np.argsort(ranked.rows)
    # The candidates that can join the rows before the next one, without the rows asked for.
    pool, cleared, nodes = ranked.pool.copy(), 0, 0
    # The value that the rest of a tuple needs, and the slack so far.
    chosen, need, spent = candidate_of[:0], value, 0

    def candidates(prefix: list[int], below: int) -> Iterable[int]:
        nonlocal pool, nodes, chosen, need, spent
        chosen = candidate_of[prefix]
        if prefix:
            joined, more = together(int(chosen[-1]))
            nodes += more
            pool = pool & joined
        need, spent = value, int(slack[chosen].sum())
        start = prefix[-1] + 1 if prefix else 0
        later = candidate_of[start:below]
        worth = values[later]
        if not minimum:
            need -= int(values[chosen].sum())
            worth = worth + ranked.dolls[n_sets - len(prefix) - 1]
        good = (worth >= need) & (ranked.ceiling - spent - slack[later] >= value)
        bits = pool[later >> 6] >> (later & 63).astype(np.uint64)
        return np.flatnonzero(good & (bits & np.uint64(1) > 0)) + start

    def ask(prefix: list[int]) -> list[int] | None:
        nonlocal nodes, cleared
        row, rest = prefix[-1], n_sets - len(prefix)
        if rest == 0:
            return prefix
        last = int(candidate_of[row])
        joined, more = together(last)
        nodes += more
        # Rows of a tuple ascend.
        clear(pool, candidate_of[cleared : row + 1])
        cleared = row + 1
        left = need if minimum else need - int(values[last])
        ceiling = ranked.ceiling - spent - int(slack[last]) - value + left
        complete, found, more = search(
            [*chosen, last], pool & joined, rest, ceiling, left, node_limit - nodes
        )
        nodes += more
        if not complete:
            raise OutOfWorkError
        return None if found[0] < 0 else [*prefix, *np.sort(ranked.rows[found]).tolist()]

    rows, first = first_optimum(np.sort(ranked.rows[known]).tolist(), candidates, ask)
    return np.array(rows, dtype=np.int64), first, nodes
