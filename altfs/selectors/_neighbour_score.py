"""Nearest neighbours on many feature sets of the same folds, compiled.

Each ``fit`` and ``predict`` of scikit-learn checks its data and builds a tree. On the few columns
of a feature set this takes far longer than comparing all rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray
from altfs.prediction.metrics import count_pairs, mcc, r2
from altfs.prediction.nearest_neighbours import NearestNeighboursOptions
from altfs.problem import FeatureIndices
from altfs.scores.base import Part
from altfs.scores.row_groups import Split


@compiled()
def nearest(
    train: FloatArray, new: FloatArray, columns: npt.NDArray[np.int64], k: int
) -> npt.NDArray[np.int64]:
    """Return the k training rows that are nearest to each new row in some columns.

    Of equally near rows the first ones are taken. The rows are ascending. Both tables have a
    row for each column.
    """
    n_train, n_new = train.shape[1], new.shape[1]
    rows = np.empty((n_new, k), dtype=np.int64)
    distances = np.empty(n_train)
    least = np.empty(k)
    for i in range(n_new):
        distances[:] = 0.0
        for j in columns:
            # Slices let the compiler use vector instructions.
            row, value = train[j], new[j, i]
            for r in range(n_train):
                difference = row[r] - value
                distances[r] += difference * difference
        # The k smallest distances in order, from which the farthest one follows.
        n_nearest = 0
        for distance in distances:
            if n_nearest < k or distance < least[k - 1]:
                place = min(n_nearest, k - 1)
                while place > 0 and least[place - 1] > distance:
                    least[place] = least[place - 1]
                    place -= 1
                least[place] = distance
                n_nearest = min(n_nearest + 1, k)
        ties = 1
        while ties < k and least[k - 1 - ties] == least[k - 1]:
            ties += 1
        place = 0
        for r in range(n_train):
            if distances[r] < least[k - 1]:
                rows[i, place] = r
                place += 1
            elif distances[r] == least[k - 1] and ties > 0:
                rows[i, place] = r
                place += 1
                ties -= 1
    return rows


class NeighbourScore:
    """The mean MCC or R^2 of nearest neighbours over inner folds, a function of feature sets.

    It is that of the model ``nearest_neighbours``. If rows are equally near, the first ones
    count, where scikit-learn may take others.
    """

    def __init__(
        self, part: Part, splits: Sequence[Split], options: NearestNeighboursOptions
    ) -> None:
        self._neighbours, self._n_classes = options.neighbours, 0
        y = part.y
        if part.target_type != "regression":
            classes, y = np.unique(part.y, return_inverse=True)
            self._n_classes = len(classes)
        self._parts = []
        for fitting, validation in splits:
            train, new = part.X[fitting], part.X[validation]
            if options.standardise:
                mean, spread = train.mean(axis=0), train.std(axis=0)
                # As in scikit-learn, constant columns are only centred.
                spread[spread < 10 * np.finfo(float).eps * np.abs(mean)] = 1.0
                spread[spread == 0] = 1.0
                train, new = (train - mean) / spread, (new - mean) / spread
            rows = np.ascontiguousarray(train.T), np.ascontiguousarray(new.T)
            self._parts.append((*rows, y[fitting], y[validation]))

    def __call__(self, indices: FeatureIndices) -> float:
        columns, total = np.array(indices, dtype=np.int64), 0.0
        for train, new, y, held_out in self._parts:
            near = y[nearest(train, new, columns, self._neighbours)]
            if self._n_classes:
                votes = (near[:, :, None] == np.arange(self._n_classes)).sum(axis=1)
                total += mcc(count_pairs(held_out, votes.argmax(axis=1), self._n_classes))
            else:
                total += r2(held_out, near.mean(axis=1))
        return total / len(self._parts)
