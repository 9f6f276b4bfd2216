"""OFS-A3M: neighbours up to the first wide gap, and no parameters.

Source: Zhou, Hu, Li, Wu, *Online Streaming Feature Selection Using Adapted Neighborhood Rough
Set*, Information Sciences 481, 2019 (Algorithm 2).
"""

from __future__ import annotations

from altfs.kinds.streams.base import Column
from altfs.kinds.streams.methods.rough_sets import RoughSets, RoughState


class OfsA3m(RoughSets):
    """OFS-A3M; the parameters are those of `RoughSets`."""

    def state(self) -> A3mState:
        return A3mState(self)


class A3mState(RoughState):
    """One set of OFS-A3M."""

    def is_relevant(self, new: Column) -> bool:
        return new.dependence > self.dependency / max(len(self.columns), 1)

    def is_as_good(self, dependency: float) -> bool:
        return dependency == self.dependency
