"""OFS-Density: neighbours while they lie densely.

Source: Zhou, Hu, Li, Wu, *OFS-Density: A Novel Online Streaming Feature Selection Method*,
Pattern Recognition 86, 2019 (Algorithm 1).
"""

from __future__ import annotations

from typing import Any

from altfs.kinds.streams.base import Column
from altfs.kinds.streams.methods.rough_sets import RoughSets, RoughState


class OfsDensity(RoughSets):
    """OFS-Density.

    Parameters
    ----------
    *given, **more
        See `RoughSets`.
    tolerance : float, default=0.05
        Dependencies that differ by this share are equal.
    """

    by_density = True

    def __init__(self, *given: Any, tolerance: float = 0.05, **more: Any) -> None:
        super().__init__(*given, **more)
        self.tolerance = tolerance

    def state(self) -> DensityState:
        return DensityState(self, self.tolerance)


class DensityState(RoughState):
    """One set of OFS-Density."""

    def __init__(self, method: RoughSets, tolerance: float) -> None:
        super().__init__(method)
        self.tolerance = tolerance

    def is_relevant(self, new: Column) -> bool:
        own = [one.dependence for one in self.columns]
        return not own or new.dependence >= sum(own) / len(own)

    def is_as_good(self, dependency: float) -> bool:
        difference = abs(dependency - self.dependency)
        return self.dependency > 0 and difference <= self.tolerance * self.dependency

    def is_needless(self, dependency: float) -> bool:
        return dependency >= self.dependency

    def drop_needless(self, before: float) -> list[Column]:
        whole = self.columns, self.squares, self.dependency
        gone = super().drop_needless(before)
        if self.dependency >= before:
            return gone
        # Only the removals are undone.
        self.columns, self.squares, self.dependency = whole
        return []
