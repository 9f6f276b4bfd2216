"""Permutation importance: the loss of a model when a feature's values are shuffled."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.prediction.metrics import prediction_score
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromModel
from altfs.selectors._inner_folds import inner_split
from altfs.selectors.base import SelectorOptions, selectors


class PermutationImportanceOptions(SelectorOptions):
    """n_repeats: the number of shuffles of every feature; the losses are averaged."""

    n_repeats: int = Field(default=5, ge=1)


@selectors.register("permutation_importance")
class PermutationImportance(LinearFromModel):
    """Post-hoc importances: the mean loss of MCC (regression: R²) of a decision tree.

    The tree learns on 80 % of a part's rows, split by class if there are classes. Its loss is
    that on the other rows. A feature has a negative value if the tree predicts better without
    it. A test part that is too small for the split has no test quality.

    Source: Breiman, *Random Forests*, Machine Learning 45, 2001.
    """

    Options = PermutationImportanceOptions

    def check_part(self, part: Part) -> None:
        self.values(part)

    def values(self, part: Part) -> FloatArray:
        from sklearn.inspection import permutation_importance

        fitting, validation = inner_split(part)
        model = self.model(part, fitting)

        def score(model: Any, X: FloatArray, y: npt.NDArray[Any]) -> float:
            return prediction_score(part.target_type, y, model.predict(X))

        result = permutation_importance(
            model,
            part.rows_for(model)[validation],
            part.y[validation],
            scoring=score,
            n_repeats=self.options.n_repeats,
            random_state=part.seed,
        )
        return np.asarray(result.importances_mean, dtype=np.float64)
