"""Logistic regression of standardised columns."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from altfs.prediction.base import Model, ModelOptions, models

# Standardised columns need far fewer steps.
_MOST_STEPS = 1000


class LogisticRegressionOptions(ModelOptions):
    """Options: the penalty of squared coefficients, as the inverse of scikit-learn's ``C``."""

    penalty: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0


@models.register("logistic_regression")
class LogisticRegression(Model):
    """Logistic regression with an L2 penalty on standardised columns."""

    Options = LogisticRegressionOptions
    tasks = ("classification",)

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn import linear_model
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        model = linear_model.LogisticRegression(C=1 / self.options.penalty, max_iter=_MOST_STEPS)
        return make_pipeline(StandardScaler(), model)
