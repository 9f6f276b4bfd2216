"""The best T of listed sets whose shared features cost at most a sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import Bits, IntArray
from altfs.solvers.pair_costs.listed._bits import popcount


@compiled()
def pick(
    values: IntArray, bits: Bits, alone: IntArray, among: IntArray, dolls: IntArray, n_sets: int,
    room: int, how: tuple[bool, bool], goal: int, node_limit: int,
) -> tuple[IntArray, int, bool, int]:  # fmt: skip
    """Return rows of the best family, its value, True if that is proven, and nodes.

    Rows are tried in their order, and may be taken again. `alone` has the cost of each set with the
    given ones, `among` that of two sets by their shared features, and `dolls` bounds of the sum of
    0, 1, ... sets. `how` is whether the smallest value of a family counts, not the sum, and whether
    the first family that reaches the goal is enough. Rows are -1 if no family reaches it.
    """
    minimum, first = how
    m = len(values)
    best = np.full(n_sets, -1, dtype=np.int64)
    ahead = values.copy()
    for i in range(m - 2, -1, -1):
        ahead[i] = max(ahead[i], ahead[i + 1])
    turn, spent = np.zeros(n_sets, dtype=np.int64), np.zeros(n_sets + 1, dtype=np.int64)
    gained = np.zeros(n_sets + 1, dtype=np.int64)
    gained[0] = 1 << 61 if minimum else 0
    cheapest = alone.min()
    value: Any = np.int64(goal - 1)
    nodes: Any = np.int64(0)
    level = 0
    while level >= 0:
        i, rest = turn[level], n_sets - level
        promising = i < m
        if promising and minimum:
            promising = min(gained[level], ahead[i]) >= goal
        elif promising:
            further = rest * ahead[i]
            if rest < len(dolls):
                further = min(further, dolls[rest])
            promising = gained[level] + further >= goal
        if not promising:
            level -= 1
            if level >= 0:
                turn[level] += 1
            continue
        nodes += 1
        if nodes > node_limit:
            return best, value, False, nodes
        cost = spent[level] + alone[i]
        for before in range(level):
            common: Any = np.int64(0)
            for w in range(bits.shape[1]):
                common += popcount(bits[turn[before], w] & bits[i, w])
            cost += among[common]
        gain = min(gained[level], values[i]) if minimum else gained[level] + values[i]
        if cost + (rest - 1) * cheapest > room or (minimum and gain < goal):
            turn[level] += 1
        elif rest > 1:
            spent[level + 1], gained[level + 1] = cost, gain
            turn[level + 1] = i
            level += 1
        else:
            if gain >= goal:
                best[:] = turn
                value, goal = gain, gain + 1
                if first:
                    return best, value, True, nodes
            turn[level] += 1
    return best, value, True, nodes
