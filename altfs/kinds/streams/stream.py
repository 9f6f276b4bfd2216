"""Streams: the quality of sets that one pass over the data finds."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from altfs.problem import FeatureIndices
from altfs.quality.base import Quality
from altfs.scores.base import Part


class StreamResult(NamedTuple):
    """The result of one pass over a stream."""

    #: Sorted feature indices, the original set first. A set may be empty.
    sets: list[FeatureIndices]
    #: The number of comparisons of features, or of changes of a vector of weights.
    tests: int
    #: For each set, the number of features that were offered to it (``offered``), that it kept
    #: (``kept``), passed on to the next set (``passed_on``) and dropped for good (``dropped``). It
    #: is empty if rows arrive.
    counts: Mapping[str, list[int]]
    #: After each tenth of the features: their number, and the features of each set, without
    #: those that it shares with set 0.
    trace: list[tuple[int, list[FeatureIndices]]]


class Stream(Quality):
    """The base class of qualities of sets that one pass over the data finds.

    `evaluate` is the quality by which the selector judges a set.

    Parameters
    ----------
    selector : OnePassSelector
    part : Part
        The data that the selector reads.
    judged : Part, optional
        The part on which sets are judged, by default the same.
    """

    one_pass = True
    needs_size = False

    def __init__(self, selector: Any, part: Part, judged: Part | None = None) -> None:
        self.selector, self.part, self.judged = selector, part, judged or part

    @property
    def n_total(self) -> int:
        return int(self.part.X.shape[1])

    @abstractmethod
    def find(
        self, n_sets: int, overlap: Callable[[int, int], int], largest: int | None
    ) -> StreamResult:
        """Read the data once, and find sets; the arguments are those of `Cascade`."""
