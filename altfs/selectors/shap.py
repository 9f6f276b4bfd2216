"""SHAP: the contributions of each feature to the predictions of a decision tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import Field

from altfs._extras import require
from altfs.errors import AltfsError
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromModel, Values
from altfs.selectors.base import SelectorOptions, selectors


class ShapOptions(SelectorOptions):
    """max_rows: the largest number of explained rows, drawn with the part's seed."""

    max_rows: int = Field(default=1000, ge=1)


@selectors.register("shap")
class Shap(LinearFromModel):
    """Mean absolute SHAP value of every feature, averaged over the classes.

    A decision tree learns on all rows of a part. Its predictions for at most `max_rows` of
    them are explained. The prediction without a feature is the mean over the branches,
    weighted by their training rows. So no other data and no random numbers are needed. Of
    classes, the probabilities are explained.

    It needs the library shap: ``pip install 'altfs[shap]'``.

    Source: Lundberg et al., *From local explanations to global understanding with
    explainable AI for trees*, Nature Machine Intelligence 2, 2020 (Algorithm 2).
    """

    Options = ShapOptions

    def values(self, part: Part) -> Values:
        # The library does not explain trees with branches for missing values.
        part = replace(part, X=part.X)
        explainer = tree_explainer(self.model(part, np.arange(len(part.y))))
        X = part.X
        if len(X) > self.options.max_rows:
            chance = np.random.RandomState(part.seed)
            X = X[np.sort(chance.permutation(len(X))[: self.options.max_rows])]
        # The check of sums can fail for correct trees, because of rounding.
        explained = np.asarray(explainer.shap_values(X, check_additivity=False), dtype=np.float64)
        moved: Values = np.abs(explained).mean(axis=0)
        return moved if moved.ndim == 1 else moved.mean(axis=1)


def tree_explainer(model: Any) -> Any:
    """Return the explainer of a fitted model made of trees."""
    require("selector: 'shap'", "shap", "shap")
    import shap

    try:
        return shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    except Exception as error:
        # The errors of shap derive from `Exception` directly.
        raise AltfsError(
            f"estimator: {type(model).__name__} is not a model of trees that shap knows, use one "
            "such as RandomForestClassifier()."
        ) from error
