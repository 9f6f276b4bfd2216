"""OFS-A3M: streaming features, judged by the neighbours of each row."""

from __future__ import annotations

from altfs.cost import Cost
from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.rough_sets import RoughSet, RoughSetSelector
from altfs.selectors.base import selectors


@selectors.register("ofs_a3m")
class OfsA3m(RoughSetSelector):
    """OFS-A3M: a feature joins if more of the neighbours of rows are then of their class.

    The neighbours of a row are the nearest rows up to the first wide gap. The quality of a set
    is the mean share of neighbours that are of the row's class. Numbers have five classes.

    Source: Zhou, Hu, Li, Wu, *Online Streaming Feature Selection Using Adapted Neighborhood
    Rough Set*, Information Sciences 481, 2019 (Algorithm 2).
    """

    cost = Cost(0.0, 3.8e-5, 0.75, 1)

    def empty_set(self) -> RoughSet:
        return A3mSet(self)


class A3mSet(RoughSet):
    """One set of OFS-A3M."""

    def is_relevant(self, new: StreamColumn) -> bool:
        return new.dependence > self.dependency / max(len(self.columns), 1)

    def is_as_good(self, dependency: float) -> bool:
        return dependency == self.dependency
