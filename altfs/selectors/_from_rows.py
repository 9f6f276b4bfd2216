"""Linear qualities that single selectors compute from rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.prediction.decision_tree import DecisionTree
from altfs.quality import Linear, Quality
from altfs.scores.base import Part
from altfs.selectors.base import Selector

Values = npt.NDArray[np.float64]


class LinearFromRows(Selector):
    """The base class of selectors that compute one value for each feature from rows."""

    needs_rows = True

    def quality(self, part: Part) -> Quality:
        return Linear(self.values(part))

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.values(Part(np.zeros((len(y), 1)), y, target_type, seed))

    @abstractmethod
    def values(self, part: Part) -> Values:
        """Return the value of every feature on a part; DataError if it has too few rows."""


class LinearFromModel(LinearFromRows):
    """The base class of selectors that compute one value for each feature from a model."""

    def model(self, part: Part, rows: npt.NDArray[Any]) -> Any:
        """Fit the model on some rows of a part."""
        tree = DecisionTree().estimator(part.target_type, part.seed)
        return tree.fit(part.rows_for(tree)[rows], part.y[rows])


def sums_of_squares(part: Part) -> tuple[Values, Values, int]:
    """Return the explained and the total sum of squares of every feature, and the freedom.

    Classes explain the squares between them, and a numeric target those of a straight line.
    The degrees of freedom are those of the explained part: classes - 1, or 1. Constant
    features have 0. It is a DataError if no degree of freedom is left for the rest.
    """
    # Differences from the first row make constant features exactly 0.
    X = part.X - part.X[:1]
    X = X - X.mean(axis=0)
    total = (X**2).sum(axis=0)
    if part.target_type == "regression":
        freedom = 1
        y = part.y - part.y.mean()
        spread = float((y**2).sum())
        explained = (y @ X) ** 2 / spread if spread > 0 else np.zeros_like(total)
    else:
        classes, codes = np.unique(part.y, return_inverse=True)
        freedom = len(classes) - 1
        explained = np.zeros_like(total)
        for c in range(len(classes)):
            rows = X[codes == c]
            explained += len(rows) * rows.mean(axis=0) ** 2
    if len(part.y) - freedom - 1 < 1 or freedom < 1:
        raise DataError(
            f"{len(part.y)} rows with {freedom + 1} classes are too few for a comparison of means."
            if part.target_type != "regression"
            else f"{len(part.y)} rows are too few for a correlation, 3 are needed."
        )
    return np.minimum(explained, total), total, freedom
