"""The best T of many known feature sets such that any two of them differ enough.

Russian dolls: the best r sets are found for r = 1, 2, ..., T in turn, and each
answer bounds what r further sets can add to a partial choice. Candidates stand
in descending order of quality and are kept as bits, so who can join a partial
choice is found 64 at a time, and the first bits left bound what they can add.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altfs.solvers._bits import Bits, IntArray, all_bits, holders_of
from altfs.solvers._tuple_kernels import walk_to_best, walk_to_first

_NOTHING = -(1 << 61)
# Who goes with whom is remembered for the best candidates, in so many words of 64.
_MEMORY = 1 << 23


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
    first : bool
        Whether no best tuple comes before it in the order of rows.
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
        Upper bounds of the best objective of 0, 1, ... sets, which then are not
        computed.
    slack, ceiling : ndarray of int64 of shape (n,) and int, optional
        The objective of `n_sets` sets is at most `ceiling` less their slack, at
        least 0 each.
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
            # One set more adds at most the best one, or lowers the minimum.
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
    first, best, more = walk_to_first(
        ranked, ranked_slack, *table, rows, best, max_overlap, minimum, dolls, ceiling, value,
        node_limit,
    )  # fmt: skip
    return Tuple(rows[best], value, True, value, [int(d) for d in dolls], nodes + more, first)


def first_tuple(
    values: IntArray,
    bits: Bits,
    known: IntArray,
    max_overlap: int,
    minimum: bool,
    dolls: list[int] | None,
    node_limit: int,
) -> tuple[bool, IntArray, int]:
    """The first of the best tuples in the order of rows, where one is known.

    Parameters
    ----------
    values, bits, max_overlap, minimum
        As in `best_tuple`.
    known : ndarray of int64 of shape (n_sets,)
        Rows of a best tuple.
    dolls : list of int or None
        Upper bounds of the best objective of 0, 1, ... sets; None: unknown.
    node_limit : int

    Returns
    -------
    complete : bool
        Whether it is proven to be the first.
    members : ndarray of int64 of shape (n_sets,)
        Rows.
    nodes : int
    """
    rows, ranked, table = _ranked(values, bits)
    bounds = np.full(len(known) + 1, 1 << 59, dtype=np.int64)
    bounds[: len(dolls or [0])] = dolls or [0]
    worth = values[known]
    place = np.argsort(rows)
    complete, found, nodes = walk_to_first(
        ranked, np.empty(0, dtype=np.int64), *table, rows, place[known], max_overlap, minimum,
        bounds, 1 << 60, int(worth.min() if minimum else worth.sum()), node_limit,
    )  # fmt: skip
    return complete, rows[found], nodes


def _ranked(
    values: IntArray, bits: Bits
) -> tuple[IntArray, IntArray, tuple[IntArray, Bits, Bits, npt.NDArray[np.bool_]]]:
    """The rows from the best down, their values, and who they are and go with."""
    rows = np.argsort(-values, kind="stable")
    sets, holders = holders_of(bits[rows])
    words = holders.shape[1]
    kept = min(len(values), _MEMORY // words)
    friends, known = np.empty((kept + 1, words), dtype=np.uint64), np.zeros(kept, dtype=bool)
    return rows, values[rows], (sets, holders, friends, known)
