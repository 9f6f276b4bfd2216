"""Five nearest neighbours of scaled features."""

from __future__ import annotations

from typing import Any

from altfs.prediction import Model, models


@models.register("nearest_neighbours")
class NearestNeighbours(Model):
    """The majority of five neighbours, or their mean for regression."""

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regression = target_type == "regression"
        neighbours = KNeighborsRegressor() if regression else KNeighborsClassifier()
        return make_pipeline(StandardScaler(), neighbours)
