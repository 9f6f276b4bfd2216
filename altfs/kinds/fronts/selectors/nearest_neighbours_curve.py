"""Nearest neighbours: the area under a curve of the classes of near rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

import numpy as np
from pydantic import Field

from altfs._numbers import BoolArray, FloatArray, IntArray, check_at_most
from altfs.kinds.fronts.selectors._curve import ONE_OUT, CurveOptions, CurveSelector
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.selectors.base import selectors

# The largest number of distances in memory at a time.
_DISTANCES = 1 << 22
# Distances that differ less, relatively, are equal.
_ROUNDING = 1e-9


class NearestNeighboursCurveOptions(CurveOptions):
    """Options of nearest neighbours with a curve.

    neighbours: the number of nearest rows that score a row. The default of folds is `one_out`.
    The others are those of all curves.
    """

    folds: int | str = ONE_OUT
    neighbours: Annotated[int, Field(ge=1)] = 1


@selectors.register("nearest_neighbours_curve")
class NearestNeighboursCurve(CurveSelector):
    """The area under the curve of the share of positive rows among the nearest ones.

    The nearest rows are those of other folds, with `one_out` all others, by the Euclidean distance
    of the columns of the set. Numbers are standardised on all rows of the part, and categories
    that differ are at distance 1. Of rows that are equally near, each counts for the same part.

    With one neighbour a curve is a pair of sensitivity and specificity. With the search
    `many_objective`, `dominance_factor: inf` and `by_size: true`, the objectives are those of
    the source: sensitivity, specificity and the number of features.

    Source: Emmanouilidis, *Evolutionary Multi-objective Feature Selection and ROC Analysis with
    Application to Industrial Machinery Fault Diagnosis*, 2002.
    """

    Options = NearestNeighboursCurveOptions

    def check_part(self, part: Part) -> None:
        super().check_part(part)
        others = len(part.y) - int(np.bincount(self.fold_numbers(part)).max())
        check_at_most("neighbours", self.options.neighbours, others, "rows of other folds")

    def scorer(self, part: Part, positive: FloatArray) -> Callable[[FeatureIndices], FloatArray]:
        spread = part.X.std(axis=0)
        scale = np.where(part.categorical | (spread == 0), 1.0, spread)
        columns = np.ascontiguousarray(part.X.T / scale[:, None])
        folds, neighbours = self.fold_numbers(part), self.options.neighbours
        return partial(_shares, columns, part.categorical, positive, folds, neighbours)


def _shares(
    columns: FloatArray,
    categorical: BoolArray,
    positive: FloatArray,
    folds: IntArray,
    neighbours: int,
    indices: FeatureIndices,
) -> FloatArray:
    """Return the share of positive rows among the nearest rows of other folds."""
    n_rows = len(positive)
    shares, step = np.empty(n_rows), max(1, _DISTANCES // n_rows)
    for a in range(0, n_rows, step):
        distances = np.zeros((min(step, n_rows - a), n_rows))
        for j in indices:
            differences = columns[j, a : a + step, None] - columns[j]
            distances += (differences != 0) if categorical[j] else differences**2
        distances[folds[a : a + step, None] == folds] = np.inf
        last = np.partition(distances, neighbours - 1, axis=1)[:, neighbours - 1, None]
        nearer = distances < last * (1 - _ROUNDING)
        tied = (distances <= last * (1 + _ROUNDING)) & ~nearer
        part = (neighbours - nearer.sum(axis=1)) / tied.sum(axis=1)
        shares[a : a + step] = (nearer @ positive + part * (tied @ positive)) / neighbours
    return shares
