"""Linear regression by least squares."""

from __future__ import annotations

from typing import Any

from altfs.prediction.base import Model, models


@models.register("linear_regression")
class LinearRegression(Model):
    """Least squares with an intercept, without a penalty."""

    tasks = ("regression",)

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn import linear_model

        return linear_model.LinearRegression()
