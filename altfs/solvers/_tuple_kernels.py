"""The walks of `_tuples`: to the best tuple of sets, and to the first of its equals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from altfs.solvers._bits import Bits, IntArray, all_bits, befriend, lowest


@njit(cache=True)
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
    """The best tuple of the candidates in `pool` that is better than `floor`.

    `values` descend. `dolls[r]` bounds the objective of r sets; so does
    `ceiling` less the slack of all `n_sets` sets, unless `slack` is empty.
    Returns whether the search ended by itself, the value (`floor` if nothing is
    better), the members and the nodes, a node being up to 64 words of bits or 16
    candidates one by one.
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
        # The best that are left, whether or not they go together, bound the rest.
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
            # Nor with any later one.
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


@njit(cache=True)
def walk_to_first(
    values: IntArray,
    slack: IntArray,
    sets: IntArray,
    holders: Bits,
    friends: Bits,
    known: Any,
    rows: IntArray,
    witness: IntArray,
    max_overlap: int,
    minimum: bool,
    dolls: IntArray,
    ceiling: int,
    value: int,
    node_limit: int,
) -> tuple[bool, IntArray, int]:
    """The optimal tuple whose sorted rows come first.

    Row after row is asked whether an optimal tuple holds it and later rows only.

    Parameters are those of `walk_to_best`, `rows` the row of each candidate,
    `witness` some optimal tuple and `value` its objective. Returns whether all
    questions were answered, the tuple in the order of rows, and the nodes.
    """
    T = len(witness)
    one = np.uint64(1)
    candidate_of = np.argsort(rows)
    answer = witness[np.argsort(rows[witness])]
    pool = all_bits(len(values))
    need = value
    spent = 0
    nodes = 0
    for level in range(T):
        rest = T - level - 1
        row = 0 if level == 0 else rows[answer[level - 1]] + 1
        while row < rows[answer[level]]:
            i = candidate_of[row]
            row += 1
            bit = one << np.uint64(i & 63)
            if not pool[i >> 6] & bit:
                continue
            pool[i >> 6] ^= bit
            if minimum:
                if values[i] < value:
                    continue
            elif values[i] + (dolls[rest] if rest > 0 else 0) < need:
                continue
            taken = spent
            if len(slack) > 0:
                taken += slack[i]
                if ceiling - taken < value:
                    continue
            if rest == 0:
                answer[level] = i
                break
            place, more = befriend(i, sets, holders, max_overlap, friends, known)
            nodes += more
            wanted = value if minimum else need - values[i]
            complete, _, found, more = walk_to_best(
                values, slack, sets, holders, friends, known, pool & friends[place], rest,
                max_overlap, minimum, dolls, ceiling - taken - value + wanted, wanted - 1, wanted,
                node_limit - nodes,
            )  # fmt: skip
            nodes += more
            if not complete:
                return False, answer, nodes
            if found[0] >= 0:
                answer[level] = i
                answer[level + 1 :] = found[np.argsort(rows[found])]
                break
        i = answer[level]
        pool[i >> 6] &= ~(one << np.uint64(i & 63))
        place, more = befriend(i, sets, holders, max_overlap, friends, known)
        nodes += more
        pool &= friends[place]
        need -= values[i]
        if len(slack) > 0:
            spent += slack[i]
    return True, answer, nodes
