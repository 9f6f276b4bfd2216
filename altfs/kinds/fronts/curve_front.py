"""A front of curves: feature sets that no other one dominates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import Curve, Levels
from altfs.problem.front import Front
from altfs.problem.problem import Family, FeatureIndices
from altfs.problem.results import Status
from altfs.quality import Quality

# The largest number of choices of sets that are all looked at, some 10 microseconds each.
_MOST_CHOICES = 20_000


@dataclass(frozen=True)
class CurveFront(Front):
    """Feature sets that do not dominate each other.

    Attributes
    ----------
    sets : tuple of tuple of int
        Those of the largest area first; of equals the smallest, and in lexicographic order.
    levels : ndarray of int of shape (n_sets, n_positive)
        The curve of each set, in whole numbers.
    work : int
        The number of feature sets whose curve was computed.
    proven : bool
        True if all valid sets were compared, so that the front is complete.
    """

    sets: Family
    levels: Levels
    work: int
    proven: bool

    @classmethod
    def in_order(
        cls, sets: list[FeatureIndices], levels: Levels, work: int, proven: bool
    ) -> CurveFront:
        """Return a front of sets in any order."""
        areas = levels.sum(axis=1)
        order = sorted(range(len(sets)), key=lambda i: (-areas[i], len(sets[i]), sets[i]))
        return cls(tuple(sets[i] for i in order), levels[order], work, proven)

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

    @property
    def envelope(self) -> Levels:
        """The largest height at each sensitivity, in whole numbers."""
        return np.asarray(self.levels.max(axis=0))

    def alternatives(self, n_sets: int, fits: Callable[[FeatureIndices, Family], bool]) -> Family:
        """Choose different sets: that of the largest area, then those that raise the envelope most.

        Where all choices can be looked at, the others are as many as possible, and together they
        raise the envelope most. Else they are chosen one by one.

        Parameters
        ----------
        n_sets : int
            The largest number of sets.
        fits : callable
            Tells whether a set differs enough from those chosen before.

        Returns
        -------
        tuple of tuple of int
            After the first, the set that adds most to the envelope of those before it. Of equally
            good sets the one of larger area comes first, then the one of the front that comes
            first.
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

    def _best_choice(
        self, n_sets: int, fits: Callable[[FeatureIndices, Family], bool]
    ) -> Sequence[int]:
        """Return the most and best sets that fit the first one and each other."""
        best: tuple[int, int] = (0, 0)
        choice: tuple[int, ...] = ()

        def look(chosen: tuple[int, ...], reached: Levels, left: Sequence[int]) -> None:
            nonlocal best, choice
            reaches = len(chosen), int(reached.sum())
            # Of equally good choices the first one counts.
            if reaches > best:
                best, choice = reaches, chosen
            for place, i in enumerate(left if len(chosen) < n_sets else ()):
                later = [j for j in left[place + 1 :] if apart[i][j]]
                look((*chosen, i), np.maximum(reached, self.levels[i]), later)

        apart = [[fits(chosen, (other,)) for other in self.sets] for chosen in self.sets]
        look((), self.levels[0], [i for i in range(1, len(self.sets)) if apart[0][i]])
        return choice
