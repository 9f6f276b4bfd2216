"""Stepwise selection: forward and backward moves in turn."""

from __future__ import annotations

from altfs.solvers.base import solvers
from altfs.solvers.by_name._moves import GreedySolver, Walk


@solvers.register("stepwise")
class Stepwise(GreedySolver):
    """Forward selection that drops features again, as AIC and BIC are often searched.

    After every feature that enters, features leave one by one, as long as the set itself gets
    better. No set is entered twice.
    """

    def walk(self, walk: Walk) -> None:
        bits, seen = walk.start, {walk.start}
        while (moved := walk.larger(bits, self.options.step, seen)) is not None:
            if walk.ends(bits, moved):
                return
            while True:
                bits = walk.at(moved)
                seen.add(bits)
                moved = walk.smaller(bits, 1, seen)
                if moved is None or walk.value(moved) <= walk.value(bits):
                    break
