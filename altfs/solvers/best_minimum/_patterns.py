"""The best family of sets, found by choosing the pattern of sets that takes each feature.

Depth-first branch and bound over the features by descending value. Bounds come from the
tables of `_gains`. For the minimum, every group of sets bounds its worst member.

A group of sets is a number whose bits are its sets. Set i is bit ``n_sets - 1 - i``, and
compiled code uses the bit. The state of a group is its quality so far, and its place in
its table of gains. The place tells how many slots are open, and how many pairs of sets may
still share a feature.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, IntArray
from altfs.solvers.best_minimum._gains import (
    IMPOSSIBLE,
    allowed_at_first,
    compatible_words,
    has_sum,
    reachable_gain,
)

# Less than any value, more than what is impossible.
_LEAST = -(1 << 59)
# Nodes after which a search first estimates its progress. Each time it waits twice as long.
_ASK = 4_000


@compiled()
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
    floor: int,
    stop_at: int,
    keep: int,
    node_limit: int,
    patience: int,
) -> tuple[bool, bool, int, int, IntArray, int, int]:
    """Find the best families, if they are better than `floor`.

    Parameters
    ----------
    weights : ndarray of int64 of shape (n,)
        Descending.
    tables, offsets : ndarray of int64
        `gain_table` for 1, 2, ... n_sets uses, flattened, and the start of each. With
        aggregation sum only the last one is read.
    sums, sum_offsets : ndarray of int64
        `tail_sums`, read with aggregation min only. Empty if there are none.
    graph : ndarray of bool of shape (n, n) or (0, 0)
        Features that exclude each other. (0, 0) if there are none.
    inside, outside : ndarray of int64 of shape (n,)
        Patterns of the sets that have to hold each feature, and that must not hold it.
    n_sets, n_features, max_overlap : int
        T, k and c.
    stop_at : int
        No family is better than this.
    keep : int
        0 if one of the best families is enough. Else all of them are searched, until
        there are more than this number.
    patience : int
        The search also ends if its progress makes it expect more nodes than this.

    Returns
    -------
    complete, kept, found, value, families, bound, nodes
        As in `Found` of the tree.
    """
    n = weights.size
    T, k, c = n_sets, n_features, max_overlap
    n_patterns = 1 << T
    full = n_patterns - 1
    conflicts = graph.shape[0] > 0
    families = np.zeros((max(keep, 1), n), dtype=np.int64)
    found = 0
    kept = keep > 0
    best, goal = floor, floor + 1

    size, low = _group_sizes(T)
    block, step = _table_steps(T, k, c)
    # The groups that bound: every one, or all sets together.
    first = 1 if minimum else full
    times = np.ones(T + 1, dtype=np.int64)
    if minimum:
        copy_into(times, np.arange(T + 1))

    # State per depth.
    open_ = np.zeros((n + 1, T), dtype=np.int64)
    shared = np.zeros((n + 1, T, T), dtype=np.int64)
    same = np.zeros(n + 1, dtype=np.int64)
    place = np.zeros((n + 1, n_patterns), dtype=np.int64)
    quality = np.zeros((n + 1, n_patterns), dtype=np.int64)
    good, slots_at_first, shared_at_first, same[0], place_at_first, quality_at_first = (
        _state_at_first(weights, offsets, inside, outside, T, k, c)
    )
    copy_into(open_[0], slots_at_first)
    copy_into(shared[0], shared_at_first)
    copy_into(place[0], place_at_first)
    copy_into(quality[0], quality_at_first)
    one = np.uint64(1)
    words = (n + 63) // 64
    allowed = np.zeros((n + 1 if conflicts else 1, T, words), dtype=np.uint64)
    apart = np.zeros((1, 1), dtype=np.uint64)
    if conflicts:
        apart = compatible_words(graph)
        together, all_allowed = allowed_at_first(apart, graph, inside, T)
        copy_into(allowed[0], all_allowed)
        good = good and together
    # Without features, no family is good enough.
    if not good or n == 0:
        return True, kept, 0, best, families, best, 0

    child = np.zeros((n, n_patterns), dtype=np.int64)
    child_bound = np.zeros((n, n_patterns), dtype=np.int64)
    children = np.zeros(n + 1, dtype=np.int64)
    turn = np.zeros(n + 1, dtype=np.int64)
    path = np.zeros(n + 1, dtype=np.int64)
    own = np.zeros(n_patterns, dtype=np.int64)
    at = np.zeros(n_patterns, dtype=np.int64)
    lack = np.zeros(n_patterns, dtype=np.int64)
    least = np.zeros(T + 1, dtype=np.int64)
    blocked = np.zeros(T, dtype=np.int64)
    fits = np.zeros(n_patterns, dtype=np.bool_)
    nodes, ask = 0, _ASK
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
            w = weights[j]
            duty = inside[j]
            count = 0
            for a in range(first, n_patterns):
                # The state if no set of the group took the feature, duties undone.
                t = size[a]
                held = size[a & duty]
                at[a] = place[depth, a] + (j + 1) * block[t] + step[t, held]
                own[a] = quality[depth, a] - held * w
                lack[a] = max(goal * times[t], _LEAST) - own[a]
            must, can = duty, duty
            for b in range(T):
                a = 1 << b
                if duty & a or outside[j] & a:
                    continue
                if minimum and tables[at[a]] < lack[a]:
                    must |= a
                if open_[depth, b] == 0:
                    continue
                if minimum and w + tables[at[a] - step[1, 1]] < lack[a]:
                    continue
                if conflicts and (allowed[depth, b, j >> 6] >> np.uint64(j & 63)) & one == 0:
                    continue
                can |= a
            good = must & ~can == 0
            for b in range(T):
                blocked[b] = 0
                for h in range(T):
                    if h != b and shared[depth, max(b, h), min(b, h)] >= c:
                        blocked[b] |= 1 << h
                clash = blocked[b] & must
                if (duty >> b) & 1:
                    # It is counted already for two sets that both have to hold it.
                    clash &= ~duty
                if (must >> b) & 1 and clash:
                    good = False
            # The patterns are `must` and a part of `free`, ascending.
            free = can & ~must
            part = 0
            fits[0] = good
            while good:
                pattern = must | part
                if part:
                    rest = part & (part - 1)
                    fits[part] = fits[rest] and blocked[low[part]] & (must | rest) == 0
                # Sets with equal histories take features in their order.
                hit = fits[part] and pattern & ~(pattern >> 1) & same[depth] == 0
                if hit:
                    # First the group that refuted the last child, as it often does again.
                    t = size[refuting]
                    m = size[refuting & pattern]
                    hit = tables[at[refuting] - step[t, m]] + m * w >= lack[refuting]
                if hit:
                    for t in range(T + 1):
                        least[t] = 1 << 60
                    for a in range(full, first - 1, -1):
                        t = size[a]
                        m = size[a & pattern]
                        total = tables[at[a] - step[t, m]] + m * w
                        if total < lack[a]:
                            refuting = a
                            hit = False
                            break
                        least[t] = min(least[t], total + own[a])
                if hit and minimum and j + 1 >= tail:
                    # A set gains at least its lack, and at most the spare of the others besides.
                    spare = least[T] - T * goal
                    for b in range(T):
                        m = (pattern >> b) & 1
                        need = lack[1 << b] - m * w
                        slots = open_[depth, b] - (m & ~(duty >> b))
                        start = sum_offsets[j + 1 - tail, slots]
                        end = sum_offsets[j + 1 - tail, slots + 1]
                        if not has_sum(sums, start, end, need, need + spare):
                            hit = False
                            break
                if hit:
                    bound = least[T] // times[T]
                    for t in range(1, T):
                        bound = min(bound, least[t] // max(times[t], 1))
                    if conflicts:
                        every = 0
                        for b in range(T):
                            m = (pattern >> b) & 1
                            slots = open_[depth, b] - (m & ~(duty >> b))
                            gain = reachable_gain(
                                weights, allowed[depth, b], apart, j, m == 1, slots
                            )
                            if gain <= IMPOSSIBLE // 2:
                                every = IMPOSSIBLE
                                break
                            gain += quality[depth, 1 << b] + (m - ((duty >> b) & 1)) * w
                            every += gain
                            if minimum:
                                bound = min(bound, gain)
                        if not minimum or every == IMPOSSIBLE:
                            bound = min(bound, every)
                        hit = bound >= goal
                if hit:
                    # Insertion by descending bound, then descending pattern.
                    i = count
                    while i > 0 and child_bound[depth, i - 1] <= bound:
                        child_bound[depth, i] = child_bound[depth, i - 1]
                        child[depth, i] = child[depth, i - 1]
                        i -= 1
                    child_bound[depth, i] = bound
                    child[depth, i] = pattern
                    count += 1
                if part == free:
                    break
                part = (part - free) & free
            children[depth] = count
            turn[depth] = 0
        if turn[depth] >= children[depth] or child_bound[depth, turn[depth]] < goal:
            depth -= 1
            continue
        hopeless = False
        if nodes >= ask:
            # The part of the tree that is done, if all children had equal subtrees.
            ask *= 2
            part_of, done = 1.0, 0.0
            for d in range(depth + 1):
                part_of /= children[d]
                done += part_of * (turn[d] - (d < depth))
            hopeless = nodes > patience * done
        if nodes >= node_limit or hopeless:
            worst = best
            for d in range(depth + 1):
                if turn[d] < children[d]:
                    worst = max(worst, child_bound[d, turn[d]])
            return False, False, found, best, families, worst, nodes
        j = depth
        w = weights[j]
        pattern = child[depth, turn[depth]]
        turn[depth] += 1
        path[depth] = pattern
        for a in range(1, n_patterns):
            t = size[a]
            m, held = size[a & pattern], size[a & inside[j]]
            place[depth + 1, a] = place[depth, a] - step[t, m] + step[t, held]
            quality[depth + 1, a] = quality[depth, a] + (m - held) * w
        same[depth + 1] = same[depth] & ~(pattern ^ (pattern >> 1))
        complete = True
        new = pattern & ~inside[j]
        for b in range(T):
            bit = (new >> b) & 1
            open_[depth + 1, b] = open_[depth, b] - bit
            if open_[depth + 1, b] > 0:
                complete = False
            for h in range(b):
                both = (pattern >> b) & (pattern >> h) & 1
                old = (inside[j] >> b) & (inside[j] >> h) & 1
                shared[depth + 1, b, h] = shared[depth, b, h] + both - old
            if conflicts:
                for i in range(words):
                    allowed[depth + 1, b, i] = allowed[depth, b, i]
                    if (pattern >> b) & 1:
                        allowed[depth + 1, b, i] &= apart[j, i]
        if complete:
            value = quality[depth + 1, full]
            if minimum:
                # With negative values the sum is below the minimum.
                value = quality[depth + 1, 1]
                for b in range(1, T):
                    value = min(value, quality[depth + 1, 1 << b])
            if value > best:
                best = value
                found = 0
                kept = keep > 0
            if found < max(keep, 1):
                copy_into(families[found], inside)
                copy_into(families[found], path[: depth + 1])
                found += 1
            else:
                kept = False
            goal = best if kept else best + 1
            if goal > stop_at:
                return True, kept, found, best, families, best, nodes
            continue
        if depth + 1 < n:
            depth += 1
            expand = True
    return True, kept, found, best, families, best, nodes


@compiled()
def _group_sizes(n_sets: int) -> tuple[IntArray, IntArray]:
    """Return the number of sets in each group, and its lowest bit."""
    size = np.zeros(1 << n_sets, dtype=np.int64)
    low = np.zeros(1 << n_sets, dtype=np.int64)
    for a in range(1, 1 << n_sets):
        size[a] = size[a >> 1] + (a & 1)
        while (a >> low[a]) & 1 == 0:
            low[a] += 1
    return size, low


@compiled()
def _table_steps(n_sets: int, n_features: int, max_overlap: int) -> tuple[IntArray, IntArray]:
    """Return the distances of entries in the tables of groups of t sets.

    Entry t of the first array: from a feature to the next one. Entry (t, m) of the second:
    from what is open to what is left when m of t sets have taken a feature.
    """
    block = np.zeros(n_sets + 1, dtype=np.int64)
    step = np.zeros((n_sets + 1, n_sets + 1), dtype=np.int64)
    for t in range(1, n_sets + 1):
        stride = t * (t - 1) // 2 * max_overlap + 1
        block[t] = (t * n_features + 1) * stride
        for m in range(t + 1):
            step[t, m] = m * stride + m * (m - 1) // 2
    return block, step


@compiled()
def _state_at_first(
    weights: IntArray,
    offsets: IntArray,
    inside: IntArray,
    outside: IntArray,
    n_sets: int,
    n_features: int,
    max_overlap: int,
) -> tuple[bool, IntArray, IntArray, int, IntArray, IntArray]:
    """Return the state before the first feature, given the duties of the sets.

    These are: False if the sets have to hold too much, the open slots of each set, the
    features that two sets both hold (entry (b, h), h < b), the bits that have the same duties
    as the next higher one, and the place and quality of each group.
    """
    n = weights.size
    open_ = np.full(n_sets, n_features, dtype=np.int64)
    shared = np.zeros((n_sets, n_sets), dtype=np.int64)
    same = (1 << (n_sets - 1)) - 1
    for j in range(n):
        for b in range(n_sets):
            open_[b] -= (inside[j] >> b) & 1
            for h in range(b):
                shared[b, h] += (inside[j] >> b) & (inside[j] >> h) & 1
        for duty in (inside[j], outside[j]):
            same &= ~(duty ^ (duty >> 1))
    size, _ = _group_sizes(n_sets)
    block, step = _table_steps(n_sets, n_features, max_overlap)
    place = np.zeros(1 << n_sets, dtype=np.int64)
    quality = np.zeros(1 << n_sets, dtype=np.int64)
    for a in range(1, 1 << n_sets):
        t = size[a]
        place[a] = offsets[t] + block[t] - 1
        for j in range(n):
            held = size[a & inside[j]]
            place[a] -= step[t, held]
            quality[a] += held * weights[j]
    good = bool(open_.min() >= 0 and shared.max() <= max_overlap)
    return good, open_, shared, same, place, quality
