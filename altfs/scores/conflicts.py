"""Conflicts: the pairs of features that FCBF forbids."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs.scores._dependence_score import DependenceScore
from altfs.scores.base import Part, ScoreKey, scores
from altfs.scores.redundancy import pairs_of


@scores.register("conflicts")
class Conflicts(DependenceScore):
    """Pairs of features that exclude each other, found without the whole matrix.

    Two features exclude each other if I(i, j) >= I(j, target) or I(j, i) >= I(i, target). The
    test with the less relevant feature as target is more often true, so it comes first. The
    other test is needed only if the first one is false.

    Each feature owns the pairs with the following half of the features (the first one follows
    the last one). So every pair is tested once, and all features have the same work.
    """

    of_pairs = True
    sparse = True
    bytes_per_pair = 48
    variants = ("auto", "sklearn", "regression", "classification")
    starts_from = ("relevance",)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.bool_]:
        relevance = part.score(ScoreKey("relevance", variant))
        n_total = part.X.shape[1]
        place, steps = np.indices((len(columns), n_total // 2)).reshape(2, -1)
        first = np.asarray(columns, dtype=np.int64)[place]
        second = (first + steps + 1) % n_total
        # If each of two features follows the other by half, the first one owns the pair.
        kept = (2 * (steps + 1) < n_total) | (first < second)
        place, first, second = place[kept], first[kept], second[kept]
        weak = np.where(relevance[first] <= relevance[second], first, second)
        strong = first + second - weak
        decided = relevance[weak] <= 0
        if not decided.all():
            estimate = pairs_of(part, range(n_total), variant)
            for feature, target in ((strong, weak), (weak, strong)):
                left = np.flatnonzero(~decided)
                decided[left] = relevance[target[left]] <= estimate(feature[left], target[left])
        result = np.zeros((n_total, len(columns)), dtype=bool)
        result[second, place] = decided
        return result

    def toy(self, n_total: int, variant: str = "auto") -> npt.NDArray[Any]:
        return np.eye(n_total, k=n_total - 2, dtype=bool)

    def whole(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the symmetric matrix; each conflict is in one column only."""
        both: npt.NDArray[np.bool_] = values | values.T
        return both
