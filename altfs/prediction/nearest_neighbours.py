"""Nearest neighbours by Euclidean distance."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from altfs._numbers import check_at_most
from altfs.prediction.base import Model, ModelOptions, models


class NearestNeighboursOptions(ModelOptions):
    """Options: the number of neighbours, and whether columns are standardised first."""

    neighbours: Annotated[int, Field(ge=1)] = 20
    standardise: bool = False


@models.register("nearest_neighbours")
class NearestNeighbours(Model):
    """The majority of the nearest training rows, or their mean for regression.

    Columns are used as they are. With ``standardise`` each has mean 0 and variance 1 on the
    training rows.
    """

    Options = NearestNeighboursOptions

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regression = target_type == "regression"
        kind = KNeighborsRegressor if regression else KNeighborsClassifier
        nearest = kind(n_neighbors=self.options.neighbours)
        return make_pipeline(StandardScaler(), nearest) if self.options.standardise else nearest

    def check_part(self, target_type: str, n_rows: int) -> None:
        super().check_part(target_type, n_rows)
        check_at_most("neighbours", self.options.neighbours, n_rows, "training rows")
