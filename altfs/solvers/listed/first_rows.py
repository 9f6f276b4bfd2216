"""The canonical one of the best tuples of listed sets: the first in the order of rows.

The kind of list decides which sets go together and how the rest of a tuple is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from altfs._numbers import Bits, IntArray
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum

#: Searches the rest of a tuple. Takes its candidates so far, those that may join them, the
#: number of those to choose, a bound of their value, the value needed and a limit of nodes.
#: Returns whether the search ended by itself, the members (-1: none), and nodes.
Rest = Callable[[list[int], Bits, int, int, int, int], tuple[bool, IntArray, int]]


@dataclass(frozen=True)
class Ranked:
    """Listed sets in the order in which they are searched.

    Attributes
    ----------
    rows : ndarray of int64 of shape (n,)
        The row of each candidate in the list.
    values, slack : ndarrays of int64 of shape (n,)
        The quality of a candidate, and what it takes off `ceiling`. `slack` may be empty.
    pool : ndarray of uint64
        Candidates that optima can hold, as bits.
    dolls : ndarray of int64
        Upper bounds of the objective of 0, 1, ... sets.
    ceiling : int
        Upper bound of the objective of all sets.
    minimum : bool
        Aggregation min, else sum.
    """

    rows: IntArray
    values: IntArray
    slack: IntArray
    pool: Bits
    dolls: IntArray
    ceiling: int
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

    Parameters
    ----------
    ranked : Ranked
    known : ndarray of int64 of shape (n_sets,)
        Candidates of an optimal tuple.
    value : int
        Its objective.
    together : callable
        Returns the candidates that go with one of them, and nodes.
    search : callable
    node_limit : int

    Returns
    -------
    rows : ndarray of int64 of shape (n_sets,)
    first : bool
        True if no optimal tuple comes before it.
    nodes : int
    """
    questions = _Questions(ranked, len(known), value, together, search, node_limit)
    rows = np.sort(ranked.rows[known]).tolist()
    found, first = first_optimum(rows, questions.candidates, questions.ask)
    return np.array(found, dtype=np.int64), first, questions.nodes


class _Questions:
    """The questions to a search, with what depends on the rows before the next one."""

    def __init__(
        self,
        ranked: Ranked,
        n_sets: int,
        value: int,
        together: Callable[[int], tuple[Bits, int]],
        search: Rest,
        node_limit: int,
    ) -> None:
        self.ranked, self.n_sets, self.value = ranked, n_sets, value
        self.together, self.search, self.node_limit = together, search, node_limit
        self.nodes = 0
        self.candidate_of = np.argsort(ranked.rows)
        self.slack = ranked.slack if len(ranked.slack) else np.zeros_like(ranked.rows)
        #: For each prefix of the answer the candidates that can join it.
        self.pools = [ranked.pool]
        # Flags that fill whole words of bits.
        self.later = np.zeros(64 * len(ranked.pool), dtype=np.bool_)

    def candidates(self, prefix: list[int], below: int) -> Iterable[int]:
        ranked, level = self.ranked, len(prefix)
        self.chosen = self.candidate_of[prefix]
        if level:
            joined, more = self.together(int(self.chosen[-1]))
            self.nodes += more
            self.pools[level:] = [self.pools[level - 1] & joined]
        #: The value that the rest of a tuple needs, and the slack so far.
        self.need, self.spent = self.value, int(self.slack[self.chosen].sum())
        start = prefix[-1] + 1 if prefix else 0
        later = self.candidate_of[start:below]
        worth = ranked.values[later]
        if not ranked.minimum:
            self.need -= int(ranked.values[self.chosen].sum())
            worth = worth + ranked.dolls[self.n_sets - level - 1]
        good = worth >= self.need
        good &= ranked.ceiling - self.spent - self.slack[later] >= self.value
        bits = self.pools[level][later >> 6] >> (later & 63).astype(np.uint64)
        return np.flatnonzero(good & (bits & np.uint64(1) > 0)) + start

    def ask(self, prefix: list[int]) -> list[int] | None:
        ranked, level, row = self.ranked, len(prefix) - 1, prefix[-1]
        if len(prefix) == self.n_sets:
            return prefix
        last = int(self.candidate_of[row])
        joined, more = self.together(last)
        self.nodes += more
        # Rows of a tuple ascend.
        np.greater(ranked.rows, row, out=self.later[: len(ranked.rows)])
        pool = self.pools[level] & joined & np.packbits(self.later, bitorder="little").view("<u8")
        need = self.need if ranked.minimum else self.need - int(ranked.values[last])
        spent = self.spent + int(self.slack[last])
        complete, found, more = self.search(
            [*self.chosen.tolist(), last], pool, self.n_sets - len(prefix),
            ranked.ceiling - spent - self.value + need, need, self.node_limit - self.nodes,
        )  # fmt: skip
        self.nodes += more
        if not complete:
            raise OutOfWorkError
        if found[0] < 0:
            return None
        return [*prefix, *np.sort(ranked.rows[found]).tolist()]
