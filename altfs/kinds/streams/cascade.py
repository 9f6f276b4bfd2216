"""Several sets in one pass: what one set lets go is offered to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from altfs.kinds.streams.base import ColumnGroup, Decision, StreamColumn, Values

if TYPE_CHECKING:
    from altfs.kinds.streams.streaming_selector import StreamingSelector

# Columns that are read at once, so that they stay in the processor's cache.
_BLOCK = 8192


class Event(NamedTuple):
    """A decision on a column."""

    #: The number of columns seen so far.
    seen: int
    column: int
    #: The set that decided.
    set_index: int
    #: "kept", "passed on" (to the next set) or "dropped" (for good).
    event: str


class Cascade:
    """The original set of a selector, and its runners-up.

    A column that depends on the target is offered to set 0. What a set refuses or drops is
    offered to the next set at that moment. So sets are disjoint, and set 0 is the one that the
    selector finds alone. When the sets are read, all others share a core of set 0.

    Parameters
    ----------
    reader : StreamingSelector
        It has begun, and not read any column.
    n_sets : int
    overlap : callable
        The largest number of features that two sets of two sizes may share
        (:class:`altfs.problem.Overlap`).
    largest : int, optional
        The largest size of a set, with its core. If a set is larger, its feature outside the
        core with the least dependence on the target leaves it, of equal ones the last column.

    Attributes
    ----------
    disjoint : list of StreamSet
        The sets without a core.
    seen, relevant : int
        The number of columns so far, and of those that depend on the target.
    events : list of Event
        The decisions on relevant columns.
    """

    def __init__(
        self,
        reader: StreamingSelector,
        n_sets: int,
        overlap: Callable[[int, int], int],
        largest: int | None = None,
    ) -> None:
        self.reader = reader
        self.disjoint = [reader.empty_set() for _ in range(n_sets)]
        self.overlap, self.largest = overlap, largest
        self.seen = self.relevant = 0
        self.events: list[Event] = []

    @property
    def tests(self) -> int:
        """The number of comparisons so far."""
        return self.reader.tests + sum(members.tests for members in self.disjoint)

    @property
    def waiting(self) -> set[int]:
        """The columns on which nothing is decided yet."""
        columns = [*self.reader.waiting, *chain(*(members.waiting for members in self.disjoint))]
        return {column.number for column in columns}

    def add(self, X: Values, numbers: Values | None = None, names: Sequence[str] = ()) -> None:
        """Judge the columns of a matrix of finite numbers, one after the other.

        `numbers` are their places in the data; by default they follow those seen so far.
        """
        width = X.shape[1]
        if numbers is None:
            numbers = np.arange(self.seen, self.seen + width)
        start = self.seen
        for first in range(0, width, _BLOCK):
            part = range(first, min(first + _BLOCK, width))
            block = slice(part.start, part.stop)
            arriving = self.reader.arrivals(X, part, numbers[block], names[block])
            for read, group in arriving:
                self.seen = start + first + read
                self._arrive(group)
        self.seen = start + width

    def finish(self) -> None:
        """Decide on all columns that wait."""
        for group in self.reader.rest():
            self._arrive(group)
        for i, members in enumerate(self.disjoint):
            # It has judged all that the sets before it let go.
            self._follow(i, members.finish())
        self._shrink()

    def _arrive(self, group: ColumnGroup) -> None:
        self.relevant += len(group)
        self._follow(0, self.disjoint[0].offer(group))
        self._shrink()

    def _follow(self, i: int, decision: Decision) -> None:
        """Record a decision of set i, and offer to the next set what it lets go."""
        self._record(decision.kept, i, "kept")
        for group in decision.gone:
            self._pass_on(i, group)
        while self._is_too_large(i):
            self._leave(i)

    def _pass_on(self, i: int, group: ColumnGroup) -> None:
        if i + 1 == len(self.disjoint):
            self._record(group, i, "dropped")
        else:
            self._record(group, i, "passed on")
            self._follow(i + 1, self.disjoint[i + 1].offer(group))

    def _leave(self, i: int) -> None:
        """Let the feature of set i with the least dependence go."""
        columns = self.disjoint[i].columns
        place = min(range(len(columns)), key=lambda j: (columns[j].dependence, -columns[j].number))
        weakest = columns[place]
        self.disjoint[i].remove(place)
        self._pass_on(i, (weakest,))

    def _shrink(self) -> None:
        """Make every set small enough, as larger sets can have a larger core."""
        places = range(len(self.disjoint))
        while (i := next(filter(self._is_too_large, places), None)) is not None:
            self._leave(i)

    def _is_too_large(self, i: int) -> bool:
        if self.largest is None or not (size := len(self.disjoint[i].columns)):
            return False
        return size + (self.n_shared if i else 0) > self.largest

    def _record(self, columns: Iterable[StreamColumn], i: int, event: str) -> None:
        self.events += [Event(self.seen, column.number, i, event) for column in columns]

    @property
    def n_shared(self) -> int:
        """The number of features of set 0 that all other sets share."""
        first, *others = (len(members.columns) for members in self.disjoint)
        # Two sets of the smallest sizes may share the least.
        smallest = sorted(size for size in others if size)[:2]
        for shared in range(first - 1, 0, -1):
            sizes = [size + shared for size in smallest] or [first]
            if all(shared <= self.overlap(a, b) for a, b in combinations([first, *sizes], 2)):
                return shared
        return 0

    @property
    def core(self) -> list[StreamColumn]:
        """The features of set 0 that all other sets share: those of largest dependence."""
        ranked = sorted(self.disjoint[0].columns, key=lambda c: (-c.dependence, c.number))
        return ranked[: self.n_shared]

    @property
    def sets(self) -> list[list[StreamColumn]]:
        """The sets as they are now; all but the first with the core. Some may be empty."""
        core = self.core
        first, *others = (members.columns for members in self.disjoint)
        return [list(first), *([*columns, *core] if columns else [] for columns in others)]
