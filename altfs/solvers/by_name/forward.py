"""Forward selection: one feature after the other enters."""

from __future__ import annotations

from altfs.solvers.base import solvers
from altfs.solvers.by_name._moves import GreedySolver, Walk


@solvers.register("forward")
class Forward(GreedySolver):
    """Greedy forward selection: the feature enters with which the set is best.

    It starts without features, or with those that have to be included. On mRMR and CFS it
    is the classic greedy path.
    """

    def walk(self, walk: Walk) -> None:
        walk.greedy(walk.larger)
