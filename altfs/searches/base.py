"""What every search offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.problem import AGGREGATIONS, FeatureIndices
from altfs.quality import Quality
from altfs.registry import Registry
from altfs.results import SearchResult, Status
from altfs.solvers import Limits


class Search(ABC):
    """Looks for several feature sets of one quality.

    Attributes
    ----------
    aggregations : tuple of str
        The values of `aggregation` that make a difference to this search;
        ``("none",)`` if it does not aggregate.
    statuses : frozenset of Status
        What it can say of a set. An audit refuses stored sets that claim more.
    """

    name: ClassVar[str]
    aggregations: ClassVar[tuple[str, ...]] = AGGREGATIONS
    statuses: ClassVar[frozenset[Status]] = frozenset(Status)

    @abstractmethod
    def search(
        self,
        quality: Quality,
        *,
        n_features: int,
        n_alternatives: int,
        max_overlap: int,
        aggregation: str,
        limits: Limits,
        given: tuple[FeatureIndices, ...] = (),
        constraints: Constraints = NO_CONSTRAINTS,
    ) -> SearchResult:
        """Find ``n_alternatives + 1`` feature sets; always as many entries."""


searches: Registry[Search] = Registry("altfs.searches", "search")
