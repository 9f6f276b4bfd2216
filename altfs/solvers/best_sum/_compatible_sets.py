"""All feature sets of a size in which no two features exclude each other."""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray


@compiled()
def cliques(graph: BoolArray, size: int, most: int, node_limit: int) -> tuple[bool, IntArray]:
    """List the sets in lexicographic order.

    Parameters
    ----------
    graph : ndarray of bool of shape (n, n)
        Features that exclude each other.
    size : int
        Features of a set, at least 1.
    most, node_limit : int
        The numbers of sets to list and of partial sets to look at.

    Returns
    -------
    complete : bool
        True if these are all.
    sets : ndarray of int64 of shape (n_found, size)
    """
    n = graph.shape[0]
    found = np.zeros((most, size), dtype=np.int64)
    count = 0
    lists = np.zeros((size, n), dtype=np.int64)
    length = np.zeros(size, dtype=np.int64)
    turn = np.zeros(size, dtype=np.int64)
    for j in range(n):
        lists[0, j] = j
    length[0] = n
    level = 0
    nodes = 0
    while level >= 0:
        if turn[level] > length[level] - (size - level):
            level -= 1
            continue
        j = lists[level, turn[level]]
        turn[level] += 1
        nodes += 1
        if nodes > node_limit:
            return False, found[:count]
        if level == size - 1:
            if count == most:
                return False, found[:count]
            for back in range(size):
                found[count, back] = lists[back, turn[back] - 1]
            count += 1
            continue
        more = 0
        for p in range(turn[level], length[level]):
            g = lists[level, p]
            if not graph[j, g]:
                lists[level + 1, more] = g
                more += 1
        if more >= size - level - 1:
            level += 1
            length[level] = more
            turn[level] = 0
    return True, found[:count]
