"""SHAP: the contributions of each feature to the predictions of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.errors import AltfsError
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromModel
from altfs.selectors.base import SelectorOptions, selectors
from altfs.selectors.row_wise import BACKGROUND_ROWS, ExplainsModel, answers_of, drawn_rows

# All sets of features are tried if they are so few.
_FEW_FEATURES = 10


class ShapOptions(SelectorOptions):
    """Options of SHAP values.

    max_rows: the largest number of explained rows, drawn with the part's seed. algorithm: tree,
    linear, exact, permutation or kernel; auto takes tree for trees, else exact for up to ten
    features, else permutation.
    """

    max_rows: int = Field(default=1000, ge=1)
    algorithm: Literal["auto", "tree", "linear", "exact", "permutation", "kernel"] = "auto"


@selectors.register("shap")
class Shap(LinearFromModel, ExplainsModel):
    """Mean absolute SHAP value of every feature, averaged over the classes.

    A decision tree learns on all rows of a part. Its predictions for at most `max_rows` of
    them are explained. The prediction without a feature is the mean over the branches,
    weighted by their training rows. So no other data and no random numbers are needed. Of
    classes, the probabilities are explained.

    The values of a single row are those of its predicted class. Models without trees are
    explained against 100 background rows. Each row has the same random numbers. So its values
    depend on no other row.

    It needs the library shap: ``pip install 'altfs[shap]'``.

    Source: Lundberg et al., *From local explanations to global understanding with
    explainable AI for trees*, Nature Machine Intelligence 2, 2020 (Algorithm 2); Lundberg and
    Lee, *A unified approach to interpreting model predictions*, NeurIPS 2017 (Equation 8).
    """

    Options = ShapOptions
    extra = "shap"

    def values(self, part: Part) -> FloatArray:
        # The library does not explain trees with branches for missing values.
        part = replace(part, X=part.X)
        model = self.model(part, np.arange(len(part.y)))
        background = drawn_rows(part.X, BACKGROUND_ROWS, part.seed)
        X = drawn_rows(part.X, self.options.max_rows, part.seed)
        explained = self._explained(model, background, X, part.target_type, part.seed)
        moved: FloatArray = np.abs(explained).mean(axis=0)
        return moved if moved.ndim == 1 else moved.mean(axis=1)

    def model_values(
        self, model: Any, background: FloatArray, X: FloatArray, target_type: str, seed: int
    ) -> FloatArray:
        predicted = answers_of(model, target_type)(X).argmax(axis=1)
        explained = self._explained(model, background, X, target_type, seed)
        if explained.ndim == 3:
            place = 0 if explained.shape[2] == 1 else predicted
            explained = explained[np.arange(len(X)), :, place]
        return np.abs(explained)

    def _explained(
        self, model: Any, background: FloatArray, X: FloatArray, target_type: str, seed: int
    ) -> FloatArray:
        """Return the SHAP values of rows, by classes if there are several."""
        self.check_extra()
        algorithm = self.options.algorithm
        explainer = tree_explainer(model) if algorithm in ("auto", "tree") else None
        if explainer is None and algorithm == "tree":
            reason = f"{type(model).__name__} is not a model of trees that shap knows"
            advice = "use one such as RandomForestClassifier(), or the algorithm 'auto'"
            raise AltfsError("estimator", reason, advice)
        if explainer is not None:
            # The check of sums can fail for correct trees, because of rounding.
            return np.asarray(explainer.shap_values(X, check_additivity=False), dtype=np.float64)
        if algorithm == "linear":
            return _linear(model, background, X)
        answers = answers_of(model, target_type)
        if algorithm == "auto":
            algorithm = "exact" if X.shape[1] <= _FEW_FEATURES else "permutation"
        return _row_by_row(algorithm, answers, background, X, seed)


def tree_explainer(model: Any) -> Any:
    """Return the explainer of a fitted model made of trees; None if it is another one."""
    import shap

    try:
        return shap.TreeExplainer(model, feature_perturbation="tree_path_dependent")
    except Exception:
        # The errors of shap derive from `Exception` directly.
        return None


def _linear(model: Any, background: FloatArray, X: FloatArray) -> FloatArray:
    import shap

    masker = shap.maskers.Independent(background, max_samples=len(background))
    try:
        explainer = shap.LinearExplainer(model, masker)
    except Exception as error:
        reason = f"{type(model).__name__} is not a linear model that shap knows"
        advice = "use one such as LogisticRegression(), or the algorithm 'auto'"
        raise AltfsError("estimator", reason, advice) from error
    return np.asarray(explainer.shap_values(X), dtype=np.float64)


def _row_by_row(
    algorithm: str,
    answers: Callable[[FloatArray], FloatArray],
    background: FloatArray,
    X: FloatArray,
    seed: int,
) -> FloatArray:
    """Return the SHAP values of rows, each with the same random numbers."""
    import shap

    n_rows, n_total = X.shape
    explained = np.zeros((n_rows, n_total, answers(background[:1]).shape[1]))
    # The library draws from numpy's common random numbers.
    state = np.random.get_state()  # noqa: NPY002
    try:
        for i in range(n_rows):
            np.random.seed(seed)  # noqa: NPY002
            row = X[i : i + 1]
            if algorithm == "kernel":
                kernel = shap.KernelExplainer(answers, background)
                explained[i] = kernel.shap_values(row, silent=True)[0]
                continue
            masker = shap.maskers.Independent(background, max_samples=len(background))
            if algorithm == "exact":
                explanation = shap.ExactExplainer(answers, masker)(row, max_evals=1 << n_total)
            else:
                explainer = shap.PermutationExplainer(answers, masker, seed=seed)
                explanation = explainer(row, max_evals=max(500, 2 * n_total + 1))
            explained[i] = explanation.values[0].reshape(n_total, -1)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return explained
