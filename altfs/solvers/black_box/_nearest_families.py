"""The nearest valid sets after one feature is flipped in each of them, by a compiled walk.

The walk allows one removed feature more at a time. It decides one set after the other, and one
member after the other in ascending order. So the first family that it completes is the
lexicographically smallest of the nearest ones. Sets that are not decided yet have to lose so many
features that their overlap with each decided set is allowed; that bounds what is left.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray


class Exchange(NamedTuple):
    """A question for the nearest sets."""

    #: The sets, of shape (n_sets, n_total), and the feature to flip in each.
    current: BoolArray
    flipped: int
    #: The largest overlap of two sets.
    max_overlap: int
    #: Sets to differ from, of shape (n_given, n_total), and the largest overlap with each.
    given: BoolArray
    room: IntArray
    #: The features that may not leave a set, and those that may enter one.
    stays: BoolArray
    enters: BoolArray


@compiled()
def _excess(first: BoolArray, second: BoolArray, most: int) -> int:
    """Return how many features two sets share above the most that is allowed, or 0."""
    shared = -most
    for f in range(len(first)):
        shared += int(first[f] and second[f])
    return max(shared, 0)


@compiled()
def _least_removals(
    question: Exchange, flipped_sets: BoolArray, member: BoolArray, start: int
) -> int:
    """Bound from below how many features the sets from `start` on lose together.

    `member` are the sets that are decided, the given ones first. A removed feature lessens the
    overlaps with all other sets that have it, by one each. So the features that are in most of
    the sets with too large an overlap bound how many have to go, from each set and from all.
    """
    current, flipped, max_overlap, given, room = question[:5]
    n_sets, n_total = current.shape
    n_decided, n_given = len(member), len(given)
    together = np.zeros(n_decided + n_sets + 1, dtype=np.int64)
    excess = np.zeros(n_decided + n_sets, dtype=np.int64)
    total = least = leaving = 0
    for i in range(start, n_sets):
        leaves = int(current[i, flipped])
        hits = np.zeros(n_decided + 1, dtype=np.int64)
        of_set = largest = 0
        for q in range(n_decided):
            most = room[q] if q < n_given else max_overlap
            excess[q] = _excess(flipped_sets[i], member[q], most)
            of_set += excess[q]
            largest = max(largest, excess[q])
        total += of_set
        for other in range(start, n_sets):
            of_pair = 0
            if other != i:
                of_pair = _excess(flipped_sets[i], flipped_sets[other], max_overlap)
            excess[n_decided + other] = of_pair
            total += of_pair * (other > i)
        for f in range(n_total):
            if f == flipped or not current[i, f]:
                continue
            n_hits = n_pairs = 0
            for q in range(n_decided):
                n_hits += excess[q] > 0 and member[q, f]
            for other in range(start, n_sets):
                n_pairs += excess[n_decided + other] > 0 and current[other, f]
            hits[n_hits] += 1
            together[n_hits + n_pairs] += 1
        least += leaves + max(largest, _fewest(hits, of_set), 1 - leaves)
        leaving += leaves
    return max(least, leaving + _fewest(together, total))


@compiled()
def _fewest(hits: IntArray, total: int) -> int:
    """Return how many of the features with the most hits reach a total."""
    n = 0
    for each in range(len(hits) - 1, 0, -1):
        if total > each * hits[each]:
            n += hits[each]
            total -= each * hits[each]
        else:
            return n + (total + each - 1) // each if total > 0 else n
    # No features are left.
    return n + (1 << 20) if total > 0 else n


@compiled()
def nearest_families(question: Exchange, fewest: int, node_limit: int) -> tuple[bool, IntArray]:
    """Find the valid sets that keep the most members, with one feature flipped in each.

    Fresh features, which no set has, can take each other's place. So the used ones are the first.

    Parameters
    ----------
    question : Exchange
        Its sets have the same size.
    fewest : int
        A number of members that all sets together have to lose.
    node_limit : int

    Returns
    -------
    complete : bool
        False if the limit was reached.
    family : ndarray of int64 of shape (n_sets, n_features)
        Ascending members, the first of equally near families; of no row if there is none.
    """
    current, flipped, max_overlap, given, room, stays, enters = question
    n_sets, n_total = current.shape
    n_given = len(given)
    size = 0
    for f in range(n_total):
        size += int(current[0, f])
    rank = _ranks_of_fresh(question)
    depth = n_sets * size
    family = np.full((n_sets, size), -1, dtype=np.int64)
    # Of the given sets, then of the family.
    member = np.zeros((n_given + n_sets, n_total), dtype=np.bool_)
    flipped_sets = current.copy()
    for f in range(n_total):
        for q in range(n_given):
            member[q, f] = given[q, f]
    for i in range(n_sets):
        flipped_sets[i, flipped] = not current[i, flipped]
    # At each depth: the feature that is tried, those of the set that were skipped and added, the
    # most that may be, the removals of earlier sets, the fresh features in use, and overlaps.
    place = np.zeros(depth + 1, dtype=np.int64)
    skipped, added = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1, dtype=np.int64)
    most, before = np.zeros(depth + 1, dtype=np.int64), np.zeros(depth + 1, dtype=np.int64)
    used = np.zeros(depth + 1, dtype=np.int64)
    overlap = np.zeros((depth + 1, n_given + n_sets), dtype=np.int64)
    nodes = 0
    least = _least_removals(question, flipped_sets, member[:n_given], 0)
    of_others = _least_removals(question, flipped_sets, member[:n_given], 1)
    for budget in range(max(least, fewest), depth + 1):
        t = 0
        place[0] = skipped[0] = added[0] = 0
        most[0] = budget - of_others
        again = False
        while t >= 0:
            i, p = t // size, t % size
            f, chosen = place[t], -1
            while f < n_total:
                inside = current[i, f]
                if again:
                    # It was tried.
                    member[n_given + i, f] = again = False
                else:
                    stayed = inside and f != flipped
                    fits = stayed or (
                        added[t] < most[t] and (not inside and enters[f]) and rank[f] <= used[t]
                    )
                    for q in range(n_given + i):
                        limit = room[q] if q < n_given else max_overlap
                        fits = fits and not (member[q, f] and overlap[t, q] >= limit)
                    if fits:
                        chosen = f
                        break
                if inside:
                    skipped[t] += 1
                bound_to = stays[f] if inside else f == flipped
                if bound_to or skipped[t] > most[t]:
                    f = n_total
                f += 1
            if chosen < 0:
                t, again = t - 1, True
                continue
            nodes += 1
            if nodes > node_limit:
                return False, family[:0]
            place[t], family[i, p], member[n_given + i, chosen] = chosen, chosen, True
            left = t + 1
            added[left] = added[t] + int(not current[i, chosen])
            used[left] = used[t] + int(rank[chosen] == used[t])
            if p < size - 1:
                place[left], skipped[left] = chosen + 1, skipped[t]
                most[left], before[left] = most[t], before[t]
                for q in range(n_given + i):
                    overlap[left, q] = overlap[t, q] + int(member[q, chosen])
                t = left
                continue
            again = True
            if member[n_given + i, flipped] == current[i, flipped]:
                continue
            stay = True
            for f in range(chosen + 1, n_total):
                stay = stay and not (current[i, f] and stays[f])
            total, decided = before[t] + added[left], member[: n_given + i + 1]
            after = _least_removals(question, flipped_sets, decided, i + 1)
            if not stay or total + after > budget:
                continue
            if i == n_sets - 1:
                return True, family
            rest = _least_removals(question, flipped_sets, decided, i + 2)
            most[left], before[left] = budget - total - rest, total
            place[left] = skipped[left] = added[left] = 0
            for q in range(n_given + n_sets):
                overlap[left, q] = 0
            t, again = left, False
    return True, family[:0]


@compiled()
def _ranks_of_fresh(question: Exchange) -> IntArray:
    """Rank the features that may enter and that no set has; others get -1."""
    current, flipped, _, given, _, _, enters = question
    rank = np.full(current.shape[1], -1, dtype=np.int64)
    n_fresh = 0
    for f in range(current.shape[1]):
        taken = f == flipped or not enters[f]
        for i in range(len(current)):
            taken = taken or current[i, f]
        for q in range(len(given)):
            taken = taken or given[q, f]
        if not taken:
            rank[f] = n_fresh
            n_fresh += 1
    return rank
