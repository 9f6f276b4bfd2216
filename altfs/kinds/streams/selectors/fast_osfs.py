"""Fast-OSFS: streaming features, tested given few others, the new one among them."""

from __future__ import annotations

from altfs.kinds.streams.base import ColumnGroup, Decision, StreamSet
from altfs.kinds.streams.selectors.osfs import Osfs, OsfsSet
from altfs.selectors.base import selectors


@selectors.register("fast_osfs")
class FastOsfs(Osfs):
    """OSFS that judges the new feature first, and old ones only given the new one.

    Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 2).
    """

    def new_set(self) -> StreamSet:
        return FastOsfsSet(self.measure, self.options.max_conditioning)


class FastOsfsSet(OsfsSet):
    """One set of Fast-OSFS."""

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        self.members.append(new)
        last = len(self.columns) - 1
        if self.drop_redundant(range(last, last + 1)):
            return Decision([], [group])
        return Decision([new], self.drop_redundant(range(last), required=last))
