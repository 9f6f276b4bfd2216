"""Base of estimators of what arrives: their parameters, and their sets as they are now."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from altfs.library import inputs
from altfs.library.feature_sets import frame_of_stream
from altfs.library.searching import stream_overlap
from altfs.problem.overlap import Dissimilarity, Overlap, Tau
from altfs.problem.results import FeatureSet

if TYPE_CHECKING:
    import pandas as pd


@dataclass(eq=False, repr=False, kw_only=True)
class StreamedSets:
    """Sets that are kept side by side; the parameters are those of `AlternativeFeatures`."""

    n_alternatives: int = 1
    tau: Tau | None = None
    max_overlap: int | None = None
    dissimilarity: Dissimilarity = "dice"
    random_state: Any = 0

    def _checked(self, key: str, kind: Any, hint: str) -> tuple[Any, Overlap, int]:
        """Return the selector, which is the parameter `key`, the overlap and the seed."""
        seed = inputs.seed_of(self.random_state)
        selector = inputs.selector_of_stream(key, getattr(self, key), kind, hint)
        overlap = stream_overlap(
            self.n_alternatives, self.tau, self.max_overlap, self.dissimilarity
        )
        return selector, overlap, seed

    @abstractmethod
    def _sets(self) -> dict[int, FeatureSet]:
        """Return the sets that are not empty, by their numbers."""

    @property
    def feature_sets_(self) -> list[FeatureSet]:
        """The sets as they are now."""
        return list(self._sets().values())

    def to_frame(self) -> pd.DataFrame:
        """Return the sets as a table.

        Returns
        -------
        DataFrame
            A row per set that is not empty: set_index, feature_names, selected (numbers of
            columns), train_objective, status, and dissimilarity to the original set.
        """
        sets = self._sets()
        return frame_of_stream(sets, sets[0].indices if 0 in sets else (), self.dissimilarity)
