"""Random forests of 100 trees with information gain."""

from __future__ import annotations

from typing import Any

from altfs.prediction.base import Model, models


@models.register("random_forest")
class RandomForest(Model):
    """The paper's forest: 100 trees, entropy; squared error for regression."""

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        if target_type == "regression":
            return RandomForestRegressor(n_estimators=100, random_state=seed)
        return RandomForestClassifier(n_estimators=100, criterion="entropy", random_state=seed)
