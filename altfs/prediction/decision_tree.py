"""Decision trees with information gain."""

from __future__ import annotations

from typing import Any

from altfs.prediction.base import Model, models


@models.register("decision_tree")
class DecisionTree(Model):
    """The paper's tree: entropy for classes, squared error for regression."""

    def estimator(self, target_type: str, seed: int) -> Any:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        if target_type == "regression":
            return DecisionTreeRegressor(random_state=seed)
        return DecisionTreeClassifier(criterion="entropy", random_state=seed)
