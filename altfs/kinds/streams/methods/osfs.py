"""OSFS: features that no few others make independent of the target.

Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 1).
"""

from __future__ import annotations

from altfs.kinds.streams.base import Column, Decision, Group, State
from altfs.kinds.streams.measures import FisherZ, GSquare
from altfs.kinds.streams.methods.singly import Filtered


class Osfs(Filtered):
    """OSFS.

    Parameters
    ----------
    measure : FisherZ or GSquare
    most : int, default=3
        The largest number of features that a test is given, from 1 to 3.
    """

    measure: FisherZ | GSquare

    def __init__(self, measure: FisherZ | GSquare, most: int = 3) -> None:
        super().__init__(measure)
        self.most = most

    def state(self) -> OsfsState:
        return OsfsState(self.measure, self.most)


class OsfsState(State):
    """One set of OSFS."""

    def __init__(self, measure: FisherZ | GSquare, most: int) -> None:
        super().__init__()
        self.most = most
        self.relation = measure.relation()

    def offer(self, group: Group) -> Decision:
        (new,) = group
        self.append(new)
        gone = self.redundant(range(len(self.columns)))
        return Decision(self.columns[-1:] if self.columns and self.columns[-1] is new else [], gone)

    def redundant(self, places: range, required: int = -1) -> list[Group]:
        """Let members go, one after the other, that others make independent of the target.

        `required`, the last member, is always among these others if it is given.
        """
        gone: list[Group] = []
        for place in places:
            place -= len(gone)
            given = required - len(gone) if required >= 0 else -1
            if self.relation.separated(place, self.most, given):
                gone.append((self.columns[place],))
                self.remove(place)
        self.tests = self.relation.tests
        return gone

    def append(self, new: Column) -> None:
        """Add a last member."""
        self.columns.append(new)
        self.relation.add(new)

    def remove(self, place: int) -> None:
        """Remove the member in a place."""
        self.columns.pop(place)
        self.relation.remove(place)

    def leave(self, column: Column) -> None:
        self.remove(self.place(column))
