"""Random forests of 100 trees with information gain."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from altfs.prediction.base import Model, ModelOptions, models


class RandomForestOptions(ModelOptions):
    """Options: the fewest training rows in a leaf."""

    leaf: Annotated[int, Field(ge=1)] = 1


@models.register("random_forest")
class RandomForest(Model):
    """The paper's forest: 100 trees, entropy; squared error for regression."""

    Options = RandomForestOptions

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

        sizes = {"n_estimators": 100, "min_samples_leaf": self.options.leaf}
        if target_type == "regression":
            return RandomForestRegressor(**sizes, random_state=seed)
        return RandomForestClassifier(**sizes, criterion="entropy", random_state=seed)
