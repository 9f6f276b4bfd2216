"""The base of fronts: points of which none beats another one in all objectives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from altfs.quality import Quality


class Front(ABC):
    """Result of a search with several objectives, beside its sets.

    Attributes
    ----------
    work : int
        The effort of the search for all points.
    proven : bool
        True if the front is complete.
    """

    work: int
    proven: bool

    @abstractmethod
    def rows(
        self, train: Quality, test: Quality | None, aggregation: str
    ) -> Iterator[dict[str, Any]]:
        """Yield the columns of a shard for each set of each point.

        Parameters
        ----------
        train, test : Quality
            The qualities of both parts; without a test quality its columns are None.
        aggregation : str
            How the qualities of the sets of a point become one objective.
        """
