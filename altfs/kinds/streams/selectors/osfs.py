"""OSFS: streaming features, tested given few others."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from altfs.kinds.streams.base import ColumnGroup, Decision, StreamSet, Values
from altfs.kinds.streams.measures import GSquare, Measure
from altfs.kinds.streams.measures.members import MeasuredSet
from altfs.kinds.streams.streaming_selector import ArrivalOptions, MeasuredSelector
from altfs.selectors.base import selectors


class OsfsOptions(ArrivalOptions):
    """measure, alpha: the test. max_conditioning: the number of features that it is given."""

    measure: Literal["auto", "fisher_z", "g2"] = "auto"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.01
    max_conditioning: Annotated[int, Field(ge=1, le=3)] = 3


@selectors.register("osfs")
class Osfs(MeasuredSelector):
    """OSFS: a feature is redundant if few others make it independent of the target.

    The quality of a set is the sum of its features' dependences on the target.

    Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 1).
    """

    Options = OsfsOptions
    counting = "g2"

    def counts(self, y: Values, target_type: str) -> Measure:
        return GSquare(y, target_type, self.options.alpha)

    def empty_set(self) -> StreamSet:
        return OsfsSet(self.measure, self.options.max_conditioning)


class OsfsSet(MeasuredSet):
    """One set of OSFS; a test is given at most `most` features."""

    def __init__(self, measure: Measure, most: int) -> None:
        super().__init__(measure.members())
        self.most = most

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        self.members.append(new)
        gone = self.drop_redundant(range(len(self.columns)))
        return Decision(self.columns[-1:] if self.columns and self.columns[-1] is new else [], gone)

    def drop_redundant(self, places: range, required: int = -1) -> list[ColumnGroup]:
        """Let members go that others, the last member `required` among them, separate."""
        gone: list[ColumnGroup] = []
        for place in places:
            place -= len(gone)
            last = required - len(gone) if required >= 0 else -1
            if self.members.separated(place, self.most, last):
                gone.append((self.columns[place],))
                self.remove(place)
        self.tests = self.members.tests
        return gone
