"""Logistic regression: the area under a curve of its probabilities, by cross-validation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._numbers import BoolArray, FloatArray
from altfs.kinds.fronts.selectors._curve import CurveOptions, CurveSelector, fold_numbers
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.selectors.base import selectors


@selectors.register("logistic_curve")
class LogisticCurve(CurveSelector):
    """The area under the curve of logistic regression, of rows that it has not learned from.

    Columns are standardised on all rows of the part, and a category becomes a column of zeros
    and ones for each of its values but the first. A penalty of 1e-6 / 2 times the squared
    coefficients (of 1e-6 in scikit-learn's words, C = 1e6) keeps those of separated classes
    finite. Scores of different folds are compared as they are, as log-odds.

    Source: Reynolds, Corne, Chantler, *Feature Selection for Multi-Purpose Predictive Models: a
    Many-Objective Task*, 2009.
    """

    Options = CurveOptions

    def scorer(self, part: Part, positive: BoolArray) -> LogisticScores:
        numbers = fold_numbers(positive, self.options.folds, part.seed)
        return LogisticScores(part.X, part.categorical, positive, numbers)


class LogisticScores:
    """The log-odds of rows by models that have not seen their folds, a function of feature sets."""

    def __init__(
        self,
        X: FloatArray,
        categorical: BoolArray,
        positive: BoolArray,
        folds: npt.NDArray[np.int64],
    ) -> None:
        columns, self._places, place = [np.ones((len(X), 1))], [], 1
        for j, is_category in enumerate(categorical):
            wide = X[:, [j]]
            if is_category:
                wide = (wide == np.unique(wide)[1:]).astype(np.float64)
            # Differences from the first row make constant columns exactly 0.
            wide = wide - wide[:1]
            wide = wide - wide.mean(axis=0)
            spread = wide.std(axis=0)
            columns.append(wide / np.where(spread > 0, spread, 1.0))
            self._places.append(range(place, place + wide.shape[1]))
            place += wide.shape[1]
        self._columns = np.hstack(columns)
        self._positive, self._folds = positive.astype(np.float64), folds

    def __call__(self, indices: FeatureIndices) -> FloatArray:
        # Compiled code is slow to import.
        from altfs.selectors._logistic import held_out_scores

        places = [0, *(place for j in indices for place in self._places[j])]
        chosen = np.ascontiguousarray(self._columns[:, places])
        return held_out_scores(chosen, self._positive, self._folds, int(self._folds.max()) + 1)
