"""The base of scores that estimate how much columns depend on each other."""

from __future__ import annotations

from altfs.scores._pair_estimator import check_enough_rows
from altfs.scores.base import Score
from altfs.scores.dependences import dependences


class DependenceScore(Score):
    """The base class of scores whose variants are estimates of their own or measures.

    A variant that is not in `variants` is the name of a measure in :data:`dependences`.
    """

    any_variant = True

    def other_code(self, variant: str) -> tuple[str, ...]:
        return () if variant in self.variants else (dependences.get(variant).__module__,)

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)
