"""Floating forward selection: features that entered may leave again."""

from __future__ import annotations

from altfs.solvers.base import solvers
from altfs.solvers.by_name._moves import GreedySolver, Walk


@solvers.register("floating_forward")
class FloatingForward(GreedySolver):
    """Sequential floating forward selection of Pudil, Novovicova and Kittler (1994).

    After every feature that enters, the least useful features leave one by one, as long as
    the smaller set is better than all sets of its size before. Plain forward selection goes
    first, so that the result is never worse than that of `forward`.
    """

    def walk(self, walk: Walk) -> None:
        walk.greedy(walk.larger)
        walk.floating(walk.larger, walk.smaller)
