"""OSFS: streaming features, tested given few others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from altfs.errors import DataError
from altfs.kinds.streams.base import ColumnGroup, Decision, StreamSet, Values
from altfs.kinds.streams.measures import GSquare, Measure
from altfs.kinds.streams.measures.left_out_accuracy import left_out_accuracy
from altfs.kinds.streams.measures.members import MeasuredSet
from altfs.kinds.streams.streaming_selector import ArrivalOptions, MeasuredSelector
from altfs.scores.independence import Codes, TargetCodes, coded
from altfs.selectors.base import selectors


class OsfsOptions(ArrivalOptions):
    """Options of OSFS.

    measure, alpha: the test. max_conditioning: the number of features that it is given. max_tests:
    the number of tests after which no further column is judged. accuracy: the accuracy of the
    original set from which on none is judged, for classes.
    """

    measure: Literal["auto", "fisher_z", "g2"] = "auto"
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.01
    max_conditioning: Annotated[int, Field(ge=1, le=3)] = 3
    max_tests: Annotated[int, Field(ge=1)] | None = None
    accuracy: Annotated[float, Field(gt=0, le=1)] | None = None


@selectors.register("osfs")
class Osfs(MeasuredSelector):
    """OSFS: a feature is redundant if few others make it independent of the target.

    The quality of a set is the sum of its features' dependences on the target. It ends when all
    columns are judged, or earlier: after `max_tests` tests of all sets together, or when naive
    Bayes on the original set has the `accuracy` (leave one out).

    Source: Wu, Yu, Ding, Wang, Zhu, *Online Feature Selection with Streaming Features*, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 35, 2013 (Algorithm 1).
    """

    Options = OsfsOptions
    counting = "g2"

    def counts(self, y: Values, target_type: str) -> Measure:
        return GSquare(y, target_type, self.options.alpha)

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        super().prepare(y, target_type, seed)
        if self.options.accuracy is not None and target_type == "regression":
            reason = "a target of numbers has no share of right answers"
            raise DataError("accuracy", reason, "leave it out")
        self._target = TargetCodes(y, target_type).codes
        self._sets: list[StreamSet] = []
        self._has_ended = False

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, Any]]:
        if self._has_ended:
            return
        before = self.tests
        for j, dependence, values in super().relevant(X, columns):
            if self._ends(before + j):
                # The columns from here on are not judged.
                self.tests, self._has_ended = before + j, True
                return
            yield j, dependence, values

    def _ends(self, tests: int) -> bool:
        most, accuracy = self.options.max_tests, self.options.accuracy
        if most is not None and tests + sum(members.tests for members in self._sets) >= most:
            return True
        if accuracy is None or not self._sets[0].columns:
            return False
        columns = [column.values for column in self._sets[0].columns]
        codes = [x if isinstance(x, Codes) else coded(x) for x in columns]
        return bool(left_out_accuracy(codes, self._target) >= accuracy)

    def empty_set(self) -> StreamSet:
        self._sets.append(self.new_set())
        return self._sets[-1]

    def new_set(self) -> StreamSet:
        """Return a set that has not judged any column; `empty_set` counts its tests, too."""
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
