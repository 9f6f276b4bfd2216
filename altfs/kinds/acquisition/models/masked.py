"""One boosted model for all sets of known features."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np
from pydantic import Field
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import KFold

from altfs._numbers import BoolArray, FloatArray
from altfs.kinds.acquisition.base import Options, SubsetModel, subset_models
from altfs.kinds.acquisition.task import Acquisition
from altfs.progress import tell

# Rows of a fold that are judged together.
_BATCH = 200_000


class MaskedOptions(Options):
    """Options of the model ``masked``. copies: of each row; folds: for losses of unseen rows."""

    copies: int = Field(default=20, ge=1)
    folds: int = Field(default=5, ge=2)


@subset_models.register("masked")
class Masked(SubsetModel):
    """Boosted trees that learn on copies of rows in which random features are unknown.

    The number of known features of a copy is uniform from none to all.
    """

    Options = MaskedOptions

    def fit(self, task: Acquisition) -> Self:
        super().fit(task)
        self._model = self._learn(task)
        return self

    def proba(self, X: FloatArray) -> FloatArray:
        return _proba(self._model, X, self.task.n_classes)

    def losses(self, masks: BoolArray) -> Any:
        task = self.task
        losses = np.empty((len(task.y), len(masks)), dtype=np.float32)
        for number, (test, model) in enumerate(self._folds):
            tell("folds judged", number + 1, len(self._folds))
            step = max(1, _BATCH // len(test))
            for first in range(0, len(masks), step):
                part = masks[first : first + step]
                X = np.where(part[:, None], task.X[test], np.nan)
                p = _proba(model, X.reshape(-1, X.shape[2]), task.n_classes)
                true = p.reshape(len(part), len(test), -1)[:, np.arange(len(test)), task.y[test]]
                losses[test, first : first + step] = -np.log(np.maximum(true, 1e-6)).T
        return losses

    @cached_property
    def _folds(self) -> list[tuple[Any, Any]]:
        """The rows of each fold, and the model that has not seen them."""
        folds = KFold(min(self.options.folds, len(self.task.y)), shuffle=True,
                      random_state=self.task.seed)  # fmt: skip
        return [
            (test, self._learn(self.task.only(train))) for train, test in folds.split(self.task.X)
        ]

    def _learn(self, task: Acquisition) -> Any:
        random = np.random.RandomState(task.seed)
        X, y = (np.repeat(part, self.options.copies, axis=0) for part in (task.X, task.y))
        n = X.shape[1]
        sizes = random.randint(0, n + 1, len(X))
        ranks = random.random_sample(X.shape).argsort(axis=1).argsort(axis=1)
        X = np.where(ranks < sizes[:, None], X, np.nan)
        model = HistGradientBoostingClassifier(early_stopping=False, random_state=task.seed)
        return model.fit(X, y)


def _proba(model: Any, X: FloatArray, n_classes: int) -> FloatArray:
    """Return the probabilities of all classes, also of those that the model has not seen."""
    p = np.zeros((len(X), n_classes))
    p[:, model.classes_] = model.predict_proba(X)
    return p
