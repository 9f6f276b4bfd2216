"""Searches for alternatives, one file each."""

from altfs._clock import work_clock
from altfs.searches.base import (
    Search,
    SearchOptions,
    SeededSearch,
    family_result,
    listed_result,
    searches,
)

__all__ = [
    "Search",
    "SearchOptions",
    "SeededSearch",
    "family_result",
    "listed_result",
    "searches",
    "work_clock",
]
