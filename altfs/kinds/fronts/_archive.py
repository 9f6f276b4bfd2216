"""The archive of curves that no other curve dominates, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs.kinds.fronts.curve import Levels

Rule = tuple[int, int, int]


@compiled()
def dominates(a: Levels, b: Levels, rule: Rule) -> bool:
    """Return True if curve a dominates curve b; see :class:`altfs.fronts.Dominance`."""
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
    levels: Levels, areas: Levels, order: npt.NDArray[np.int64], count: int, new: Levels, rule: Rule
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
def distances(levels: Levels) -> Levels:
    """Return the areas between all pairs of curves."""
    n_sets, n_levels = levels.shape
    found = np.zeros((n_sets, n_sets), dtype=np.int64)
    for i in range(n_sets):
        for j in range(i):
            total = 0
            for k in range(n_levels):
                total += abs(levels[i, k] - levels[j, k])
            found[i, j] = total
            found[j, i] = total
    return found
