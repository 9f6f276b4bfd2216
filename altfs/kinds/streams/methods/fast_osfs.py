"""Fast-OSFS: OSFS that judges the new feature first, and old ones only together with it.

Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 2).
"""

from __future__ import annotations

from altfs.kinds.streams.base import Decision, Group
from altfs.kinds.streams.methods.osfs import Osfs, OsfsState


class FastOsfs(Osfs):
    """Fast-OSFS; the parameters are those of OSFS."""

    def state(self) -> FastOsfsState:
        return FastOsfsState(self.measure, self.most)


class FastOsfsState(OsfsState):
    """One set of Fast-OSFS."""

    def offer(self, group: Group) -> Decision:
        (new,) = group
        self.append(new)
        last = len(self.columns) - 1
        if self.redundant(range(last, last + 1)):
            return Decision([], [group])
        return Decision([new], self.redundant(range(last), required=last))
