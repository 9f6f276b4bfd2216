"""Backward elimination: one feature after the other leaves."""

from __future__ import annotations

from altfs.solvers.base import solvers
from altfs.solvers.by_name._moves import GreedySolver, Walk


@solvers.register("backward")
class Backward(GreedySolver):
    """Greedy backward elimination: the feature leaves without which the set is best.

    It starts with all features that are not excluded. So it takes more evaluations than
    forward selection, and of larger sets.
    """

    upwards = False

    def walk(self, walk: Walk) -> None:
        walk.greedy(walk.smaller)
