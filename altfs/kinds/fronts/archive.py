"""An archive: all feature sets that no other one that was seen dominates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from altfs.kinds.fronts.curve import ColumnSums, Curve, Levels
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.problem import FeatureIndices


class Archive:
    """The sets of those offered which no other one dominates.

    As dominance is transitive, a set needs to be compared with the members only.
    """

    def __init__(self, n_levels: int, dominance: Dominance) -> None:
        # Compiled code is slow to import.
        from altfs.kinds.fronts._curves import add

        self._add, self._rule = add, dominance.numbers
        self._levels = np.empty((64, n_levels), dtype=np.int64)
        self._areas = np.empty(64, dtype=np.int64)
        self._order = np.arange(64)
        self._sets: list[FeatureIndices] = [()] * 64
        self._count = 0

    def offer(self, chosen: FeatureIndices, levels: Levels) -> None:
        """Add a set unless a member dominates it; members that it dominates leave."""
        if self._count == len(self._sets):
            self._double()
        rule = self._rule
        count = self._add(self._levels, self._areas, self._order, self._count, levels, rule)
        if count > 0:
            self._count = count
            self._sets[self._order[count - 1]] = chosen

    def _double(self) -> None:
        n = len(self._sets)
        self._levels = np.vstack([self._levels, np.empty_like(self._levels)])
        self._areas = np.append(self._areas, np.empty_like(self._areas))
        self._order = np.append(self._order, np.arange(n, 2 * n))
        self._sets += [()] * n

    def front(self, work: int, *, proven: bool) -> CurveFront:
        """Return the members as a front."""
        places = self._order[: self._count]
        return CurveFront.in_order(
            [self._sets[i] for i in places], self._levels[places], work, proven
        )


def front_of(quality: Curve, sets: Iterable[FeatureIndices], dominance: Dominance) -> CurveFront:
    """Return the front of all valid sets, each listed once; it is proven."""
    archive = Archive(quality.n_positive, dominance)
    work = 0
    for chosen in sets:
        archive.offer(chosen, quality.levels(chosen))
        work += 1
    return archive.front(work, proven=True)


def front_of_all(quality: Curve, sizes: Sequence[int], dominance: Dominance) -> CurveFront:
    """Return the front of all feature sets of some sizes, if scores are sums of columns.

    Sets are visited depth first, and the sums of a set are kept for those that begin with it. So
    a set takes some 20 microseconds.
    """
    from altfs.kinds.fronts._curves import walk

    scores = quality.scores
    assert isinstance(scores, ColumnSums)
    positive = quality.positive
    of_positive, of_negative = (
        np.ascontiguousarray(scores.columns[:, rows]) for rows in (positive, ~positive)
    )
    whole = quality.top if quality.kind == "confidence" else 0
    members, levels, work = walk(
        of_positive, of_negative, scores.start[positive], scores.start[~positive],
        min(sizes), max(sizes), whole, dominance.numbers,
    )  # fmt: skip
    sets = [tuple(int(j) for j in row if j >= 0) for row in members]
    return CurveFront.in_order(sets, levels, int(work), True)
