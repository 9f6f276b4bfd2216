"""Enumeration: the front of all valid feature sets, proven."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

import numpy as np

from altfs.kinds.fronts.archive import Archive
from altfs.kinds.fronts.curve import ColumnSums, Curve
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.problem import FeatureIndices


def count_sets(n_features: int, sizes: Sequence[int]) -> int:
    """Return the number of feature sets of some sizes.

    >>> count_sets(34, range(1, 5))
    52955
    """
    return sum(comb(n_features, size) for size in sizes)


def front_of(quality: Curve, sets: Iterable[FeatureIndices], dominance: Dominance) -> CurveFront:
    """Return the front of listed feature sets.

    Parameters
    ----------
    quality : Curve
    sets : iterable of tuple of int
        All valid sets, each once.
    dominance : Dominance
    """
    archive = Archive(quality.n_positive, dominance)
    work = 0
    for chosen in sets:
        archive.offer(chosen, quality.levels(chosen))
        work += 1
    return archive.front(work, proven=True)


def front_of_all(quality: Curve, sizes: Sequence[int], dominance: Dominance) -> CurveFront:
    """Return the front of all feature sets of some sizes, without any constraint.

    If scores are sums of columns, sets are visited depth first, and the sums of a set are kept
    for those that begin with it. So a set takes some 20 microseconds.
    """
    from altfs.kinds.fronts._walk import walk

    scores = quality.scores
    assert isinstance(scores, ColumnSums)
    positive = quality.positive
    columns = [np.ascontiguousarray(scores.columns[:, rows]) for rows in (positive, ~positive)]
    whole = quality.top if quality.kind == "confidence" else 0
    members, levels, work = walk(
        columns[0], columns[1], scores.start[positive], scores.start[~positive],
        min(sizes), max(sizes), whole, dominance.numbers,
    )  # fmt: skip
    sets = [tuple(int(j) for j in row if j >= 0) for row in members]
    return CurveFront.in_order(sets, levels, int(work), True)
