"""Doquire and Verleysen: rankings of numbers and of categories, merged by a classifier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray
from altfs.prediction.nearest_neighbours import NearestNeighboursOptions
from altfs.problem import FeatureIndices
from altfs.quality import Linear
from altfs.scores.base import Part
from altfs.selectors._inner_folds import inner_folds
from altfs.selectors.base import refuse_numbers, selectors
from altfs.selectors.mrmr import PairScores
from altfs.selectors.mutual_information import MeasureOptions


class DoquireOptions(MeasureOptions):
    """neighbours, standardise: of the classifier. folds: by default 5, or fewer if a class is rare.

    The classifier has at most as many neighbours as rows to learn from.
    """

    neighbours: Annotated[int, Field(ge=1)] = 20
    standardise: bool = False
    folds: Annotated[int, Field(ge=1)] | None = None


@selectors.register("doquire")
class Doquire(PairScores):
    """The places of the features in a ranking that is made for numbers and categories together.

    Both kinds are ranked apart: the next feature has the largest relevance minus mean
    redundancy with those before it. Then the two rankings are merged. The next feature is the
    first one left of that ranking whose addition gives nearest neighbours the larger MCC on
    inner folds; of the larger relevance if both are equal. If only one kind is there, its
    ranking is the result. Of n features the one at place p, from 0, has the value ``(n - p) / n``,
    so that the first ones make the best set. For classes only.

    Source: Doquire and Verleysen, *An Hybrid Approach to Feature Selection for Mixed Categorical
    and Continuous Data*, KDIR 2011, with mRMR for both kinds.
    """

    Options = DoquireOptions
    needs_rows = True
    for_classes = True

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        self.check_part(Part(np.zeros((len(y), 1)), y, target_type, seed))

    def check_part(self, part: Part) -> None:
        refuse_numbers(self.name, part.target_type, "mrmr")
        super().check_target(part.y, part.target_type, part.seed)
        inner_folds(part, self.options.folds)

    def quality(self, part: Part) -> Linear:
        self.check_part(part)
        relevance, redundancy = part.score(self.relevance), part.score(self.redundancy)
        first, second = (
            greedy_ranking(relevance, redundancy, np.flatnonzero(part.categorical == kind))
            for kind in (False, True)
        )
        ranking = first + second
        if first and second:
            ranking = merged(first, second, relevance, self._neighbour_score(part))
        n_total, values = len(ranking), np.empty(len(ranking))
        values[ranking] = np.arange(n_total, 0, -1) / n_total
        return Linear(values)

    def _neighbour_score(self, part: Part) -> Callable[[FeatureIndices], float]:
        # Compiled code is slow to import.
        from altfs.selectors._neighbour_score import NeighbourScore

        splits = inner_folds(part, self.options.folds)
        fewest = min(len(fitting) for fitting, _ in splits)
        options = NearestNeighboursOptions(
            neighbours=min(self.options.neighbours, fewest), standardise=self.options.standardise
        )
        return NeighbourScore(part, splits, options)


def greedy_ranking(
    relevance: FloatArray, redundancy: FloatArray, features: npt.NDArray[np.int64]
) -> list[int]:
    """Rank features by relevance minus mean redundancy with those before, as mRMR does.

    The first one counts among equals.

    >>> shared = np.array([[0, 0.9, 0], [0.9, 0, 0], [0, 0, 0.0]])
    >>> greedy_ranking(np.array([1.0, 0.9, 0.5]), shared, np.arange(3))
    [0, 2, 1]
    """
    ranking: list[int] = []
    left, shared = features, np.zeros(len(relevance))
    while len(left):
        values = relevance[left] - shared[left] / max(1, len(ranking))
        best = int(left[np.argmax(values)])
        ranking.append(best)
        left = left[left != best]
        shared += redundancy[best]
    return ranking


def merged(
    first: list[int],
    second: list[int],
    relevance: FloatArray,
    score: Callable[[FeatureIndices], float],
) -> list[int]:
    """Merge two rankings: the next feature is the head whose addition scores better.

    If both score the same, it is that of the larger relevance; of `first` if these are equal.

    >>> merged([0, 1], [2], np.array([0.9, 0.1, 0.8]), lambda chosen: float(2 in chosen))
    [2, 0, 1]
    """
    chosen: list[int] = []
    heads = [list(reversed(first)), list(reversed(second))]
    while heads[0] and heads[1]:
        a, b = ((score((*chosen, kind[-1])), relevance[kind[-1]]) for kind in heads)
        chosen.append(heads[int(b > a)].pop())
    return chosen + heads[0][::-1] + heads[1][::-1]
