"""Floating backward elimination: features that left may enter again."""

from __future__ import annotations

from altfs.solvers.base import solvers
from altfs.solvers.by_name._moves import GreedySolver, Walk


@solvers.register("floating_backward")
class FloatingBackward(GreedySolver):
    """Sequential floating backward elimination of Pudil, Novovicova and Kittler (1994).

    After every feature that leaves, the most useful features enter again one by one, as long
    as the larger set is better than all sets of its size before. Plain backward elimination
    goes first, so that the result is never worse than that of `backward`.
    """

    upwards = False

    def walk(self, walk: Walk) -> None:
        walk.greedy(walk.smaller)
        walk.floating(walk.smaller, walk.larger)
