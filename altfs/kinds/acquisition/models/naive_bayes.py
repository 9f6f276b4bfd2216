"""Naive Bayes on codes of values."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Self

import numpy as np
from scipy.special import logsumexp, softmax

from altfs._numbers import BoolArray, FloatArray
from altfs.errors import AltfsError
from altfs.kinds.acquisition.base import SubsetModel, subset_models
from altfs.kinds.acquisition.task import Acquisition, Coding

#: The codes of a feature: own values, or bins of equally many rows.
BINS = 5
# The largest number of joint values of a panel.
_MOST_VALUES = 5_000
# Sets whose losses are computed together.
_BATCH = 500


@subset_models.register("naive_bayes")
class NaiveBayesOfSubsets(SubsetModel):
    """Codes of features, independent in each class, with Laplace's correction.

    A feature with at most five different whole values, or a category, has these as codes;
    others have five bins of equally many rows. The losses of a row leave out its own counts.
    """

    most_sets = 10_000

    def fit(self, task: Acquisition) -> Self:
        super().fit(task)
        self.coding = Coding(task.X, task.categorical, BINS)
        n, in_class = len(task.y), np.bincount(task.y, minlength=task.n_classes)
        self.prior = np.log((in_class + 1) / (n + task.n_classes))
        own = np.eye(task.n_classes)[task.y]
        self._own_prior = np.log((in_class - own + 1) / (n - 1 + task.n_classes))
        #: The logarithm of the probability of each code in each class.
        self.tables, self._own = [], []
        for codes, size in zip(self.coding.codes.T, self.coding.sizes, strict=True):
            counts = np.zeros((size, task.n_classes))
            np.add.at(counts, (codes, task.y), 1)
            self.tables.append(np.log((counts + 1) / (in_class + size)))
            self._own.append(np.log((counts[codes] - own + 1) / (in_class - own + size)))
        for action in task.actions:
            values = prod(self.coding.sizes[j] for j in action.features)
            if values > _MOST_VALUES:
                reason = f"'{action.name}' has {values:,} joint values, more than {_MOST_VALUES:,}"
                raise AltfsError("panels", reason, "use smaller panels or the model 'nearest'")
        return self

    def proba(self, X: FloatArray) -> FloatArray:
        joint = np.tile(self.prior, (len(X), 1))
        for j in np.flatnonzero(~np.isnan(X).all(axis=0)).tolist():
            there = ~np.isnan(X[:, j])
            joint[there] += self.tables[j][self.coding.of(j, X[there, j])]
        return np.asarray(softmax(joint, axis=1))

    def losses(self, masks: BoolArray) -> Any:
        n, n_classes = len(self.task.y), self.task.n_classes
        table = np.stack(self._own).reshape(len(self._own), -1)
        losses = np.empty((n, len(masks)), dtype=np.float32)
        for first in range(0, len(masks), _BATCH):
            part = slice(first, first + _BATCH)
            joint = (masks[part].astype(np.float64) @ table).reshape(-1, n, n_classes)
            joint += self._own_prior
            true = joint[:, np.arange(n), self.task.y]
            losses[:, part] = (logsumexp(joint, axis=2) - true).T
        return losses

    def outcomes(self, x: FloatArray, features: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        features = [j for j in features if np.isnan(x[j])]
        return bayes(self.proba(x[None])[0], self.table(features))

    def table(self, features: Sequence[int]) -> FloatArray:
        """Return the probability of each joint value of features in each class."""
        joint = np.zeros((1, self.task.n_classes))
        for j in features:
            joint = (joint[:, None] + self.tables[j]).reshape(-1, self.task.n_classes)
        return np.exp(joint)


def bayes(p: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how likely values are, and the probabilities of classes after each of them.

    >>> bayes(np.array([0.5, 0.5]), np.array([[1.0, 0.5], [0.0, 0.5]]))[0].tolist()
    [0.75, 0.25]
    """
    joint = table * p
    likely = joint.sum(axis=1)
    return likely, joint / np.where(likely > 0, likely, 1.0)[:, None]
