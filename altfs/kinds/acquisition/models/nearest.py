"""The classes of the nearest rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from altfs._compiled import compiled
from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.kinds.acquisition.base import Options, SubsetModel, subset_models


class NearestOptions(Options):
    """Options of the model ``nearest``. rows: how many rows vote."""

    rows: int = Field(default=15, ge=1)


@subset_models.register("nearest")
class Nearest(SubsetModel):
    """Shares of the classes among the nearest rows over the known features.

    Features are standardised, and categories differ or not. Rows at the same distance vote, too.
    A vote of one row is shared by all classes (Laplace).
    """

    Options = NearestOptions

    def proba(self, X: FloatArray) -> FloatArray:
        task, shares = self.task, np.empty((len(X), self.task.n_classes))
        for i, x in enumerate(X):
            near = self.neighbours.nearest(x, self.options.rows)
            shares[i] = np.bincount(task.y[near], minlength=task.n_classes)
        return _with_laplace(shares)

    def losses(self, masks: BoolArray) -> Any:
        task = self.task
        counts = _counts(
            self.neighbours.rows, task.categorical, task.y, task.n_classes,
            masks, self.options.rows,
        )  # fmt: skip
        true = counts[:, np.arange(len(task.y)), task.y]
        n_classes = task.n_classes
        return np.asarray(-np.log((true + 1 / n_classes) / (counts.sum(axis=2) + 1)).T)


def _with_laplace(counts: FloatArray) -> FloatArray:
    return np.asarray((counts + 1 / counts.shape[1]) / (counts.sum(axis=1, keepdims=True) + 1))


@compiled()
def _counts(
    rows: FloatArray, categorical: BoolArray, y: IntArray, n_classes: int, masks: BoolArray, k: int
) -> FloatArray:
    """Return the votes of the rows that are nearest to each one, without its own."""
    n, n_features = rows.shape
    votes = np.zeros((len(masks), n, n_classes))
    distances = np.empty(n)
    for s in range(len(masks)):
        for i in range(n):
            for r in range(n):
                distance = 0.0
                for j in range(n_features):
                    if masks[s, j]:
                        difference = rows[r, j] - rows[i, j]
                        if categorical[j] and difference != 0:
                            difference = 1.0
                        distance += difference * difference
                distances[r] = distance
            distances[i] = np.inf
            furthest = np.inf
            if k < n - 1:
                furthest = np.partition(distances, k - 1)[k - 1] * (1 + 1e-9)
            for r in range(n):
                if r != i and distances[r] <= furthest:
                    votes[s, i, y[r]] += 1
    return votes
