"""Alpha-investing: a linear model, and wealth that is spent on tests and earned by features.

Source: Zhou, Foster, Stine, Ungar, *Streamwise Feature Selection*, Journal of Machine Learning
Research 7, 2006 (Figure 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
)
from altfs.kinds.streams.measures.codes import codes

# A column is in the span of the model if less of its square is left.
_NOTHING = 1e-10


class AlphaInvesting(Method):
    """Alpha-investing. Every column is offered to the set.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
    target_type : {"binary", "multiclass", "regression"}
    wealth : float, default=0.5
        The wealth at the start.
    payout : float, default=0.5
        What an accepted feature earns.
    intercept_counts : bool, default=False
        True if the intercept is the first feature that was offered.
    """

    def __init__(
        self,
        y: npt.NDArray[Any],
        target_type: str,
        wealth: float = 0.5,
        payout: float = 0.5,
        intercept_counts: bool = False,
    ) -> None:
        self.target_type = target_type
        self.targets = self._targets(y)
        self.wealth, self.payout, self.intercept_counts = wealth, payout, intercept_counts

    def _targets(self, y: npt.NDArray[Any]) -> FloatArray:
        """Return a centred row for a number or two classes, or for each of more classes."""
        if self.target_type == "multiclass":
            rows = np.eye(codes(y).levels)[codes(y).values].T
        else:
            numbers = y if self.target_type == "regression" else codes(y).values
            rows = np.array(numbers, dtype=np.float64)[None, :]
        found: FloatArray = rows - rows.mean(axis=1, keepdims=True)
        return found

    def arrivals(
        self, X: Values, columns: range, numbers: Values, names: Sequence[str]
    ) -> Iterator[tuple[int, Group]]:
        rows = floats(X, columns)
        # Differences from the first value make constant rows exactly 0.
        rows -= rows[:, :1]
        rows -= rows.mean(axis=1, keepdims=True)
        for j, values in enumerate(rows):
            square = float(values @ values)
            explained = float(((self.targets @ values) ** 2).sum())
            fit = explained / square if square > 0 else 0.0
            yield j + 1, (Column(int(numbers[j]), fit, values.copy()),)

    def state(self) -> AlphaState:
        return AlphaState(self.targets, self.wealth, self.payout, int(self.intercept_counts))

    def quality(self, columns: list[Column]) -> float:
        state = AlphaState(self.targets, 0.0, 0.0, 0)
        for column in columns:
            state.append(column)
        return 1 - state.error / state.total if state.total > 0 else 0.0

    def objective(self, X: FloatArray, other: Other | None = None) -> float:
        """Return the share of the sum of squares that the linear model explains."""
        if other is not None:
            return AlphaInvesting(other[1], self.target_type).objective(other[0])
        places = range(X.shape[1])
        return self.quality([c for _, (c,) in self.arrivals(X, places, np.arange(len(places)), ())])


class AlphaState(State):
    """One set of alpha-investing: its wealth, and its model as an orthonormal basis."""

    def __init__(self, targets: FloatArray, wealth: float, payout: float, offered: int) -> None:
        super().__init__()
        self.targets, self.wealth, self.payout, self.offered = targets, wealth, payout, offered
        self._start_model()

    def _start_model(self) -> None:
        self.basis: FloatArray = np.empty((0, self.targets.shape[1]))
        self.residuals = self.targets.copy()
        self.error = self.total = float((self.targets**2).sum())

    def offer(self, group: Group) -> Decision:
        (new,) = group
        self.tests += 1
        self.offered += 1
        spent = self.wealth / (2 * self.offered)
        direction = self._direction(new.values)
        n_rows = len(new.values)
        probability = 1.0
        if direction is not None and self.error > _NOTHING * self.total:
            gain = float(((self.residuals @ direction) ** 2).sum())
            probability = np.exp(-gain * n_rows / (2 * self.error))
        if probability >= spent:
            self.wealth -= spent
            return Decision([], [group])
        self.wealth += self.payout - spent
        self.append(new)
        return Decision([new], [])

    def append(self, new: Column) -> None:
        """Add a column to the set and to the model."""
        self.columns.append(new)
        direction = self._direction(new.values)
        if direction is not None:
            self.basis = np.vstack([self.basis, direction])
            self.residuals = self.residuals - np.outer(self.residuals @ direction, direction)
            self.error = float((self.residuals**2).sum())

    def _direction(self, values: FloatArray) -> FloatArray | None:
        """Return what a column adds to the model as a unit vector; None for nothing."""
        left = values
        # The second time removes the rounding errors of the first.
        for _ in range(2):
            left = left - (self.basis @ left) @ self.basis
        square = float(left @ left)
        if square <= _NOTHING * float(values @ values):
            return None
        return np.asarray(left / np.sqrt(square))

    def leave(self, column: Column) -> None:
        super().leave(column)
        columns, self.columns = self.columns, []
        self._start_model()
        for one in columns:
            self.append(one)
