"""Logistic regression: the area under a curve of its probabilities, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.kinds.fronts.selectors._curve import CurveOptions, CurveSelector
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
    # Rounding and the last of Newton's steps; separated classes have errors of up to 5e-9.
    tie = 1e-8

    def scorer(self, part: Part, positive: FloatArray) -> Callable[[FeatureIndices], FloatArray]:
        columns = []
        for j, is_category in enumerate(part.categorical):
            wide = part.X[:, [j]]
            if is_category:
                wide = (wide == np.unique(wide)[1:]).astype(np.float64)
            # Differences from the first row make constant columns exactly 0.
            wide = wide - wide[:1]
            wide = wide - wide.mean(axis=0)
            spread = wide.std(axis=0)
            columns.append(wide / np.where(spread > 0, spread, 1.0))
        folds = self.fold_numbers(part)
        return partial(_log_odds, columns, positive, folds)


def _log_odds(
    columns: list[FloatArray], positive: FloatArray, folds: IntArray, indices: FeatureIndices
) -> FloatArray:
    """Return the log-odds of rows by models of some features that have not seen their folds."""
    # Compiled code is slow to import.
    from altfs.selectors._logistic import held_out_scores

    chosen = np.hstack([np.ones((len(positive), 1)), *(columns[j] for j in indices)])
    return held_out_scores(np.ascontiguousarray(chosen), positive, folds, int(folds.max()) + 1)
