"""Methods that judge a set by the neighbours of each row: how many are of its class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import (
    Column,
    Decision,
    Group,
    Method,
    Other,
    State,
    Values,
    floats,
    rounded,
)
from altfs.kinds.streams.measures.codes import TargetCodes

Order = Literal["weakest", "random"]


class RoughSets(Method):
    """The base class of methods that need no thresholds but those of neighbours.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
        A numeric target has five levels.
    order : {"weakest", "random"}, default="weakest"
        The order in which former members are tested: the one with the smallest dependency
        first, or at random.
    max_rows : int, default=1000
        Of more rows, so many are drawn, of each class in proportion.
    seed : int, default=0
    """

    by_density = False

    def __init__(
        self,
        y: npt.NDArray[Any],
        target_type: str,
        order: Order = "weakest",
        max_rows: int = 1000,
        seed: int = 0,
    ) -> None:
        self.target = TargetCodes(y, target_type)
        self.order, self.max_rows, self.seed = order, max_rows, seed
        self.rows, self.classes = self._sample(self.target.own.values)

    def _sample(self, classes: npt.NDArray[np.int64]) -> tuple[Any, npt.NDArray[np.int64]]:
        """Return the rows that are used, and their classes."""
        n_rows = len(classes)
        if n_rows <= self.max_rows:
            return slice(None), classes
        drawn = np.random.RandomState(self.seed).permutation(n_rows)
        share = np.empty(n_rows)
        for one in np.unique(classes):
            own = drawn[classes[drawn] == one]
            share[own] = (np.arange(len(own)) + 0.5) / len(own)
        rows = np.sort(drawn[np.argsort(share[drawn], kind="stable")[: self.max_rows]])
        return rows, classes[rows]

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        for j, values in enumerate(_scaled(floats(X, columns)[:, self.rows])):
            self.tests += 1
            if values.any():
                own = self.dependency(_distances([values]), self.classes)
                yield j + 1, (Column(int(numbers[j]), own, values.copy()),)

    def dependency(self, squares: FloatArray | None, classes: npt.NDArray[np.int64]) -> float:
        """Return the dependency on the target, given squared distances; 0 without a column."""
        from altfs.kinds.streams.methods._neighbourhood import dependency

        if squares is None:
            return 0.0
        return float(rounded(np.array(dependency(squares, classes, self.by_density))))

    def quality(self, columns: list[Column]) -> float:
        return self.dependency(_distances([column.values for column in columns]), self.classes)

    def objective(self, X: FloatArray, other: Other | None = None) -> float:
        """Return the dependency on the target, by the distances over all columns."""
        judged, rows, classes = X, self.rows, self.classes
        if other is not None:
            judged = other[0]
            rows, classes = self._sample(self.target.of(other[1]).values)
        values = _scaled(floats(judged, range(judged.shape[1]))[:, rows])
        return self.dependency(_distances(list(values)), classes)


class RoughState(State):
    """One set of such a method, and the distances of the rows over its columns."""

    def __init__(self, method: RoughSets) -> None:
        super().__init__()
        self.method = method
        self.squares: FloatArray | None = None
        self.dependency = 0.0
        self.chance = np.random.RandomState(method.seed)

    def offer(self, group: Group) -> Decision:
        (new,) = group
        if not self.is_relevant(new):
            return Decision([], [group])
        before = self.dependency
        squares = _distances([new.values], self.squares)
        after = self._tested(squares)
        if after > before:
            self._take([*self.columns, new], squares, after)
            return Decision([new], [])
        if not self.is_as_good(after):
            return Decision([], [group])
        self._take([*self.columns, new], squares, after)
        return Decision([new], [(one,) for one in self.drop_needless(before)])

    @abstractmethod
    def is_relevant(self, new: Column) -> bool:
        """Tell whether a column alone is good enough for the set."""

    @abstractmethod
    def is_as_good(self, dependency: float) -> bool:
        """Tell whether the set with a column is as good as the set without it."""

    def is_needless(self, dependency: float) -> bool:
        """Tell whether the set is as good without a member, by its dependency without it."""
        return dependency == self.dependency

    def drop_needless(self, before: float) -> list[Column]:
        """Remove members that are older than the last one and not needed, and return them.

        Parameters
        ----------
        before : float
            The dependency of the set without the last member.
        """
        old = self.columns[:-1]
        if self.method.order == "random":
            tried = [old[i] for i in self.chance.permutation(len(old))]
        else:
            tried = sorted(old, key=lambda c: (c.dependence, c.number))
        gone = []
        for one in tried:
            left = [c for c in self.columns if c.number != one.number]
            squares = _distances([c.values for c in left])
            after = self._tested(squares)
            if self.is_needless(after):
                self._take(left, squares, after)
                gone.append(one)
        return gone

    def leave(self, column: Column) -> None:
        left = [c for c in self.columns if c.number != column.number]
        squares = _distances([c.values for c in left])
        self._take(left, squares, self._tested(squares))

    def _tested(self, squares: FloatArray | None) -> float:
        self.tests += 1
        return self.method.dependency(squares, self.method.classes)

    def _take(self, columns: list[Column], squares: FloatArray | None, dependency: float) -> None:
        self.columns, self.squares, self.dependency = columns, squares, dependency


def _scaled(rows: FloatArray) -> FloatArray:
    """Divide rows by their standard deviations; constant ones become 0."""
    rows = rows - rows[:, :1]
    deviation = rows.std(axis=1, keepdims=True)
    return rows / np.where(deviation > 0, deviation, np.inf)


def _distances(columns: list[FloatArray], start: FloatArray | None = None) -> FloatArray | None:
    """Return the squared distances of all pairs of rows; None if all columns are constant."""
    from altfs.kinds.streams.methods._neighbourhood import add_distances

    squares = None if start is None else start.copy()
    for values in columns:
        if values.any():
            if squares is None:
                squares = np.zeros((len(values), len(values)))
            add_distances(squares, values)
    return squares
