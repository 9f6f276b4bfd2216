"""Heights of curves in whole numbers, and the archive of those that no other one dominates.

All functions are compiled.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import FloatArray, IntArray

Rule = tuple[int, int, int]

# Scores that differ by less are equal; sums of a few columns round by less.
_TIE = 1e-12


@compiled()
def levels_of(positives: FloatArray, negatives: FloatArray, whole: int) -> IntArray:
    """Return the curve of specificity, or that of confidence if `whole` is not 0.

    Parameters
    ----------
    positives, negatives : ndarray
        The scores of the rows of both classes; those of the positive rows get sorted.
    whole : int
        The level of confidence 1.

    Returns
    -------
    ndarray of int of shape (len(positives),)
    """
    n_positive, n_negative = len(positives), len(negatives)
    positives.sort()
    # The number of negative rows that lie below so many of the thresholds.
    below = np.zeros(n_positive + 1, dtype=np.int64)
    for value in negatives:
        low, high = 0, n_positive
        while low < high:
            middle = (low + high) // 2
            if positives[middle] - _TIE > value:
                high = middle
            else:
                low = middle + 1
        below[n_positive - low] += 1
    levels = np.empty(n_positive, dtype=np.int64)
    count = 0
    for k in range(n_positive, 0, -1):
        count += below[k]
        levels[k - 1] = count
    if whole == 0:
        return levels
    best = np.zeros(n_positive, dtype=np.int64)
    reached = 0
    for k in range(1, n_positive + 1):
        threshold = positives[n_positive - k] - _TIE
        reached = max(reached, k)
        while reached < n_positive and positives[n_positive - reached - 1] >= threshold:
            reached += 1
        counted = reached + n_negative - levels[k - 1]
        # Rounded to the nearest level.
        confidence = (2 * reached * whole + counted) // (2 * counted)
        best[reached - 1] = max(best[reached - 1], confidence)
    for k in range(n_positive - 2, -1, -1):
        best[k] = max(best[k], best[k + 1])
    return best


@compiled()
def dominates(a: IntArray, b: IntArray, rule: Rule) -> bool:
    """Return True if curve a dominates curve b; see `altfs.kinds.fronts.dominance.Dominance`."""
    numerator, denominator, margin = rule
    red, green = 0, 0
    if denominator == 0:
        for k in range(len(a)):
            if a[k] < b[k]:
                return False
            red += a[k] - b[k]
        return red > 0
    for k in range(len(a)):
        difference = a[k] - b[k]
        red += max(difference, 0)
        green += max(-difference, 0)
    return denominator * red - numerator * green > margin


@compiled()
def add(
    levels: IntArray, areas: IntArray, order: IntArray, count: int, new: IntArray, rule: Rule
) -> int:
    """Offer a curve to the archive; return the number of its members afterwards.

    Parameters
    ----------
    levels, areas : ndarray
        The curves in places, more than there are members, and their areas.
    order : ndarray of int
        The places: of members first, then those that are free. An accepted curve gets the last
        place of the members.
    count : int
        The number of members.
    new : ndarray of int
    rule : tuple of int

    Returns
    -------
    int
        The same number, negative and less one, if a member dominates the curve.
    """
    area = new.sum()
    for i in range(count):
        # Who has less area never dominates.
        if areas[order[i]] > area and dominates(levels[order[i]], new, rule):
            # It may dominate the next ones, too.
            order[i], order[i // 2] = order[i // 2], order[i]
            return -count - 1
    i = 0
    while i < count:
        if areas[order[i]] < area and dominates(new, levels[order[i]], rule):
            count -= 1
            order[i], order[count] = order[count], order[i]
        else:
            i += 1
    copy_into(levels[order[count]], new)
    areas[order[count]] = area
    return count + 1


@compiled()
def distances(levels: IntArray) -> IntArray:
    """Return the areas between all pairs of curves."""
    n_sets, n_levels = levels.shape
    areas = np.zeros((n_sets, n_sets), dtype=np.int64)
    for i in range(n_sets):
        for j in range(i):
            total = 0
            for k in range(n_levels):
                total += abs(levels[i, k] - levels[j, k])
            areas[i, j] = total
            areas[j, i] = total
    return areas


@compiled()
def walk(
    positives: FloatArray,
    negatives: FloatArray,
    first_positives: FloatArray,
    first_negatives: FloatArray,
    smallest: int,
    largest: int,
    whole: int,
    rule: Rule,
) -> tuple[IntArray, IntArray, int]:
    """Return the members of the front of all sets, their curves, and the number of sets.

    Parameters
    ----------
    positives, negatives : ndarray of shape (n_total, n_rows of the class)
        What each feature adds to the scores of the rows of each class.
    first_positives, first_negatives : ndarray
        The scores without any feature.
    smallest, largest : int
        The sizes of sets.
    whole : int
        The level of confidence 1; 0 for specificity.
    rule : tuple of int

    Returns
    -------
    members : ndarray of int of shape (n_members, largest)
        Shorter sets end with -1.
    levels : ndarray of int of shape (n_members, n_positive)
    work : int
    """
    n_total, n_positive = positives.shape
    of_positives = np.empty((largest + 1, n_positive))
    of_negatives = np.empty((largest + 1, negatives.shape[1]))
    copy_into(of_positives[0], first_positives)
    copy_into(of_negatives[0], first_negatives)
    room = 64
    levels = np.empty((room, n_positive), dtype=np.int64)
    areas = np.empty(room, dtype=np.int64)
    order = np.arange(room)
    members = np.full((room, largest), -1)
    chosen = np.full(largest, -1)
    count, work, depth = 0, 0, 1
    while depth > 0:
        chosen[depth - 1] += 1
        j = chosen[depth - 1]
        if j >= n_total:
            chosen[depth - 1] = -1
            depth -= 1
            continue
        for i in range(n_positive):
            of_positives[depth, i] = of_positives[depth - 1, i] + positives[j, i]
        for i in range(negatives.shape[1]):
            of_negatives[depth, i] = of_negatives[depth - 1, i] + negatives[j, i]
        if depth >= smallest:
            work += 1
            new = levels_of(of_positives[depth].copy(), of_negatives[depth], whole)
            if count == room:
                levels = np.concatenate((levels, levels))
                areas = np.concatenate((areas, areas))
                order = np.concatenate((order, np.arange(room, 2 * room)))
                members = np.concatenate((members, members))
                room *= 2
            reached = add(levels, areas, order, count, new, rule)
            if reached > 0:
                count = reached
                copy_into(members[order[count - 1]], chosen)
        if depth < largest:
            chosen[depth] = j
            depth += 1
    kept = order[:count]
    return members[kept], levels[kept], work
