"""OFS-Density: streaming features, judged by the neighbours of each row that lie densely."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from altfs.kinds.streams.base import StreamColumn
from altfs.kinds.streams.selectors.ofs_a3m import NeighbourOptions, NeighbourSet, OfsA3m
from altfs.selectors.base import selectors


class OfsDensityOptions(NeighbourOptions):
    """tolerance: the share by which dependencies may differ and still be equal."""

    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.05


@selectors.register("ofs_density")
class OfsDensity(OfsA3m):
    """OFS-Density: a feature joins if at least about as many neighbours are of the row's class.

    The neighbours of a row are the nearest rows, as long as the distance per neighbour does not
    increase. The quality of a set is the mean share of neighbours that are of the row's class.

    Source: Zhou, Hu, Li, Wu, *OFS-Density: A Novel Online Streaming Feature Selection Method*,
    Pattern Recognition 86, 2019 (Algorithm 1).
    """

    Options = OfsDensityOptions
    by_density = True

    def empty_set(self) -> DensitySet:
        return DensitySet(self)


class DensitySet(NeighbourSet):
    """One set of OFS-Density."""

    def is_relevant(self, new: StreamColumn) -> bool:
        alone = [column.dependence for column in self.columns]
        return not alone or new.dependence >= sum(alone) / len(alone)

    def is_as_good(self, dependency: float) -> bool:
        difference, tolerance = abs(dependency - self.dependency), self.selector.options.tolerance
        return bool(self.dependency > 0 and difference <= tolerance * self.dependency)

    def is_needless(self, dependency: float) -> bool:
        return dependency >= self.dependency

    def drop_needless(self, before: float) -> list[StreamColumn]:
        whole = self.columns, self.squares, self.dependency
        gone = super().drop_needless(before)
        if self.dependency >= before:
            return gone
        # Only the removals are undone.
        self.columns, self.squares, self.dependency = whole
        return []
