"""All feature sets depth first, and the front of their curves, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs.kinds.fronts._archive import Rule, add
from altfs.kinds.fronts._levels import levels_of
from altfs.kinds.fronts.curve import Levels, Scores


@compiled()
def walk(
    positives: Scores,
    negatives: Scores,
    first_positives: Scores,
    first_negatives: Scores,
    smallest: int,
    largest: int,
    whole: int,
    rule: Rule,
) -> tuple[npt.NDArray[np.int64], Levels, int]:
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
