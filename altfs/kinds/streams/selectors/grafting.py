"""Grafting: streaming features, added to a penalised linear model along its gradient."""

from __future__ import annotations

from collections.abc import Iterable
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
from altfs.selectors.base import selectors

_STEPS = 100
_ROUNDS = 10_000
_TOLERANCE = 1e-10


class GraftingOptions(ArrivalOptions):
    """penalty: the weight of the sum of the absolute weights."""

    penalty: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.05


@selectors.register("grafting")
class Grafting(StreamingSelector):
    """Grafting: a feature is added if the loss falls faster than the penalty grows.

    The model is linear on standardised columns, with a free intercept. The loss is the mean
    logistic loss, the multinomial one for more classes, and half the mean squared error for
    numbers. The quality of a set is 1 minus the loss of its model, as a share of the loss
    without features.

    Source: Perkins, Lacker, Theiler, *Grafting: Fast, Incremental Feature Selection by Gradient
    Descent in Function Space*, Journal of Machine Learning Research 3, 2003 (section 4).
    """

    Options = GraftingOptions

    def prepare(self, y: Values, target_type: str, seed: int) -> None:
        self.target_type, self.classes = target_type, np.unique(y)
        self.targets = self._targets(y)

    def _targets(self, y: Values) -> FloatArray:
        """Return a column of numbers or of two classes, or one for each of more classes."""
        if self.target_type == "regression":
            return np.array(y, dtype=np.float64)[:, None]
        indicators: FloatArray = (y[:, None] == self.classes).astype(np.float64)
        return indicators if self.target_type == "multiclass" else indicators[:, 1:]

    def relevant(self, X: Values, columns: range) -> Iterable[tuple[int, float, FloatArray]]:
        rows = floats(X, columns)
        rows = _scaled(rows, rows)
        centred = self.targets - self.targets.mean(axis=0)
        for j, values in enumerate(rows):
            column = values.copy()
            # Column by column: a product of all rounds otherwise if columns arrive one by one.
            yield j, float(np.abs(column @ centred).max()) / len(column), column

    def empty_set(self) -> GraftingSet:
        return GraftingSet(self.targets, self.target_type, self.options.penalty)

    def quality_of(self, columns: list[StreamColumn]) -> float:
        return self._fitted(self.targets, [column.values for column in columns])

    def objective(self, X: FloatArray, judged: FloatArray, y: Values) -> float:
        columns = range(X.shape[1])
        return self._fitted(
            self._targets(y), list(_scaled(floats(judged, columns), floats(X, columns)))
        )

    def _fitted(self, targets: FloatArray, rows: list[FloatArray]) -> float:
        model = GraftingSet(targets, self.target_type, self.options.penalty)
        alone = model.loss()
        model.columns = [StreamColumn(j, 0.0, values) for j, values in enumerate(rows)]
        model.optimise(new=len(rows))
        return 1 - model.loss() / alone if alone > 0 else 0.0


