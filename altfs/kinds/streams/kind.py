"""The kind of sets that are found in one pass over the data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from altfs.kinds.base import Kind, kinds

if TYPE_CHECKING:
    from altfs.study.config import StudyConfig


def has_streams(config: StudyConfig) -> bool:
    """Return True if a selector of the study reads the data once."""
    return any(selector.streams for selector in config.selectors)


@kinds.register("streams")
class Streams(Kind):
    """Sets that are found while features or rows arrive, and their runners-up."""

    first_tables = ("streams",)

    def applies(self, config: StudyConfig) -> bool:
        return has_streams(config)

    def headings(self) -> Mapping[str, tuple[str, str]]:
        return {
            "seen": ("Seen", "Number of features of the dataset."),
            "offered": ("Offered", "Number of features that were offered to the set."),
            "passed_on": ("Passed on", "Number of features that the set passed on."),
            "dropped": ("Dropped", "Number of features that the set dropped."),
            "tests": ("Tests", "Number of comparisons of a run; of rows, of changed weights."),
            "streams.kept": ("Kept", "Number of features that the set kept."),
            "streams.n": ("n", "Number of folds in which the set and the original have a score."),
        }
