"""Heights of curves in whole numbers, and the archive of those that no other one dominates.

All functions are compiled.
"""

from __future__ import annotations

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, FloatArray, IntArray

Rule = tuple[int, int, int]


@compiled()
def levels_of(scores: FloatArray, positive: BoolArray, whole: int, tie: float) -> IntArray:
    """Return the curve of specificity or, with the level `whole` of confidence 1, of confidence.

    Scores that differ by less than `tie` are equal.
    """
    positives, negatives = scores[positive], scores[~positive]
    n_positive, n_negative = len(positives), len(negatives)
    positives.sort()
    # The number of negative rows that lie below so many of the thresholds.
    below = np.zeros(n_positive + 1, dtype=np.int64)
    for value in negatives:
        low, high = 0, n_positive
        while low < high:
            middle = (low + high) // 2
            if positives[middle] - tie > value:
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
        threshold = positives[n_positive - k] - tie
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
def _decides(red: int, green: int, rule: Rule) -> bool:
    """Return True if the curve with this area alone dominates; see `Dominance`."""
    numerator, denominator, margin = rule
    if denominator == 0:
        return red > 0 and green == 0
    return denominator * red - numerator * green > margin


@compiled()
def dominates(a: IntArray, b: IntArray, rule: Rule) -> bool:
    """Return True if curve a dominates curve b."""
    red, green = 0, 0
    for k in range(len(a)):
        difference = a[k] - b[k]
        red += max(difference, 0)
        green += max(-difference, 0)
        if green > 0 and rule[1] == 0:
            return False
    return _decides(red, green, rule)


@compiled()
def add(
    levels: IntArray, areas: IntArray, order: IntArray, count: int, new: IntArray, rule: Rule
) -> int:
    """Offer a curve to the archive; return the number of its members, or -1 if one dominates it.

    `levels` and `areas` have room for more than the `count` members. `order` lists the places of
    the members first, then those that are free. An accepted curve gets the last place of a member.
    """
    area = new.sum()
    for i in range(count):
        # Who has less area never dominates.
        if areas[order[i]] > area and dominates(levels[order[i]], new, rule):
            # It may dominate the next ones, too.
            order[i], order[i // 2] = order[i // 2], order[i]
            return -1
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
def compared(levels: IntArray, rule: Rule) -> tuple[BoolArray, IntArray]:
    """Return which curves (rows) dominate which (columns), and the areas between them."""
    n_sets, n_levels = levels.shape
    beaten = np.zeros((n_sets, n_sets), dtype=np.bool_)
    areas = np.zeros((n_sets, n_sets), dtype=np.int64)
    for i in range(n_sets):
        for j in range(i):
            red, green = 0, 0
            for k in range(n_levels):
                difference = levels[i, k] - levels[j, k]
                red += max(difference, 0)
                green += max(-difference, 0)
            beaten[i, j], beaten[j, i] = _decides(red, green, rule), _decides(green, red, rule)
            areas[i, j] = areas[j, i] = red + green
    return beaten, areas