class GraftingSet(StreamSet):
    """One set of Grafting, and its model.

    Attributes
    ----------
    weights : ndarray of shape (n_features, n_outputs)
    intercepts : ndarray of shape (n_outputs,)
    """

    def __init__(self, targets: FloatArray, target_type: str, penalty: float) -> None:
        super().__init__()
        self.targets, self.target_type, self.penalty = targets, target_type, penalty
        self.weights: FloatArray = np.zeros((0, targets.shape[1]))
        self.intercepts: FloatArray = np.zeros(targets.shape[1])
        self.optimise()

    def offer(self, group: ColumnGroup) -> Decision:
        (new,) = group
        self.tests += 1
        slopes = new.values @ self.errors / len(new.values)
        if not (np.abs(slopes) > self.penalty).any():
            return Decision([], [group])
        self.columns.append(new)
        self.optimise(new=1)
        used = (self.weights != 0).any(axis=1)
        gone: list[ColumnGroup] = [(self.columns[i],) for i in np.flatnonzero(~used)]
        self.columns = [self.columns[i] for i in np.flatnonzero(used)]
        self.weights = self.weights[used]
        return Decision([new] if used[-1] else [], gone)

    def remove(self, place: int) -> None:
        super().remove(place)
        self.weights = np.delete(self.weights, place, axis=0)
        self.optimise()

    def optimise(self, new: int = 0) -> None:
        """Minimise the penalised loss over all weights and the intercepts.

        Each step minimises the penalised quadratic approximation, and is halved until the loss
        falls. The last `new` columns have no weights yet.
        """
        # Compiled code is slow to import.
        from altfs.kinds.streams.selectors._descent import minimum

        n_rows, outputs = self.targets.shape
        self.weights = np.vstack([self.weights, np.zeros((new, outputs))])
        columns = [np.ones(n_rows), *(column.values for column in self.columns)]
        design = np.column_stack(columns)
        penalties = np.repeat(np.r_[0.0, np.full(len(columns) - 1, self.penalty)], outputs)
        for _ in range(_STEPS):
            weights = np.vstack([self.intercepts, self.weights])
            self.errors = self._predicted(design @ weights) - self.targets
            gradient = (design.T @ self.errors / n_rows).ravel()
            H = self._curvature(design, design @ weights)
            start = weights.ravel()
            end = minimum(H, gradient, start, penalties, _ROUNDS)
            step = end - start
            # No step promises a smaller loss.
            promise = gradient @ step + penalties @ (np.abs(end) - np.abs(start))
            if promise > -(_TOLERANCE**2) or np.abs(step).max(initial=0.0) < _TOLERANCE:
                break
            before, length = self._penalised(design, start, penalties), 1.0
            while length > 1e-6:
                tried = end if length == 1 else start + length * step
                if self._penalised(design, tried, penalties) <= before + 1e-4 * length * promise:
                    break
                length /= 2
            else:
                break
            self.intercepts, self.weights = np.split(tried.reshape(weights.shape), [1])
            self.intercepts = self.intercepts[0]

    def _predicted(self, scores: FloatArray) -> FloatArray:
        if self.target_type == "regression":
            return scores
        if self.target_type == "binary":
            return np.asarray(1 / (1 + np.exp(-scores)))
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def _curvature(self, design: FloatArray, scores: FloatArray) -> FloatArray:
        """Return the second derivatives by all weights, those of one column together."""
        n_rows, outputs = self.targets.shape
        if self.target_type == "regression":
            return np.asarray(design.T @ design / n_rows)
        p = self._predicted(scores)
        if self.target_type == "binary":
            return np.asarray((design * (p * (1 - p))).T @ design / n_rows)
        # One product for all pairs of classes, as many small ones take far longer.
        shares = (design[:, :, None] * p[:, None, :]).reshape(n_rows, -1)
        H: FloatArray = -(shares.T @ shares)
        blocks = H.reshape(design.shape[1], outputs, -1, outputs)
        same = np.arange(outputs)
        blocks[:, same, :, same] += (
            (design.T @ shares).reshape(design.shape[1], -1, outputs).transpose(2, 0, 1)
        )
        return np.asarray(H / n_rows)

    def _penalised(self, design: FloatArray, weights: FloatArray, penalties: FloatArray) -> float:
        scores = design @ weights.reshape(design.shape[1], -1)
        return self._loss(scores) + float(penalties @ np.abs(weights))

    def _loss(self, scores: FloatArray) -> float:
        if self.target_type == "regression":
            return float(((scores - self.targets) ** 2).mean() / 2)
        if self.target_type == "binary":
            return float((np.logaddexp(0, scores) - self.targets * scores).mean())
        top = scores.max(axis=1)
        total = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        return float((total - (self.targets * scores).sum(axis=1)).mean())

    def loss(self) -> float:
        """Return the mean loss of the model, without the penalty."""
        rows = [column.values for column in self.columns]
        scores = np.array(rows).T @ self.weights if rows else 0.0
        return self._loss(scores + np.broadcast_to(self.intercepts, self.targets.shape))


def _scaled(rows: FloatArray, reference: FloatArray) -> FloatArray:
    """Standardise rows by the means and standard deviations of a reference."""
    first = reference[:, :1].copy()
    centred = reference - first
    mean, deviation = centred.mean(axis=1, keepdims=True), centred.std(axis=1, keepdims=True)
    return np.asarray((rows - first - mean) / np.where(deviation > 0, deviation, np.inf))
