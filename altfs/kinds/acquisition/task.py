"""Features that can be measured of a row, with their costs, and the state of a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from altfs._numbers import BoolArray, FloatArray, IntArray, quantiles

# Sums of decimal costs may exceed a budget by rounding.
_ROUNDING = 1e-9


class Action(NamedTuple):
    """A measurement: one feature, or a panel of several, at one cost."""

    name: str
    features: tuple[int, ...]
    cost: float


@dataclass(frozen=True, eq=False)
class State:
    """Values of a row that are known (NaN: unknown), and the features in their order."""

    x: FloatArray
    order: tuple[int, ...] = ()

    def told(self, features: Iterable[int], values: Iterable[float]) -> State:
        """Return the state with further values."""
        x, features = self.x.copy(), tuple(features)
        x[list(features)] = list(values)
        return State(x, (*self.order, *(j for j in features if j not in self.order)))

    @property
    def known(self) -> BoolArray:
        """The features with a value."""
        return ~np.isnan(self.x)


@dataclass(frozen=True, eq=False)
class Acquisition:
    """Rows to learn from, what can be measured, and what a measurement has to save.

    `loss[y, a]` is what the answer a costs if y is true. `given` are the features that are known
    from the start. `price` is what a unit of cost has to save, and `budget` the most that a row
    may cost.
    """

    X: FloatArray
    y: IntArray
    loss: FloatArray
    actions: tuple[Action, ...]
    given: tuple[int, ...]
    categorical: BoolArray
    price: float = 0.0
    budget: float = float("inf")
    seed: int = 0

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.loss)

    @property
    def usual(self) -> bool:
        """True if every wrong answer costs 1."""
        return np.array_equal(self.loss, 1 - np.eye(self.n_classes))

    @cached_property
    def costs(self) -> FloatArray:
        """The costs of the actions."""
        return np.array([action.cost for action in self.actions])

    @cached_property
    def start(self) -> State:
        """The state of a row of which nothing is known."""
        return State(np.full(self.X.shape[1], np.nan))

    def done(self, state: State) -> BoolArray:
        """Return the actions whose values are known."""
        known = state.known
        return np.array([known[list(a.features)].all() for a in self.actions], dtype=bool)

    def left(self, state: State) -> float:
        """Return what a row may still cost."""
        return max(0.0, self.budget - float(self.costs[self.done(state)].sum())) + _ROUNDING

    def free(self, state: State) -> list[int]:
        """Return the actions that are possible."""
        possible = ~self.done(state) & (self.costs <= self.left(state))
        return np.flatnonzero(possible).tolist()

    def most_affordable(self) -> int:
        """Return the largest number of measurements that the budget allows."""
        return int((np.cumsum(np.sort(self.costs)) <= self.budget + _ROUNDING).sum())

    def features(self, actions: Iterable[int]) -> list[int]:
        """Return the features of actions."""
        return [j for a in actions for j in self.actions[a].features]

    def answer(self, p: FloatArray) -> tuple[int, float]:
        """Return the best answer by the probabilities of classes, and its expected loss."""
        risks = p @ self.loss
        best = int(risks.argmin())
        return best, float(risks[best])

    def only(self, rows: Any) -> Self:
        """Return the task of some rows."""
        return replace(self, X=self.X[rows], y=self.y[rows])


class Coding:
    """Values of features as codes: own values if they are few whole ones, else bins.

    Attributes
    ----------
    codes : ndarray of int of shape (n_rows, n_features)
    sizes : list of int
        The number of codes of each feature.
    """

    def __init__(self, X: FloatArray, categorical: BoolArray, bins: int) -> None:
        self._cuts: list[FloatArray] = []
        self.own: list[bool] = []
        for column, is_category in zip(X.T, categorical, strict=True):
            values = np.unique(column)
            own = is_category or (len(values) <= bins and np.array_equal(values, values.round()))
            self.own.append(bool(own))
            self._cuts.append(values[:-1] if own else quantiles(column, bins))
        self.sizes = [len(cuts) + 1 for cuts in self._cuts]
        self._last = X.max(axis=0)
        self.codes: IntArray = np.column_stack([self.of(j, X[:, j]) for j in range(X.shape[1])])

    def of(self, feature: int, values: Any) -> Any:
        """Return the codes of values; one that equals a cut is below it."""
        return np.searchsorted(self._cuts[feature], values, side="left")

    def words(self, feature: int, code: int, texts: Sequence[str] = ()) -> str:
        """Return the values of a code in words, such as "= 1" or "<= 2.5"."""
        cuts = self._cuts[feature]
        if self.own[feature]:
            value = cuts[code] if code < len(cuts) else self._last[feature]
            return f"= {texts[int(value)] if texts else format(value, 'g')}"
        low = f"> {cuts[code - 1]:.4g}" if code else ""
        high = f"<= {cuts[code]:.4g}" if code < len(cuts) else ""
        return " and ".join(filter(None, (low, high))) or "any"


def scaled(X: FloatArray, categorical: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return the means and deviations of columns; categories and constants stay as they are."""
    spread = X.std(axis=0)
    spread[(spread == 0) | categorical] = 1.0
    return np.where(categorical, 0.0, X.mean(axis=0)), spread


class Neighbours:
    """The rows that are nearest to one, by what is known of it."""

    def __init__(self, X: FloatArray, categorical: BoolArray) -> None:
        self._mean, self._spread = scaled(X, categorical)
        self.rows = (X - self._mean) / self._spread
        self._categorical = categorical

    def nearest(self, x: FloatArray, k: int) -> IntArray:
        """Return the k nearest rows, and those at the same distance; all if nothing is known."""
        known = np.flatnonzero(~np.isnan(x))
        if not len(known) or k >= len(self.rows):
            return np.arange(len(self.rows))
        differences = self.rows[:, known] - ((x - self._mean) / self._spread)[known]
        of_category = self._categorical[known]
        differences[:, of_category] = differences[:, of_category] != 0
        distances = (differences**2).sum(axis=1)
        furthest = np.partition(distances, k - 1)[k - 1]
        return np.flatnonzero(distances <= furthest * (1 + _ROUNDING))
