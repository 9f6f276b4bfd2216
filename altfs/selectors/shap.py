"""SHAP: the contributions of each feature to the predictions of a decision tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from altfs._extras import require
from altfs.errors import AltfsError
from altfs.prediction.decision_tree import DecisionTree
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows, Values
from altfs.selectors.base import SelectorOptions, selectors


class ShapOptions(SelectorOptions):
    """max_rows: the largest number of explained rows, drawn with the part's seed."""

    max_rows: int = Field(default=1000, ge=1)


@selectors.register("shap")
class Shap(LinearFromRows):
    """Mean absolute SHAP value of every feature, averaged over the classes.

    A decision tree learns on all rows of a part. Its predictions for at most `max_rows`
    of them are explained. The prediction without a feature is the mean over the branches,
    weighted by their training rows. So no other data and no random numbers are needed.
    Classes are explained by their probabilities.

    Needs the library shap: ``pip install 'altfs[shap]'``.

    Source: Lundberg et al., *From local explanations to global understanding with
    explainable AI for trees*, Nature Machine Intelligence 2, 2020 (Algorithm 2).
    """

    Options = ShapOptions

    def values(self, part: Part) -> Values:
        explainer = tree_explainer(self.model(part))
        X = part.X
        if len(X) > self.options.max_rows:
            chance = np.random.RandomState(part.seed)
            X = X[np.sort(chance.permutation(len(X))[: self.options.max_rows])]
        # The sums need not be checked: rounding can make them fail for good trees.
        explained = np.asarray(explainer.shap_values(X, check_additivity=False), dtype=np.float64)
        moved: Values = np.abs(explained).mean(axis=0)
        return moved if moved.ndim == 1 else moved.mean(axis=1)

    def model(self, part: Part) -> Any:
        """Fit the explained model on a part."""
        return DecisionTree().estimator(part.target_type, part.seed).fit(part.X, part.y)


def tree_explainer(model: Any) -> Any:
    """Return the explainer of a fitted model made of trees.

    Raises
    ------
    AltfsError
        If shap is not installed, or knows no trees in the model.
    """
    require("selector: 'shap'", "shap", "shap")
    import shap

    try:
        return shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    except Exception as error:
        # The errors of shap itself derive from nothing narrower than `Exception`.
        raise AltfsError(
            f"estimator: {type(model).__name__} is no model of trees that shap knows, use one such "
            "as RandomForestClassifier()."
        ) from error
