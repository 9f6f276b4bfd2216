"""OFS-A3M: streaming features, judged by the neighbours of each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import (
    ColumnGroup,
    Decision,
    StreamColumn,
    StreamSet,
    Values,
    floats,
    rounded,
)
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.scores.independence import TargetCodes
from altfs.selectors.base import selectors


class NeighbourOptions(ArrivalOptions):
    """order: in which members are tested. max_rows: the largest number of rows that are used."""

    order: Literal["weakest", "random"] = "weakest"
    max_rows: Annotated[int, Field(ge=10)] = 1000


@selectors.register("ofs_a3m")
class OfsA3m(StreamingSelector):
    """OFS-A3M: a feature joins if more of the neighbours of rows are then of their class.

    The neighbours of a row are the nearest rows up to the first wide gap. The quality of a set
    is the mean share of neighbours that are of the row's class. Numbers have five classes. Of
    more than `max_rows` rows, so many are drawn, of each class in proportion.

    Source: Zhou, Hu, Li, Wu, *Online Streaming Feature Selection Using Adapted Neighborhood
    Rough Set*, Information Sciences 481, 2019 (Algorithm 2).
    """

    Options = NeighbourOptions
    # Neighbours follow each other while they lie densely, not while gaps are small.
    by_density = False

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        self.target, self.seed = TargetCodes(y, target_type), seed
        self.rows, self.classes = self._sample(self.target.codes.values)

    def _sample(self, classes: npt.NDArray[np.int64]) -> tuple[Any, npt.NDArray[np.int64]]:
        """Return the rows that are used, and their classes."""
        n_rows, most = len(classes), self.options.max_rows
        if n_rows <= most:
            return slice(None), classes
        drawn = np.random.RandomState(self.seed).permutation(n_rows)
        share = np.empty(n_rows)
        for label in np.unique(classes):
            rows = drawn[classes[drawn] == label]
            share[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
        rows = np.sort(drawn[np.argsort(share[drawn], kind="stable")[:most]])
        return rows, classes[rows]

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, FloatArray]]:
        for j, values in enumerate(_scaled(floats(X, columns)[:, self.rows])):
            self.tests += 1
            if values.any():
                alone = self.dependency(_distances([values]), self.classes)
                yield j, alone, values.copy()

    def dependency(self, squares: FloatArray | None, classes: npt.NDArray[np.int64]) -> float:
        """Return the dependency on the target, given squared distances; 0 without a column."""
        # Compiled code is slow to import.
        from altfs.kinds.streams.selectors._neighbourhood import dependency

        if squares is None:
            return 0.0
        return float(rounded(dependency(squares, classes, self.by_density)))

    def empty_set(self) -> NeighbourSet:
        return NeighbourSet(self)

    def quality_of(self, columns: list[StreamColumn]) -> float:
        return self.dependency(_distances([column.values for column in columns]), self.classes)

    def objective(self, X: FloatArray, judged: FloatArray, y: Values) -> float:
        rows, classes = self._sample(self.target.of(y).values)
        values = _scaled(floats(judged, range(judged.shape[1]))[:, rows])
        return self.dependency(_distances(list(values)), classes)


class NeighbourSet(StreamSet):
    """One set, and the distances of the rows over its columns."""

    def __init__(self, selector: OfsA3m) -> None:
        super().__init__()
        self.selector = selector
        self.squares: FloatArray | None = None
        self.dependency = 0.0
        self.chance = np.random.RandomState(selector.seed)

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        if not self.is_relevant(new):
            return Decision([], [group])
        before = self.dependency
        squares = _distances([new.values], self.squares)
        after = self._tested(squares)
        if after <= before and not self.is_as_good(after):
            return Decision([], [group])
        self.columns, self.squares, self.dependency = [*self.columns, new], squares, after
        gone = [] if after > before else self.drop_needless(before)
        return Decision([new], [(column,) for column in gone])

    def is_relevant(self, new: StreamColumn) -> bool:
        """Tell whether a column alone is good enough for the set."""
        return new.dependence > self.dependency / max(len(self.columns), 1)

    def is_as_good(self, dependency: float) -> bool:
        """Tell whether the set with a column is as good as the set without it."""
        return dependency == self.dependency

    def is_needless(self, dependency: float) -> bool:
        """Tell whether the set is as good without a member, by its dependency without it."""
        return dependency == self.dependency

    def drop_needless(self, before: float) -> list[StreamColumn]:
        """Remove members that are older than the last one and not needed, and return them.

        Parameters
        ----------
        before : float
            The dependency of the set without the last member.
        """
        old = self.columns[:-1]
        if self.selector.options.order == "random":
            tried = [old[i] for i in self.chance.permutation(len(old))]
        else:
            tried = sorted(old, key=lambda c: (c.dependence, c.number))
        gone = []
        for column in tried:
            without = self._without(self.columns.index(column))
            if self.is_needless(without[2]):
                self.columns, self.squares, self.dependency = without
                gone.append(column)
        return gone

    def remove(self, place: int) -> None:
        self.columns, self.squares, self.dependency = self._without(place)

    def _without(self, place: int) -> tuple[list[StreamColumn], FloatArray | None, float]:
        """Return the columns, their distances and their dependency without one of them."""
        left = [*self.columns[:place], *self.columns[place + 1 :]]
        squares = _distances([column.values for column in left])
        return left, squares, self._tested(squares)

    def _tested(self, squares: FloatArray | None) -> float:
        self.tests += 1
        return self.selector.dependency(squares, self.selector.classes)


def _scaled(rows: FloatArray) -> FloatArray:
    """Divide rows by their standard deviations; constant ones become 0."""
    rows = rows - rows[:, :1]
    deviation = rows.std(axis=1, keepdims=True)
    return rows / np.where(deviation > 0, deviation, np.inf)


def _distances(columns: list[FloatArray], start: FloatArray | None = None) -> FloatArray | None:
    """Return the squared distances of all pairs of rows; None if all columns are constant."""
    squares = start
    for values in columns:
        if values.any():
            added: FloatArray = (values[:, None] - values) ** 2
            squares = added if squares is None else squares + added
    return squares
