"""Linear models with a penalty on squared coefficients."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from altfs.prediction import Model, ModelOptions, models


class RidgeOptions(ModelOptions):
    """alpha: the weight of the penalty."""

    alpha: Annotated[float, Field(gt=0)] = 1.0


@models.register("ridge")
class Ridge(Model):
    """Ridge regression of scaled features; of the classes as -1 and 1 for classification."""

    Options = RidgeOptions

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn import linear_model
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regression = target_type == "regression"
        kind = linear_model.Ridge if regression else linear_model.RidgeClassifier
        return make_pipeline(StandardScaler(), kind(alpha=self.options.alpha))
