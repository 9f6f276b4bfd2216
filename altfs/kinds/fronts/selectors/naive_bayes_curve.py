"""Naive Bayes: the area under a curve of its probabilities, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import Field

from altfs._numbers import BoolArray, FloatArray, IntArray, quantiles
from altfs.kinds.fronts.selectors._curve import ONE_OUT, CurveOptions, CurveSelector
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.selectors.base import selectors


class NaiveBayesCurveOptions(CurveOptions):
    """Options of naive Bayes with a curve.

    bins: groups of about equally many rows into which numbers are cut. The default of folds is
    `one_out`. The others are those of all curves.
    """

    folds: int | str = ONE_OUT
    bins: Annotated[int, Field(ge=2)] = 10


@selectors.register("naive_bayes_curve")
class NaiveBayesCurve(CurveSelector):
    """The area under the curve of naive Bayes, of rows that it has not learned from.

    Numbers are cut at quantiles of the rows that are learned from, with `one_out` at those of
    all rows. Counts of both classes and of categories are raised by one (Laplace). The
    log-odds that each feature gives each row are computed once, and a set adds them up.

    Source: Reynolds, Corne, Chantler, *Feature Selection for Multi-Purpose Predictive Models: a
    Many-Objective Task*, 2009.
    """

    Options = NaiveBayesCurveOptions

    def scorer(self, part: Part, positive: FloatArray) -> Callable[[FeatureIndices], FloatArray]:
        one_out = self.options.folds == ONE_OUT and part.groups is None
        every = np.ones(len(positive), dtype=bool)
        numbers = self.fold_numbers(part)
        of_folds = [(numbers != i, numbers == i) for i in np.unique(numbers)]
        columns, start = np.empty(part.X.T.shape), np.empty(len(positive))
        for learned, held_out in [(every, every)] if one_out else of_folds:
            start[held_out] = _prior(positive, learned, one_out)[held_out]
            for j in range(part.X.shape[1]):
                codes, n_codes = self._codes(part, j, learned)
                odds = _log_odds(codes, n_codes, positive, learned, one_out)
                columns[j, held_out] = odds[held_out]
        return partial(column_sums, columns, start)

    def _codes(self, part: Part, j: int, learned: BoolArray) -> tuple[IntArray, int]:
        """Return the bin of every row in a feature, and the number of bins."""
        values = part.X[:, j]
        if part.categorical[j]:
            cuts = np.unique(values)[:-1]
        else:
            cuts = quantiles(values[learned], self.options.bins)
        # A value that is equal to a cut goes below it.
        codes = np.searchsorted(cuts, values, side="left")
        return codes, int(codes.max()) + 1


def column_sums(columns: FloatArray, start: FloatArray, indices: FeatureIndices) -> FloatArray:
    """Add what features give to the scores of all rows."""
    # Sums depend on the order, which is that of the indices.
    total = start.copy()
    for j in indices:
        total += columns[j]
    return total


def _log_odds(
    codes: IntArray, n_codes: int, positive: FloatArray, learned: BoolArray, left_out: bool
) -> FloatArray:
    """Return what a feature adds to the log-odds of each row; it may leave the row itself out."""
    odds = np.zeros(len(codes))
    for sign, of_class in ((1, positive), (-1, 1 - positive)):
        itself = of_class * left_out
        counts = np.bincount(codes[learned], of_class[learned], n_codes)[codes] - itself
        total = of_class[learned].sum() - itself
        odds += sign * np.log((counts + 1) / (total + n_codes))
    return odds


def _prior(positive: FloatArray, learned: BoolArray, left_out: bool) -> FloatArray:
    """Return the log-odds of each row without any feature."""
    counts = [c[learned].sum() - c * left_out for c in (positive, 1 - positive)]
    return np.asarray(np.log((counts[0] + 1) / (counts[1] + 1)))
