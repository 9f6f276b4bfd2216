"""The bases of selectors that read the data once, and of those that read features one by one."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import IntArray
from altfs.errors import DataError
from altfs.kinds.streams.methods import Cascade, Method
from altfs.kinds.streams.stream import Passed, Stream
from altfs.scores.base import Part
from altfs.selectors.base import Qualities, Selector, SelectorOptions

# Columns of a shuffled matrix that are copied at once.
_BLOCK = 4096
# The number of points of time at which the sets are noted.
_TENTHS = 10


class ArrivalOptions(SelectorOptions):
    """arrival: the order of what arrives. arrival_seed: its seed, by default that of the part."""

    arrival: Literal["given", "shuffled"] = "given"
    arrival_seed: int | None = Field(default=None, ge=0, lt=2**32)


class OnePassSelector(Selector):
    """The base class of selectors that read the data once: its columns or its rows, one by one.

    Only the search ``streaming`` finds their sets.
    """

    Options = ArrivalOptions
    needs_rows = True
    takes_categories = False
    # The search reads the data.
    stores = False
    one_pass = True
    needs_size = False

    @abstractmethod
    def stream(self, part: Part, judged: Part | None = None) -> Stream:
        """Return the stream of a part, judged on another one if it is given."""

    def quality(self, part: Part) -> Stream:
        return self.stream(part)

    def learn(self, train: Part, test: Part) -> Qualities:
        """Return the stream of the training part, judged on each of the two parts."""
        return Qualities(self.stream(train), self.stream(train, test))

    def order(self, number: int, seed: int) -> IntArray | None:
        """Return so many columns or rows in the order of their arrival; None as in the data.

        `seed` is that of the part.
        """
        if self.options.arrival == "given":
            return None
        chosen = self.options.arrival_seed
        return np.random.RandomState(seed if chosen is None else chosen).permutation(number)


class StreamingSelector(OnePassSelector):
    """The base class of selectors whose features arrive one by one.

    A subclass makes the method that judges them.
    """

    @abstractmethod
    def method(self, y: npt.NDArray[Any], target_type: str, seed: int) -> Method:
        """Return a method that has not read any column; DataError if it refuses the target.

        The parameters are those of :meth:`check_target`.
        """

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.method(y, target_type, seed)

    def stream(self, part: Part, judged: Part | None = None) -> ColumnStream:
        return ColumnStream(self, part, judged)


class ColumnStream(Stream):
    """The columns of a part, which a method reads one by one.

    Parameters
    ----------
    selector : StreamingSelector
    part : Part
        The columns are read from it.
    judged : Part, optional
        The part on which sets are judged, if it is another one.
    """

    def __init__(self, selector: StreamingSelector, part: Part, judged: Part | None = None) -> None:
        self.selector, self.part, self.judged = selector, part, judged
        self._judge = self._method()

    @property
    def n_total(self) -> int:
        return int(self.part.X.shape[1])

    def _method(self) -> Method:
        return self.selector.method(self.part.y, self.part.target_type, self.part.seed)

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        other = None
        if self.judged is not None:
            other = self.judged.X[:, chosen], self.judged.y
        return self._judge.objective(self.part.X[:, chosen], other)

    def find(self, n_sets: int, overlap: Callable[[int, int], int], largest: int | None) -> Passed:
        method = self._method()
        cascade = Cascade(method, n_sets, overlap, largest)
        X, names = self.part.X, self.part.names
        if method.expected and not names:
            names = tuple(f"x{j}" for j in range(self.n_total))
        order = self.selector.order(X.shape[1], self.part.seed)
        if order is None:
            cascade.add(X, names=names)
        else:
            for start in range(0, len(order), _BLOCK):
                numbers = order[start : start + _BLOCK]
                chosen = [names[j] for j in numbers] if names else ()
                cascade.add(X[:, numbers], numbers, chosen)
        cascade.finish()
        return passed(cascade)


def passed(cascade: Cascade) -> Passed:
    """Return what a cascade found."""
    sets = [tuple(sorted(column.number for column in one)) for one in cascade.sets]
    found = Counter((event.set_index, event.event) for event in cascade.events)
    counts = {
        name: [found[i, name.replace("_", " ")] for i in range(len(sets))]
        for name in ("kept", "passed_on", "dropped")
    }
    counts["offered"] = [cascade.relevant, *counts["passed_on"][:-1]]
    return Passed(sets, cascade.tests, counts, _trace(cascade))


def _trace(cascade: Cascade) -> list[tuple[int, list[tuple[int, ...]]]]:
    """Return the own features of each set after each tenth of the features."""
    own: list[set[int]] = [set() for _ in cascade.states]
    found, events = [], iter([*cascade.events, None])
    event = next(events)
    for tenth in range(1, _TENTHS + 1):
        seen = cascade.seen * tenth // _TENTHS
        while event is not None and event.seen <= seen:
            if event.event == "kept":
                own[event.set_index].add(event.column)
            else:
                own[event.set_index].discard(event.column)
            event = next(events)
        found.append((seen, [tuple(sorted(one)) for one in own]))
    return found


def needs_counts(measure: str, target_type: str, counting: str) -> bool:
    """Tell whether a target needs the measure that counts; refuse Fisher's z for many classes."""
    classes = target_type == "multiclass"
    if measure == "fisher_z" and classes:
        raise DataError(
            f"measure: 'fisher_z' is for numbers and two classes, use 'auto' or '{counting}'."
        )
    return measure == counting or classes
