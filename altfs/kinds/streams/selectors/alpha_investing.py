"""Alpha-investing: streaming features, tested at a level that depends on the success so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.kinds.streams.base import (
    ColumnGroup,
    Decision,
    StreamColumn,
    StreamSet,
    Values,
    floats,
)
from altfs.kinds.streams.streaming_selector import ArrivalOptions, StreamingSelector
from altfs.scores.independence import codes
from altfs.selectors.base import selectors

# A column is in the span of the model if less of its square is left.
_NOTHING = 1e-10


class AlphaInvestingOptions(ArrivalOptions):
    """wealth: at the start. payout: of a feature. intercept_counts: if it is the first feature."""

    wealth: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.5
    payout: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.5
    intercept_counts: bool = False


@selectors.register("alpha_investing")
class AlphaInvesting(StreamingSelector):
    """Alpha-investing: a feature is accepted if it improves a linear model significantly.

    The quality of a set is the share of the sum of squares that the linear model explains.

    Source: Zhou, Foster, Stine, Ungar, *Streamwise Feature Selection*, Journal of Machine
    Learning Research 7, 2006 (Figure 1).
    """

    Options = AlphaInvestingOptions

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        self.target_type = target_type
        # A centred row for a number or two classes, or for each of more classes.
        if target_type == "multiclass":
            rows = np.eye(codes(y).levels)[codes(y).values].T
        else:
            numbers = y if target_type == "regression" else codes(y).values
            rows = np.array(numbers, dtype=np.float64)[None, :]
        self.targets: FloatArray = rows - rows.mean(axis=1, keepdims=True)

    def relevant(self, X: Values, columns: range) -> Iterator[tuple[int, float, FloatArray]]:
        rows = floats(X, columns)
        # Differences from the first value make constant rows exactly 0.
        rows -= rows[:, :1]
        rows -= rows.mean(axis=1, keepdims=True)
        for j, values in enumerate(rows):
            square = float(values @ values)
            explained = float(((self.targets @ values) ** 2).sum())
            yield j, explained / square if square > 0 else 0.0, values.copy()

    def empty_set(self) -> AlphaSet:
        wealth, payout = self.options.wealth, self.options.payout
        return AlphaSet(self.targets, wealth, payout, int(self.options.intercept_counts))

    def quality_of(self, columns: list[StreamColumn]) -> float:
        model = self.empty_set()
        for column in columns:
            model.append(column)
        return 1 - model.error / model.total if model.total > 0 else 0.0

    def objective(self, X: FloatArray, judged: FloatArray, y: Values) -> float:
        reader = self.begin(y, self.target_type)
        columns = reader.relevant(judged, range(judged.shape[1]))
        return reader.quality_of([StreamColumn(*column) for column in columns])


class AlphaSet(StreamSet):
    """One set of alpha-investing: its wealth, and its model as an orthonormal basis."""

    def __init__(self, targets: FloatArray, wealth: float, payout: float, offered: int) -> None:
        super().__init__()
        self.targets, self.wealth, self.payout, self.offered = targets, wealth, payout, offered
        self._start_model()

    def _start_model(self) -> None:
        self.basis: FloatArray = np.empty((0, self.targets.shape[1]))
        self.residuals = self.targets.copy()
        self.error = self.total = float((self.targets**2).sum())

    def offer(self, group: ColumnGroup) -> Decision:
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

    def append(self, new: StreamColumn) -> None:
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

    def remove(self, place: int) -> None:
        columns = [*self.columns[:place], *self.columns[place + 1 :]]
        self.columns = []
        self._start_model()
        for column in columns:
            self.append(column)
