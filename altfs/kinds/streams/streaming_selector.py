"""The bases of selectors that read the data once, and of those that read features one by one."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from copy import copy
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray, IntArray
from altfs.errors import DataError
from altfs.kinds.streams.base import ColumnGroup, StreamColumn, StreamSet, Values
from altfs.kinds.streams.cascade import Cascade
from altfs.kinds.streams.measures import FisherZ, Measure
from altfs.kinds.streams.stream import Stream, StreamResult
from altfs.problem import FeatureIndices
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
    def quality(self, part: Part, judged: Part | None = None) -> Stream:
        """Return the stream of a part, judged on another one if it is given."""

    def learn(self, train: Part, test: Part) -> Qualities:
        """Return the stream of the training part, judged on each of the two parts."""
        return Qualities(self.quality(train), self.quality(train, test))

    def order(self, number: int, seed: int) -> IntArray | None:
        """Return so many columns or rows in the order of their arrival; None as in the data.

        `seed` is that of the part.
        """
        if self.options.arrival == "given":
            return None
        fixed = self.options.arrival_seed
        return np.random.RandomState(seed if fixed is None else fixed).permutation(number)


class StreamingSelector(OnePassSelector):
    """The base class of selectors whose features arrive one by one.

    A selector has options alone. `begin` returns one that reads columns, each once.

    Attributes
    ----------
    tests : int
        The number of comparisons of a single feature with the target.
    expected : set of str
        The names of columns that have to come.
    """

    tests = 0
    expected: Set[str] = frozenset()

    @abstractmethod
    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        """Keep what is needed of a target, "binary", "multiclass" or "regression".

        A DataError refuses it. `seed` is the random state of the part.
        """

    @abstractmethod
    def relevant(self, X: Values, columns: range) -> Iterable[tuple[int, float, Any]]:
        """Yield the columns of a range of X that depend on the target. X is not written to.

        Each is its place in the range, and `dependence` and `values` of a `StreamColumn`.
        """

    @abstractmethod
    def empty_set(self) -> StreamSet:
        """Return a set that has not judged any column."""

    @abstractmethod
    def objective(self, X: FloatArray, judged: FloatArray, y: Values) -> float:
        """Return the quality of a set.

        `X` are its columns on the training part, `judged` and `y` its columns and the target on
        the part where it is judged.
        """

    def quality_of(self, columns: list[StreamColumn]) -> float:
        """Return the quality of a set of columns that were read."""
        return float(sum(c.dependence for c in sorted(columns, key=lambda c: c.number)))

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, ColumnGroup]]:
        """Yield the groups of columns of a range that depend on the target.

        Each comes with the number of columns that were read before it was whole. `numbers` are
        the places of the columns in the data.
        """
        for j, dependence, values in self.relevant(X, columns):
            yield j + 1, (StreamColumn(int(numbers[j]), dependence, values),)

    @property
    def waiting(self) -> list[StreamColumn]:
        """The columns that wait for others of their group."""
        return []

    def rest(self) -> list[ColumnGroup]:
        """Return the columns that wait, in their groups, and wait no more."""
        return []

    def begin(self, y: Values, target_type: str, seed: int = 0) -> Self:
        """Return a selector with these options that reads columns; see `prepare`."""
        reader = copy(self)
        reader.tests = 0
        reader.prepare(y, target_type, seed)
        return reader

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.begin(y, target_type, seed)

    def quality(self, part: Part, judged: Part | None = None) -> ColumnStream:
        return ColumnStream(self, part, judged)


class MeasuredSelector(StreamingSelector):
    """The base class of selectors that drop columns that are independent of the target.

    Attributes
    ----------
    measure : Measure
        The dependence of columns on the target, set by `prepare`: by default Fisher's z, or
        that of `counts` for more than two classes and if the option `measure` names it.
    counting : str
        That name.
    """

    measure: Measure
    counting = ""

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        if target_type == "multiclass" and self.options.measure == "fisher_z":
            reason = "'fisher_z' is for numbers and two classes"
            raise DataError("measure", reason, f"use 'auto' or '{self.counting}'")
        if target_type == "multiclass" or self.options.measure == self.counting:
            self.measure = self.counts(y, target_type)
        else:
            self.measure = FisherZ(y, target_type, self.options.alpha)

    def counts(self, y: Values, target_type: str) -> Measure:
        """Return the measure that counts values."""
        raise NotImplementedError

    def relevant(self, X: Values, columns: range) -> Iterable[tuple[int, float, Any]]:
        self.tests += len(columns)
        return self.measure.relevant(X, columns)

    def objective(self, X: FloatArray, judged: FloatArray, y: Values) -> float:
        """Return the sum of the dependences on the target."""
        return float(self.measure.strengths(X, judged, y).sum())


class ColumnStream(Stream):
    """The columns of a part, which a selector reads one by one."""

    def __init__(self, selector: StreamingSelector, part: Part, judged: Part | None = None) -> None:
        super().__init__(selector, part, judged)
        self._judge = selector.begin(part.y, part.target_type, part.seed)

    def evaluate(self, indices: Sequence[int]) -> float:
        columns, judged = sorted(indices), self.judged
        return self._judge.objective(self.part.X[:, columns], judged.X[:, columns], judged.y)

    def find(
        self, n_sets: int, overlap: Callable[[int, int], int], largest: int | None
    ) -> StreamResult:
        part, X = self.part, self.part.X
        reader = self.selector.begin(part.y, part.target_type, part.seed)
        cascade = Cascade(reader, n_sets, overlap, largest)
        names = part.names or [f"x{j}" for j in range(self.n_total)]
        order = self.selector.order(self.n_total, part.seed)
        if order is None:
            cascade.add(X, names=names)
        else:
            for start in range(0, len(order), _BLOCK):
                numbers = order[start : start + _BLOCK]
                cascade.add(X[:, numbers], numbers, [names[j] for j in numbers])
        cascade.finish()
        sets = [tuple(sorted(column.number for column in columns)) for columns in cascade.sets]
        number = Counter((event.set_index, event.event) for event in cascade.events)
        counts = {
            event.replace(" ", "_"): [number[i, event] for i in range(n_sets)]
            for event in ("kept", "passed on", "dropped")
        }
        counts["offered"] = [cascade.relevant, *counts["passed_on"][:-1]]
        return StreamResult(sets, cascade.tests, counts, list(_trace(cascade)))


def _trace(cascade: Cascade) -> Iterator[tuple[int, list[FeatureIndices]]]:
    """Yield the features of each set, without the core, after each tenth of the features."""
    disjoint: list[set[int]] = [set() for _ in cascade.disjoint]
    events = deque(cascade.events)
    for tenth in range(1, _TENTHS + 1):
        seen = cascade.seen * tenth // _TENTHS
        while events and events[0].seen <= seen:
            event = events.popleft()
            if event.event == "kept":
                disjoint[event.set_index].add(event.column)
            else:
                disjoint[event.set_index].discard(event.column)
        yield seen, [tuple(sorted(columns)) for columns in disjoint]
