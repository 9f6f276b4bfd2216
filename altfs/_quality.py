"""What every quality offers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altfs.constraints import Constraints


class Quality(ABC):
    """The quality of feature sets; larger is better."""

    @property
    @abstractmethod
    def n_total(self) -> int:
        """Number of features to choose from (the paper's n)."""

    @abstractmethod
    def evaluate(self, indices: Sequence[int]) -> float:
        """The quality of one feature set, given by its feature indices."""

    def allows(self, indices: Sequence[int]) -> bool:
        """Whether the quality itself permits this feature set."""
        return True

    def under(self, constraints: Constraints) -> Quality:
        """The same quality for sets that satisfy the constraints.

        No value differs; the integers in which exact solvers compare sets may.
        """
        return self

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        """Whether a feature set is at least as good as `floor`."""
        return self.evaluate(indices) >= floor
