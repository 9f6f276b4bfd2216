"""The best family of sets, feature by feature: which pattern of sets takes the next one.

Depth-first branch and bound over the features by descending value. Bounds come
from tables that relax a family of t sets to three numbers: open slots, the sum
of what is left to gain, and pairs of sets that may still share a feature. For
the minimum, every group of sets bounds its worst member.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs.solvers._gains import IMPOSSIBLE

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@njit(cache=True)
def best_family(
    weights: IntArray,
    tables: IntArray,
    offsets: IntArray,
    sums: IntArray,
    sum_offsets: IntArray,
    graph: BoolArray,
    inside: IntArray,
    outside: IntArray,
    n_sets: int,
    n_features: int,
    max_overlap: int,
    minimum: bool,
    twins: bool,
    floor: int,
    stop_at: int,
    keep: int,
    node_limit: int,
) -> tuple[bool, int, int, IntArray, int, int]:
    """Find families that are better than `floor`.

    Parameters
    ----------
    weights : ndarray of int64 of shape (n,)
        Descending.
    tables, offsets : ndarray of int64
        `gain_table` for 1, 2, ... n_sets uses, flattened, and where each starts;
        with aggregation sum only the last one is read.
    sums, sum_offsets : ndarray of int64
        `tail_sums`; read with aggregation min only, empty: none.
    graph : ndarray of bool of shape (n, n) or (0, 0)
        Features that exclude each other; (0, 0): none do.
    inside, outside : ndarray of int64 of shape (n,)
        Patterns of sets that have to hold, and must not hold, each feature.
    n_sets, n_features, max_overlap : int
        T, k and c.
    minimum : bool
        Aggregation min; else sum.
    twins : bool
        Features of equal weight are interchangeable: only one of two families
        that differ by swapping such features is looked at.
    floor : int
        Only better families count.
    stop_at : int
        A family as good as this ends the search.
    keep : int
        0: find the best family. Else find all families better than `floor`, up
        to this number.
    node_limit : int

    Returns
    -------
    complete : bool
        Whether the search ended by itself (not at the limit, nor at `keep`).
    found : int
        How many families are returned.
    value : int
        Of the best one.
    families : ndarray of int64 of shape (max(keep, 1), n)
        Patterns: bit ``n_sets - 1 - i`` tells whether set i holds the feature.
    bound : int
        No family is better than this (nor than `floor`, if that is larger).
    nodes : int
    """
    n = weights.size
    T, k, c = n_sets, n_features, max_overlap
    n_patterns = 1 << T
    full = n_patterns - 1
    conflicts = graph.shape[0] > 0
    families = np.zeros((max(keep, 1), n), dtype=np.int64)
    found = 0
    best = floor

    size = np.zeros(n_patterns, dtype=np.int64)
    low = np.zeros(n_patterns, dtype=np.int64)
    for a in range(1, n_patterns):
        size[a] = size[a >> 1] + (a & 1)
        b = 0
        while (a >> b) & 1 == 0:
            b += 1
        low[a] = b
    stride = np.zeros(T + 1, dtype=np.int64)
    block = np.zeros(T + 1, dtype=np.int64)
    for t in range(1, T + 1):
        stride[t] = t * (t - 1) // 2 * c + 1
        block[t] = (t * k + 1) * stride[t]

    # State per depth; set i is bit T - 1 - i, here simply called by its bit.
    quality = np.zeros((n + 1, T), dtype=np.int64)
    open_ = np.zeros((n + 1, T), dtype=np.int64)
    shared = np.zeros((n + 1, T, T), dtype=np.int64)
    same = np.zeros((n + 1, T), dtype=np.bool_)
    words = (n + 63) // 64
    allowed = np.zeros((n + 1 if conflicts else 1, T, words), dtype=np.uint64)
    apart = np.zeros((n if conflicts else 1, words), dtype=np.uint64)
    one = np.uint64(1)
    if conflicts:
        for j in range(n):
            for g in range(n):
                if not graph[j, g] and g != j:
                    apart[j, g >> 6] |= one << np.uint64(g & 63)
            for b in range(T):
                allowed[0, b, j >> 6] |= one << np.uint64(j & 63)
    for b in range(T):
        open_[0, b] = k
        # Bit b has the same history as bit b + 1, and the same duties.
        same[0, b] = b < T - 1
        for j in range(n):
            if (inside[j] >> b) & 1:
                open_[0, b] -= 1
                quality[0, b] += weights[j]
                for h in range(b):
                    if (inside[j] >> h) & 1:
                        shared[0, b, h] += 1
            if b < T - 1:
                for duty in (inside[j], outside[j]):
                    if ((duty >> b) ^ (duty >> (b + 1))) & 1:
                        same[0, b] = False
    if conflicts:
        for b in range(T):
            for j in range(n):
                if (inside[j] >> b) & 1:
                    for g in range(j):
                        if (inside[g] >> b) & 1 and graph[j, g]:
                            return True, 0, best, families, best, 0
                    for w in range(words):
                        allowed[0, b, w] &= apart[j, w]
    for b in range(T):
        if open_[0, b] < 0:
            return True, 0, best, families, best, 0
        for h in range(b):
            if shared[0, b, h] > c:
                return True, 0, best, families, best, 0

    child = np.zeros((n, n_patterns), dtype=np.int64)
    child_bound = np.zeros((n, n_patterns), dtype=np.int64)
    children = np.zeros(n + 1, dtype=np.int64)
    turn = np.zeros(n + 1, dtype=np.int64)
    path = np.zeros(n + 1, dtype=np.int64)
    sum_q = np.zeros(n_patterns, dtype=np.int64)
    sum_r = np.zeros(n_patterns, dtype=np.int64)
    sum_o = np.zeros(n_patterns, dtype=np.int64)
    nodes = 0
    depth = 0
    expand = True
    refuting = full
    tail = n - sum_offsets.shape[0] + 1
    while depth >= 0:
        if expand:
            # The children of a node: every pattern that the next feature can have.
            expand = False
            nodes += 1
            j = depth
            count = 0
            for a in range(1, n_patterns):
                b = low[a]
                h = a & (a - 1)
                sum_q[a] = sum_q[h] + quality[depth, b]
                sum_r[a] = sum_r[h] + open_[depth, b]
                sum_o[a] = sum_o[h]
                while h:
                    sum_o[a] += shared[depth, low[h], b]
                    h &= h - 1
            for pattern in range(n_patterns):
                if pattern & inside[j] != inside[j] or pattern & outside[j]:
                    continue
                twin = twins and j > 0 and weights[j] == weights[j - 1] and pattern > path[j - 1]
                if twin and inside[j] == inside[j - 1] and outside[j] == outside[j - 1]:
                    break
                ok = True
                # What was not counted from the start.
                new = pattern & ~inside[j]
                for b in range(T):
                    bit = (new >> b) & 1
                    if same[depth, b] and (pattern >> b) & 1 and not (pattern >> (b + 1)) & 1:
                        # Sets with equal histories take features in their order.
                        ok = False
                        break
                    if bit:
                        if open_[depth, b] == 0:
                            ok = False
                            break
                        if conflicts and not (allowed[depth, b, j >> 6] >> np.uint64(j & 63)) & one:
                            ok = False
                            break
                        for h in range(T):
                            both = h != b and (pattern >> h) & 1
                            if both and shared[depth, max(b, h), min(b, h)] >= c:
                                ok = False
                                break
                        if not ok:
                            break
                if not ok:
                    continue
                bound = 1 << 60
                whole = 0
                # The group that refuted the last child first: it often does again.
                for turn_of in range(-1, n_patterns - 1):
                    a = refuting if turn_of < 0 else full - turn_of
                    if not minimum and a != full:
                        continue
                    t = size[a]
                    both = size[a & new]
                    pairs = size[a & pattern]
                    old = pairs - both
                    used = sum_o[a] + pairs * (pairs - 1) // 2 - old * (old - 1) // 2
                    gain = tables[
                        offsets[t]
                        + (j + 1) * block[t]
                        + (sum_r[a] - both) * stride[t]
                        + (stride[t] - 1 - used)
                    ]
                    total = sum_q[a] + both * weights[j] + gain
                    if a == full:
                        whole = total
                    if minimum:
                        total = total // t if total > IMPOSSIBLE // 2 else IMPOSSIBLE
                    if total < bound:
                        bound = total
                        if bound <= best:
                            refuting = a
                            break
                if bound <= best:
                    continue
                if minimum and j + 1 >= tail:
                    # A set has to gain a sum between what it lacks and what the others can spare.
                    spare = whole - T * (best + 1)
                    hit = True
                    for b in range(T):
                        bit = (new >> b) & 1
                        lack = best + 1 - quality[depth, b] - bit * weights[j]
                        slots = open_[depth, b] - bit
                        at = sum_offsets[j + 1 - tail, slots]
                        end = sum_offsets[j + 1 - tail, slots + 1]
                        stop = end
                        while at < stop:
                            middle = (at + stop) >> 1
                            if sums[middle] < lack:
                                at = middle + 1
                            else:
                                stop = middle
                        if at == end or sums[at] > lack + spare:
                            hit = False
                            break
                    if not hit:
                        continue
                if conflicts:
                    together = 0
                    for b in range(T):
                        taken = (pattern >> b) & 1
                        fresh = (new >> b) & 1
                        need = open_[depth, b] - fresh
                        own = quality[depth, b] + fresh * weights[j]
                        gain = 0
                        g = j + 1
                        while need > 0 and g < n:
                            word = allowed[depth, b, g >> 6]
                            if taken:
                                word &= apart[j, g >> 6]
                            word >>= np.uint64(g & 63)
                            if word == 0:
                                g = ((g >> 6) + 1) << 6
                                continue
                            if word & one:
                                gain += weights[g]
                                need -= 1
                            g += 1
                        if need > 0:
                            bound = IMPOSSIBLE
                            break
                        if minimum:
                            bound = min(bound, own + gain)
                        together += own + gain
                    if not minimum:
                        bound = min(bound, together)
                    if bound <= best:
                        continue
                # Insertion by descending bound, then descending pattern.
                place = count
                while place > 0 and child_bound[depth, place - 1] <= bound:
                    child_bound[depth, place] = child_bound[depth, place - 1]
                    child[depth, place] = child[depth, place - 1]
                    place -= 1
                child_bound[depth, place] = bound
                child[depth, place] = pattern
                count += 1
            children[depth] = count
            turn[depth] = 0
        if turn[depth] >= children[depth] or child_bound[depth, turn[depth]] <= best:
            depth -= 1
            continue
        if nodes >= node_limit:
            worst = best
            for d in range(depth + 1):
                if turn[d] < children[d]:
                    worst = max(worst, child_bound[d, turn[d]])
            return False, found, best, families, worst, nodes
        j = depth
        pattern = child[depth, turn[depth]]
        turn[depth] += 1
        path[depth] = pattern
        complete = True
        new = pattern & ~inside[j]
        for b in range(T):
            bit = (new >> b) & 1
            quality[depth + 1, b] = quality[depth, b] + bit * weights[j]
            open_[depth + 1, b] = open_[depth, b] - bit
            if open_[depth + 1, b] > 0:
                complete = False
            for h in range(b):
                both = (pattern >> b) & (pattern >> h) & 1
                old = (inside[j] >> b) & (inside[j] >> h) & 1
                shared[depth + 1, b, h] = shared[depth, b, h] + both - old
            same[depth + 1, b] = same[depth, b] and not ((pattern >> b) ^ (pattern >> (b + 1))) & 1
            if conflicts:
                for w in range(words):
                    allowed[depth + 1, b, w] = allowed[depth, b, w]
                    if (pattern >> b) & 1:
                        allowed[depth + 1, b, w] &= apart[j, w]
        if complete:
            value = quality[depth + 1, 0]
            for b in range(1, T):
                if minimum:
                    value = min(value, quality[depth + 1, b])
                else:
                    value += quality[depth + 1, b]
            if keep > 0:
                if found == keep:
                    return False, found, best, families, best, nodes
                families[found, :] = inside
                families[found, : depth + 1] = path[: depth + 1]
                found += 1
            elif value > best:
                best = value
                families[0, :] = inside
                families[0, : depth + 1] = path[: depth + 1]
                found = 1
                if best >= stop_at:
                    return True, found, best, families, best, nodes
            continue
        if depth + 1 < n:
            depth += 1
            expand = True
    return True, found, best, families, best, nodes
