"""Qualities from any scikit-learn estimator, in place of a decision tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.datasets.base import Task
from altfs.errors import AltfsError
from altfs.library.metadata import of_rows
from altfs.prediction.metrics import prediction_score
from altfs.problem import FeatureIndices
from altfs.quality import BlackBox
from altfs.scores.row_groups import Split
from altfs.selectors import Part, ScoreKey, Selector
from altfs.selectors._from_rows import LinearFromModel
from altfs.selectors._inner_folds import InnerScore, Scorer, inner_split
from altfs.selectors.base import normalised
from altfs.selectors.greedy_wrapper import GreedyWrapper
from altfs.selectors.wrapper import Wrapper

_IMPORTANCES = ScoreKey("importances")


def task_of(estimator: Any, task: Task, argument: str = "estimator") -> Task:
    """Return the task of an estimator, which has to be a classifier or regressor for `task`."""
    from sklearn.base import is_classifier, is_regressor

    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise AltfsError.of_value(
            argument, estimator, "use an object such as RandomForestClassifier()"
        )
    is_for: Task = "auto"
    # scikit-learn cannot tell what anything else is.
    if hasattr(estimator, "__sklearn_tags__"):
        is_for = "regression" if is_regressor(estimator) else "auto"
        is_for = "classification" if is_classifier(estimator) else is_for
    if is_for == "auto" or task not in ("auto", is_for):
        allowed = "a classifier or regressor" if task == "auto" else f"one for {task}"
        raise AltfsError(argument, f"{type(estimator).__name__} is not allowed", f"use {allowed}")
    return is_for


def with_estimator(
    selector: Selector, part: Part, estimator: Any, fit_params: Mapping[str, Any]
) -> Selector:
    """Return a selector that uses `estimator` in place of a decision tree.

    Its `fit` gets the `fit_params` of the rows that it learns on.
    """
    for kind, with_model in _WITH_MODEL.items():
        if isinstance(selector, kind):
            return with_model(selector.options, estimator, fit_params)
    if isinstance(selector, LinearFromModel):
        kind = type(selector)
        with_model = type(kind.__name__, (_WithModel, kind), {"__doc__": kind.__doc__})
        return with_model(selector.options, estimator, fit_params)
    if _IMPORTANCES not in selector.train_scores:
        name = getattr(selector, "name", type(selector).__name__)
        raise AltfsError(
            "estimator",
            f"the selector '{name}' uses none",
            "leave it out or use the selector model_gain, permutation_importance, shap, lime, "
            "wrapper or greedy_wrapper",
        )
    part.scores[_IMPORTANCES] = importances_of(estimator, part, fit_params)
    return selector


def importances_of(
    estimator: Any, part: Part, fit_params: Mapping[str, Any]
) -> npt.NDArray[np.float64]:
    """Return the importances that an estimator gives to features, which sum to 1.

    They are ``feature_importances_``, else the absolute values of ``coef_``, added up over the
    classes. A pipeline has those of its last step.
    """
    from sklearn.base import clone

    fitted = clone(estimator).fit(part.rows_for(estimator), part.y, **fit_params)
    last = fitted[-1] if hasattr(fitted, "steps") else fitted
    name = type(last).__name__
    if hasattr(last, "feature_importances_"):
        values = np.asarray(last.feature_importances_, dtype=np.float64)
    elif hasattr(last, "coef_"):
        values = np.abs(np.asarray(last.coef_, dtype=np.float64))
        values = values.sum(axis=0) if values.ndim > 1 else values
    else:
        advice = "use one that has, or the selector permutation_importance or greedy_wrapper"
        raise AltfsError("estimator", f"{name} has neither feature_importances_ nor coef_", advice)
    if values.shape != (part.X.shape[1],):
        advice = f"use one that has one for each of {part.X.shape[1]} features"
        raise AltfsError("estimator", f"{name} has {values.size} importances", advice)
    return normalised(values)


class _WithModel(Selector):
    """The base class of selectors that use another model than a decision tree."""

    def __init__(self, options: Any, estimator: Any, fit_params: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.estimator, self.fit_params = estimator, fit_params

    def model(self, part: Part, rows: npt.NDArray[Any]) -> Any:
        """Fit the model on some rows of a part."""
        from sklearn.base import clone

        chosen = of_rows(self.fit_params, rows, len(part.y))
        X = part.rows_for(self.estimator)
        return clone(self.estimator).fit(X[rows], part.y[rows], **chosen)


class _GreedyWrapper(_WithModel, GreedyWrapper):
    """The Greedy Wrapper with another model than a decision tree."""

    def quality(self, part: Part) -> BlackBox:
        held_out = _HoldOut(part, self.estimator, self.fit_params)
        return BlackBox(held_out, part.X.shape[1], 1.0, self.options.max_iterations)


class _Wrapper(_WithModel, Wrapper):
    """The wrapper with another model than one of altfs."""

    def check_part(self, part: Part) -> None:
        self.splits(part)

    def score(
        self, part: Part, splits: Sequence[Split], metric: str | Scorer
    ) -> Callable[[FeatureIndices], float]:
        def of_fit(rows: npt.NDArray[Any]) -> dict[str, Any]:
            return of_rows(self.fit_params, rows, len(part.y))

        return InnerScore(part, splits, self.estimator, metric, of_fit)


_WITH_MODEL: dict[type[Selector], type[_WithModel]] = {
    GreedyWrapper: _GreedyWrapper,
    Wrapper: _Wrapper,
}


class _HoldOut:
    """Trains clones of an estimator on 80 % of the rows and scores them on the others."""

    def __init__(self, part: Part, estimator: Any, fit_params: Mapping[str, Any]) -> None:
        self._target_type, self._estimator = part.target_type, estimator
        fitting, validation = inner_split(part)
        X = part.rows_for(estimator)
        self._X, self._y = X[fitting], part.y[fitting]
        self._fit_params = of_rows(fit_params, fitting, len(part.y))
        self._held_out_X, self._held_out_y = X[validation], part.y[validation]

    def __call__(self, indices: FeatureIndices) -> float:
        from sklearn.base import clone

        columns = list(indices)
        model = clone(self._estimator).fit(self._X[:, columns], self._y, **self._fit_params)
        predicted = model.predict(self._held_out_X[:, columns])
        return prediction_score(self._target_type, self._held_out_y, predicted)
