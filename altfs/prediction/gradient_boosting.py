"""Gradient boosting of trees on binned values."""

from __future__ import annotations

from typing import Any

from altfs.prediction.base import Model, models


@models.register("gradient_boosting")
class GradientBoosting(Model):
    """Gradient boosting of 100 trees of at most 31 leaves on 255 bins, as of scikit-learn."""

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

        if target_type == "regression":
            return HistGradientBoostingRegressor(random_state=seed)
        return HistGradientBoostingClassifier(random_state=seed)
