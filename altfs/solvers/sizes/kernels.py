"""The best T of listed feature sets whose sizes differ.

Every set has a *kind*, its size as a number. A table says how many features sets of two
kinds may share. Families are built set by set, each compared with those before it.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import Bits, IntArray
from altfs.solvers.pair_costs.listed._bits import popcount


@compiled()
def _fits(
    i: int, chosen: IntArray, depth: int, bits: Bits, kinds: IntArray, table: IntArray
) -> bool:
    """Return True if a set shares few enough features with those chosen before."""
    for d in range(depth):
        j = chosen[d]
        shared = 0
        for w in range(bits.shape[1]):
            shared += popcount(bits[i, w] & bits[j, w])
        if shared > table[kinds[i], kinds[j]]:
            return False
    return True


@compiled()
def pick(
    values: IntArray,
    bits: Bits,
    kinds: IntArray,
    table: IntArray,
    n_sets: int,
    minimum: bool,
    dolls: IntArray,
    floor: int,
    node_limit: int,
) -> tuple[bool, int, IntArray, int]:
    """Return the best sets together, if better than a floor.

    Parameters
    ----------
    values : ndarray of int64 of shape (n,)
        Descending.
    bits : ndarray of uint64 of shape (n, words)
    kinds : ndarray of int64 of shape (n,)
    table : ndarray of int64 of shape (n_kinds, n_kinds)
        The largest overlap of sets of two kinds. A set may occur several times if that is
        all of its features.
    dolls : ndarray of int64 of shape (n_sets,)
        Upper bounds of the sum of 0, 1, ... sets. Not used for the minimum.

    Returns
    -------
    complete : bool
    value : int
        `floor` if there are none.
    members : ndarray of int64 of shape (n_sets,)
        Rows; -1 if there are none.
    nodes : int
    """
    n = len(values)
    best = floor
    members = np.full(n_sets, -1, dtype=np.int64)
    turn = np.zeros(n_sets, dtype=np.int64)
    reached = np.zeros(n_sets, dtype=np.int64)
    chosen = np.zeros(n_sets, dtype=np.int64)
    depth = nodes = 0
    while depth >= 0:
        i = turn[depth]
        left = n_sets - depth
        hopeless = i >= n
        if not hopeless:
            if minimum:
                hopeless = values[i] <= best
            else:
                others = min(dolls[left - 1], (left - 1) * values[i])
                hopeless = reached[depth] + values[i] + others <= best
        if hopeless:
            depth -= 1
            continue
        nodes += 1
        if nodes > node_limit:
            return False, best, members, nodes
        turn[depth] += 1
        if not _fits(i, chosen, depth, bits, kinds, table):
            continue
        chosen[depth] = i
        if left > 1:
            reached[depth + 1] = reached[depth] + values[i]
            depth += 1
            # The same set may come again if sets of its size need not differ.
            turn[depth] = i
        else:
            # Values descend, so the last one is the smallest.
            best = values[i] if minimum else reached[depth] + values[i]
            copy_into(members, chosen)
    return True, best, members, nodes


@compiled()
def first_pick(
    values: IntArray,
    bits: Bits,
    kinds: IntArray,
    starts: IntArray,
    table: IntArray,
    set_kinds: IntArray,
    minimum: bool,
    tops: IntArray,
    target: int,
    node_limit: int,
) -> tuple[bool, IntArray, int]:
    """Return the first sets of known kinds of at least the value `target`, in the order of rows.

    The rows are sorted by kind, and then in the order that decides. `starts` is the first
    row of each kind. `set_kinds` are the kinds of the sets, ascending. `tops` bound the sum of
    the last 0, 1, ... sets. The other arguments and the answer are those of `pick`.
    """
    n_sets = len(set_kinds)
    turn = np.zeros(n_sets, dtype=np.int64)
    reached = np.zeros(n_sets, dtype=np.int64)
    chosen = np.full(n_sets, -1, dtype=np.int64)
    turn[0] = starts[set_kinds[0]]
    depth = nodes = 0
    while depth >= 0:
        i = turn[depth]
        if i >= starts[set_kinds[depth] + 1]:
            depth -= 1
            continue
        turn[depth] += 1
        nodes += 1
        if nodes > node_limit:
            return False, np.full(n_sets, -1, dtype=np.int64), nodes
        if minimum:
            if values[i] < target:
                continue
        elif reached[depth] + values[i] + tops[n_sets - depth - 1] < target:
            continue
        if not _fits(i, chosen, depth, bits, kinds, table):
            continue
        chosen[depth] = i
        if depth == n_sets - 1:
            return True, chosen, nodes
        reached[depth + 1] = reached[depth] + values[i]
        depth += 1
        turn[depth] = i if set_kinds[depth] == set_kinds[depth - 1] else starts[set_kinds[depth]]
    return True, np.full(n_sets, -1, dtype=np.int64), nodes
