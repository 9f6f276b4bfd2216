"""Greedy Wrapper: the performance of a decision tree on held-out rows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field

from altfs.prediction.decision_tree import DecisionTree
from altfs.prediction.metrics import prediction_score
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox
from altfs.selectors.base import Qualities, Selector, SelectorOptions, selectors
from altfs.selectors.part import Part

_VALIDATION_SHARE = 0.2


class GreedyWrapperOptions(SelectorOptions):
    """max_iterations: how many candidate sets a search may ask for."""

    max_iterations: Annotated[int, Field(ge=1)] = 1000


@selectors.register("greedy_wrapper")
class GreedyWrapper(Selector):
    """Wrapper (Algorithm 1 of the paper): score of a tree on 20 % of the rows.

    Each part is split 80:20, by class where there are classes. A test part too
    small for that has no test quality.
    """

    Options = GreedyWrapperOptions
    needs_rows = True

    def fit(self, train: Part, test: Part) -> Qualities:
        quality = self._quality(train)
        try:
            return Qualities(quality, self._quality(test))
        except ValueError as error:
            return Qualities(quality, None, f"No inner split of the test part: {error}")

    def _quality(self, part: Part) -> BlackBox:
        return BlackBox(_HoldOut(part), part.X.shape[1], 1.0, self.options.max_iterations)


class _HoldOut:
    """Trains a decision tree on 80 % of a part's rows and scores it on the others."""

    def __init__(self, part: Part) -> None:
        from sklearn.model_selection import train_test_split

        classes = part.target_type != "regression"
        fitting, validation = train_test_split(
            np.arange(len(part.y)),
            test_size=_VALIDATION_SHARE,
            random_state=part.seed,
            stratify=part.y if classes else None,
        )
        # Trees work on float32 anyway; converting once saves it in every fit.
        X = np.asarray(part.X, dtype=np.float32)
        self._fit_X, self._fit_y = X[fitting], part.y[fitting]
        self._validation_X, self._validation_y = X[validation], part.y[validation]
        self._part, self._model = part, DecisionTree()

    def __call__(self, indices: FeatureIndices) -> float:
        columns = list(indices)
        estimator = self._model.estimator(self._part.target_type, self._part.seed)
        estimator.fit(self._fit_X[:, columns], self._fit_y)
        predicted = estimator.predict(self._validation_X[:, columns])
        return prediction_score(self._part.target_type, self._validation_y, predicted)
