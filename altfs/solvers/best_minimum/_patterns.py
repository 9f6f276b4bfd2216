"""The best family of sets, found by choosing the pattern of sets that takes each feature.

Depth-first branch and bound over the features by descending value. Every group of sets
bounds its worst member, by the tables of gains.

A group of sets is a number whose bits are its sets. Set i is bit ``n_sets - 1 - i``, and
compiled code uses the bit. The state of a group is its quality so far, and its place in
its table of gains. The place tells how many slots are open, and how many pairs of sets may
still share a feature.

The functions of a node are inlined. Passing them the arrays of the state would take as long as
what they do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import IntArray
from altfs.solvers.best_minimum._gains import has_sum

# Less than any value, more than what is impossible.
_LEAST = -(1 << 59)


class Gains(NamedTuple):
    """Gains that sets can have from later features."""

    #: `gain_table` for 1, 2, ... n_sets uses, flattened, and the start of each.
    tables: IntArray
    offsets: IntArray
    #: `tail_sums`. Empty if there are none.
    sums: IntArray
    sum_offsets: IntArray


class TreeGoal(NamedTuple):
    """The families that a search is to find, and its limits."""

    #: Only better families count, and no family is better than `stop_at`.
    floor: int
    stop_at: int
    #: 0 if one of the best families is enough. Else all of them are searched, until
    #: there are more than this number.
    keep: int
    node_limit: int


class TreeAnswer(NamedTuple):
    """The answer of `best_family`."""

    #: True if the search ended by itself, not at a limit.
    complete: bool
    #: True if all the best families are returned. False if `keep` is 0.
    kept: bool
    #: The number of families returned.
    n_families: int
    #: Of the best one.
    value: int
    #: Shape (max(keep, 1), n). Patterns: bit ``n_sets - 1 - i`` is 1 if set i holds the feature.
    families: IntArray
    #: No family is better than this (nor than `floor`, if that is larger).
    bound: int
    nodes: int


@compiled()
def best_family(
    weights: IntArray, gains: Gains, duties: tuple[IntArray, IntArray],
    shape: tuple[int, int, int], goal: TreeGoal,
) -> tuple[bool, bool, int, int, IntArray, int, int]:  # fmt: skip
    """Find the best families; the answer is that of `TreeAnswer`.

    `weights` descend. `duties` are the patterns of the sets that have to hold each feature,
    and that must not hold it. `shape` is (T, k, c).
    """
    n, n_sets, full = weights.size, shape[0], (1 << shape[0]) - 1
    tables, offsets, sums, sum_offsets = gains
    inside, outside = duties
    best, stop_at, keep, node_limit = goal
    families = np.zeros((max(keep, 1), n), dtype=np.int64)
    n_families, kept, least = 0, keep > 0, best + 1
    size, low = _group_sizes(n_sets)
    block, step = _table_steps(shape)
    good, open_, shared, same = _sets_at_first(n, duties, shape)
    place, quality = _groups_at_first(weights, inside, offsets, size, block, step)
    # Without features, no family is good enough.
    if not good or n == 0:
        return True, kept, 0, best, families, best, 0
    child, bounds = np.zeros_like(place), np.zeros_like(place)
    count, turn, path = np.zeros_like(same), np.zeros_like(same), np.zeros_like(same)
    at, lack, fits = np.zeros_like(size), np.zeros_like(size), np.zeros(full + 1, dtype=np.bool_)
    need, margin = np.zeros_like(block), np.zeros_like(block)
    blocked = np.zeros(n_sets, dtype=np.int64)
    _set_needs(need, least)
    tail = n - sum_offsets.shape[0] + 1
    nodes, refuting = 0, full
    # The children of a feature are not counted yet.
    depth, count[0] = 0, -1
    while depth >= 0:
        j, w, duty = depth, weights[depth], inside[depth]
        if count[j] < 0:
            # The children of a node: every pattern that the next feature can have.
            nodes += 1
            number = 0
            _leave_out(j, w, duty, need, size, block, step, place, quality, at, lack)
            must, can = _takers(j, w, duty, outside[j], tables, step, at, lack, open_)
            good = must & ~can == 0 and _can_share(j, must, duty, shared, shape[2], blocked)
            # The patterns are `must` and a part of `free`, ascending.
            free, part, fits[0] = can & ~must, 0, good
            while good:
                pattern = must | part
                if part:
                    rest = part & (part - 1)
                    fits[part] = fits[rest] and blocked[low[part]] & (must | rest) == 0
                # Sets with equal histories take features in their order.
                hit = fits[part] and pattern & ~(pattern >> 1) & same[j] == 0
                if hit:
                    # First the group that refuted the last child, as it often does again.
                    t, m = size[refuting], size[refuting & pattern]
                    hit = tables[at[refuting] - step[t, m]] + m * w >= lack[refuting]
                if hit:
                    margin[:] = 1 << 60
                    for a in range(full, 0, -1):
                        t, m = size[a], size[a & pattern]
                        more = tables[at[a] - step[t, m]] + m * w - lack[a]
                        if more < 0:
                            refuting, hit = a, False
                            break
                        margin[t] = min(margin[t], more)
                if hit and j + 1 >= tail:
                    spare = margin[n_sets] + need[n_sets] - n_sets * least
                    hit = _sums_exist(
                        j, pattern, w, duty, spare, tail, sums, sum_offsets, open_, lack
                    )
                if hit:
                    bound = _bound(need, margin)
                    if bound >= least:
                        number = _insert(j, number, pattern, bound, child, bounds)
                if part == free:
                    break
                part = (part - free) & free
            count[j], turn[j] = number, 0
        if turn[j] >= count[j] or bounds[j, turn[j]] < least:
            depth -= 1
            continue
        if nodes >= node_limit:
            worst = max(best, _open_bound(j, count, turn, bounds))
            return False, False, n_families, best, families, worst, nodes
        pattern = child[j, turn[j]]
        turn[j] += 1
        path[j] = pattern
        _take(j, pattern, w, duty, size, step, place, quality)
        same[j + 1] = same[j] & ~(pattern ^ (pattern >> 1))
        if not _fill(j, pattern, duty, open_, shared):
            if j + 1 < n:
                depth += 1
                count[depth] = -1
            continue
        value = _value(j + 1, quality)
        if value > best:
            best, n_families, kept = value, 0, keep > 0
        if n_families < max(keep, 1):
            copy_into(families[n_families], inside)
            copy_into(families[n_families], path[: j + 1])
            n_families += 1
        else:
            kept = False
        least = best if kept else best + 1
        if least > stop_at:
            break
        _set_needs(need, least)
    return True, kept, n_families, best, families, best, nodes


@compiled()
def _set_needs(need: IntArray, least: int) -> None:
    """Set what t sets have to be worth together."""
    for t in range(len(need)):
        need[t] = max(least * t, _LEAST)


@compiled(inline="always")
def _leave_out(
    j: int, w: int, duty: int, need: IntArray, size: IntArray, block: IntArray, step: IntArray,
    place: IntArray, quality: IntArray, at: IntArray, lack: IntArray,
) -> None:  # fmt: skip
    """Compute place and lack of groups of which no set takes feature j, duties undone."""
    for a in range(1, len(at)):
        t = size[a]
        held = size[a & duty]
        at[a] = place[j, a] + (j + 1) * block[t] + step[t, held]
        lack[a] = need[t] - quality[j, a] + held * w


@compiled(inline="always")
def _takers(
    j: int, w: int, duty: int, never: int, tables: IntArray, step: IntArray, at: IntArray,
    lack: IntArray, open_: IntArray,
) -> tuple[int, int]:  # fmt: skip
    """Return the sets that have to take feature j, and those that can."""
    must, can = duty, duty
    for b in range(open_.shape[1]):
        a = 1 << b
        if (duty | never) & a:
            continue
        if tables[at[a]] < lack[a]:
            must |= a
        if open_[j, b] > 0 and w + tables[at[a] - step[1, 1]] >= lack[a]:
            can |= a
    return must, can


@compiled(inline="always")
def _can_share(
    j: int, must: int, duty: int, shared: IntArray, max_overlap: int, blocked: IntArray
) -> bool:
    """Return True if the sets that have to take feature j can share it.

    The sets with which each set can share nothing more are `blocked`.
    """
    good = True
    for b in range(len(blocked)):
        blocked[b] = 0
        for h in range(len(blocked)):
            if h != b and shared[j, max(b, h), min(b, h)] >= max_overlap:
                blocked[b] |= 1 << h
        clash = blocked[b] & must
        if (duty >> b) & 1:
            # It is counted already for two sets that both have to hold it.
            clash &= ~duty
        if (must >> b) & 1 and clash:
            good = False
    return good


@compiled(inline="always")
def _bound(need: IntArray, margin: IntArray) -> int:
    """Return a bound, given what t sets can gain above what they lack."""
    bound = margin[1] + need[1]
    for t in range(2, len(margin)):
        bound = min(bound, (margin[t] + need[t]) // t)
    return int(bound)


@compiled()
def _sums_exist(
    j: int, pattern: int, w: int, duty: int, spare: int, tail: int, sums: IntArray,
    sum_offsets: IntArray, open_: IntArray, lack: IntArray,
) -> bool:  # fmt: skip
    """Return True if each set can gain a sum of the last features that is enough.

    A set gains at least its lack, and at most the spare of the others besides.
    """
    for b in range(open_.shape[1]):
        m = (pattern >> b) & 1
        need = lack[1 << b] - m * w
        slots = open_[j, b] - (m & ~(duty >> b))
        start, end = sum_offsets[j + 1 - tail, slots], sum_offsets[j + 1 - tail, slots + 1]
        if not has_sum(sums, start, end, need, need + spare):
            return False
    return True


@compiled(inline="always")
def _insert(
    j: int, number: int, pattern: int, bound: int, child: IntArray, bounds: IntArray
) -> int:
    """Insert a child by descending bound, then descending pattern; return their number."""
    i = number
    while i > 0 and bounds[j, i - 1] <= bound:
        bounds[j, i] = bounds[j, i - 1]
        child[j, i] = child[j, i - 1]
        i -= 1
    bounds[j, i] = bound
    child[j, i] = pattern
    return number + 1


@compiled(inline="always")
def _take(
    j: int, pattern: int, w: int, duty: int, size: IntArray, step: IntArray, place: IntArray,
    quality: IntArray,
) -> None:  # fmt: skip
    """Update the groups after the sets of a pattern have taken feature j."""
    for a in range(1, len(size)):
        t, m, held = size[a], size[a & pattern], size[a & duty]
        place[j + 1, a] = place[j, a] - step[t, m] + step[t, held]
        quality[j + 1, a] = quality[j, a] + (m - held) * w


@compiled(inline="always")
def _fill(j: int, pattern: int, duty: int, open_: IntArray, shared: IntArray) -> bool:
    """Update the sets after those of a pattern have taken feature j; True if all are full."""
    full = True
    for b in range(open_.shape[1]):
        open_[j + 1, b] = open_[j, b] - (((pattern & ~duty) >> b) & 1)
        if open_[j + 1, b] > 0:
            full = False
        for h in range(b):
            both = (pattern >> b) & (pattern >> h) & 1
            old = (duty >> b) & (duty >> h) & 1
            shared[j + 1, b, h] = shared[j, b, h] + both - old
    return full


@compiled()
def _value(j: int, quality: IntArray) -> int:
    """Return the smallest quality of full sets."""
    value = quality[j, 1]
    a = 2
    while a < quality.shape[1]:
        value = min(value, quality[j, a])
        a *= 2
    return int(value)


@compiled()
def _open_bound(depth: int, count: IntArray, turn: IntArray, bounds: IntArray) -> int:
    """Return the largest bound of the open children."""
    worst = _LEAST
    for d in range(depth + 1):
        if turn[d] < count[d]:
            worst = max(worst, bounds[d, turn[d]])
    return worst


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
def _table_steps(shape: tuple[int, int, int]) -> tuple[IntArray, IntArray]:
    """Return the distances of entries in the tables of groups of t sets.

    Entry t of the first array: from a feature to the next one. Entry (t, m) of the second:
    from what is open to what is left when m of t sets have taken a feature.
    """
    n_sets, n_features, max_overlap = shape
    block = np.zeros(n_sets + 1, dtype=np.int64)
    step = np.zeros((n_sets + 1, n_sets + 1), dtype=np.int64)
    for t in range(1, n_sets + 1):
        stride = t * (t - 1) // 2 * max_overlap + 1
        block[t] = (t * n_features + 1) * stride
        for m in range(t + 1):
            step[t, m] = m * stride + m * (m - 1) // 2
    return block, step


@compiled()
def _sets_at_first(
    n: int, duties: tuple[IntArray, IntArray], shape: tuple[int, int, int]
) -> tuple[bool, IntArray, IntArray, IntArray]:
    """Return the state of the sets for each feature, filled in for the first one.

    These are: False if the sets have to hold too much, the open slots of each set, the
    features that two sets both hold (entry (b, h), h < b), and the bits that have the same
    history as the next higher one.
    """
    n_sets, n_features, max_overlap = shape
    inside, outside = duties
    open_ = np.zeros((n + 1, n_sets), dtype=np.int64)
    shared = np.zeros((n + 1, n_sets, n_sets), dtype=np.int64)
    same = np.zeros(n + 1, dtype=np.int64)
    same[0] = (1 << (n_sets - 1)) - 1
    for b in range(n_sets):
        open_[0, b] = n_features
    for j in range(n):
        for b in range(n_sets):
            open_[0, b] -= (inside[j] >> b) & 1
            for h in range(b):
                shared[0, b, h] += (inside[j] >> b) & (inside[j] >> h) & 1
        for duty in (inside[j], outside[j]):
            same[0] &= ~(duty ^ (duty >> 1))
    good = bool(open_[0].min() >= 0 and shared[0].max() <= max_overlap)
    return good, open_, shared, same


@compiled()
def _groups_at_first(
    weights: IntArray, inside: IntArray, offsets: IntArray, size: IntArray, block: IntArray,
    step: IntArray,
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Return place and quality of each group for each feature, filled in for the first one."""
    n = weights.size
    place = np.zeros((n + 1, len(size)), dtype=np.int64)
    quality = np.zeros((n + 1, len(size)), dtype=np.int64)
    for a in range(1, len(size)):
        t = size[a]
        place[0, a] = offsets[t] + block[t] - 1
        for j in range(n):
            held = size[a & inside[j]]
            place[0, a] -= step[t, held]
            quality[0, a] += held * weights[j]
    return place, quality
