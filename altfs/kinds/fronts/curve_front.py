"""A front of curves: feature sets that no other one dominates, and the archive that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.dominance import Dominance
from altfs.problem.front import Front
from altfs.problem.problem import Family, FeatureIndices
from altfs.problem.results import Status
from altfs.quality import Quality

# The largest number of choices of sets that are all looked at, some 10 microseconds each.
_MOST_CHOICES = 20_000


@dataclass(frozen=True)
class CurveFront(Front):
    """Feature sets that do not dominate each other.

    Those of the largest area come first; of equals the smallest, and in lexicographic order.
    """

    sets: Family
    #: Shape (n_sets, n_positive). The curve of each set, in whole numbers.
    levels: Levels
    #: The number of feature sets whose curve was computed.
    work: int
    proven: bool

    def rows(
        self, train: Quality, test: Quality | None, aggregation: str
    ) -> Iterator[dict[str, Any]]:
        assert isinstance(train, Curve)
        for point, (features, levels) in enumerate(zip(self.sets, self.levels, strict=True)):
            yield {
                "point": point,
                "selected": list(features),
                "train_objective": train.area(levels),
                "test_objective": None if test is None else test.evaluate(features),
                "status": str(Status.OPTIMAL if self.proven else Status.FEASIBLE),
                "objectives": (levels / train.top).tolist(),
                "test_objectives": (
                    test.curve(features).tolist() if isinstance(test, Curve) else None
                ),
            }

    def alternatives(self, n_sets: int, fits: Callable[[FeatureIndices, Family], bool]) -> Family:
        """Choose different sets: that of the largest area, then those that raise the envelope most.

        Where all choices can be looked at, the others are as many as possible, and together they
        raise the envelope most. Else they are chosen one by one. Each set after the first adds
        most to the envelope of those before it; of equally good sets the first of the front comes
        first. `fits` tells whether a set differs enough from those chosen before.
        """
        if not self.sets:
            return ()
        others: Sequence[int] = range(1, len(self.sets))
        n_choices = sum(comb(len(others), i) for i in range(1, n_sets))
        if n_sets > 2 and n_choices <= _MOST_CHOICES:
            others = self._best_choice(n_sets - 1, fits)
        chosen, reached = [0], self.levels[0]
        while len(chosen) < n_sets:
            family = tuple(self.sets[i] for i in chosen)
            left = [i for i in others if i not in chosen and fits(self.sets[i], family)]
            if not left:
                break
            gains = np.maximum(self.levels[left] - reached, 0).sum(axis=1)
            chosen.append(left[int(gains.argmax())])
            reached = np.maximum(reached, self.levels[chosen[-1]])
        return tuple(self.sets[i] for i in chosen)

    def of_envelope(self) -> CurveFront:
        """Return the sets that are first in the front of those highest at some sensitivity."""
        if not self.sets:
            return self
        first = np.unique(self.levels.argmax(axis=0))
        sets = tuple(self.sets[i] for i in first)
        return CurveFront(sets, self.levels[first], self.work, self.proven)

    def _best_choice(
        self, n_sets: int, fits: Callable[[FeatureIndices, Family], bool]
    ) -> Sequence[int]:
        """Return the most and best sets that fit the first one and each other."""
        pairs = combinations(range(len(self.sets)), 2)
        apart = {(i, j) for i, j in pairs if fits(self.sets[i], (self.sets[j],))}
        choices = (
            choice
            for n in range(n_sets + 1)
            for choice in combinations(range(1, len(self.sets)), n)
            if apart.issuperset(combinations((0, *choice), 2))
        )
        # Of equally good choices the first one counts.
        return max(choices, key=lambda c: (len(c), self.levels[[0, *c]].max(axis=0).sum()))


class Archive:
    """The sets of those offered which no other one dominates.

    As dominance is transitive, a set needs to be compared with the members only.
    """

    def __init__(self, n_levels: int, dominance: Dominance) -> None:
        # Compiled code is slow to import.
        from altfs.kinds.fronts._curves import add

        self._add, self._dominance, self._n_levels = add, dominance, n_levels
        self._levels = np.empty((64, n_levels + dominance.by_size), dtype=np.int64)
        self._areas = np.empty(64, dtype=np.int64)
        self._order = np.arange(64)
        self._sets: list[FeatureIndices] = [()] * 64
        self._count = 0

    def offer(self, chosen: FeatureIndices, levels: Levels) -> None:
        """Add a set unless a member dominates it; members that it dominates leave."""
        n = len(self._sets)
        if self._count == n:
            self._levels = np.vstack([self._levels, np.empty_like(self._levels)])
            self._areas = np.append(self._areas, np.empty_like(self._areas))
            self._order = np.append(self._order, np.arange(n, 2 * n))
            self._sets += [()] * n
        curves = self._levels, self._areas, self._order
        compared = self._dominance.compared(levels, chosen)
        count = self._add(*curves, self._count, compared, self._dominance.numbers)
        if count > 0:
            self._count = count
            self._sets[self._order[count - 1]] = chosen

    def front(self, work: int, *, proven: bool) -> CurveFront:
        """Return the members as a front."""
        sets, levels = self._sets, self._levels[:, : self._n_levels]
        areas = {i: int(levels[i].sum()) for i in self._order[: self._count].tolist()}
        order = sorted(areas, key=lambda i: (-areas[i], len(sets[i]), sets[i]))
        return CurveFront(tuple(sets[i] for i in order), levels[order], work, proven)


def front_of(quality: Curve, sets: Iterable[FeatureIndices], dominance: Dominance) -> CurveFront:
    """Return the front of all valid sets, each listed once; it is proven."""
    archive, work = Archive(quality.n_positive, dominance), 0
    for chosen in sets:
        archive.offer(chosen, quality.levels(chosen))
        work += 1
    return archive.front(work, proven=True)
