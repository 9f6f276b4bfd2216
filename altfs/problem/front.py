"""A front: feature sets that no other one dominates, with their curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from altfs.problem.problem import Family, FeatureIndices
from altfs.quality.curve import Levels


@dataclass(frozen=True)
class Front:
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
    def in_order(cls, sets: list[FeatureIndices], levels: Levels, work: int, proven: bool) -> Front:
        """Return a front of sets in any order."""
        areas = levels.sum(axis=1)
        order = sorted(range(len(sets)), key=lambda i: (-areas[i], len(sets[i]), sets[i]))
        return cls(tuple(sets[i] for i in order), levels[order], work, proven)

    @property
    def envelope(self) -> Levels:
        """The largest height at each sensitivity, in whole numbers."""
        return np.asarray(self.levels.max(axis=0))

    def alternatives(self, n_sets: int, fits: Callable[[FeatureIndices, Family], bool]) -> Family:
        """Choose different sets: that of the largest area, then those that raise the envelope most.

        Parameters
        ----------
        n_sets : int
            The largest number of sets.
        fits : callable
            Tells whether a set differs enough from those chosen before.

        Returns
        -------
        tuple of tuple of int
            Of equally good sets the one of larger area comes first, then the one of the front
            that comes first.
        """
        chosen: list[int] = []
        reached = np.zeros(self.levels.shape[1], dtype=np.int64)
        while len(chosen) < n_sets:
            family = tuple(self.sets[i] for i in chosen)
            left = [
                i
                for i in range(len(self.sets))
                if i not in chosen and (not chosen or fits(self.sets[i], family))
            ]
            if not left:
                break
            gains = np.maximum(self.levels[left] - reached, 0).sum(axis=1)
            chosen.append(left[int(gains.argmax())])
            reached = np.maximum(reached, self.levels[chosen[-1]])
        return tuple(self.sets[i] for i in chosen)
