"""Searches that draw at random."""

from __future__ import annotations

from altfs.searches.base import Search


class SeededSearch(Search):
    """A search with chance in it; the study makes it with a seed.

    Parameters
    ----------
    seed : int, default=0
        Where the chance begins; the same seed gives the same sets.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
