"""RaR: relevance from the contrasts of drawn subsets, and redundancy between features."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, field_validator

from altfs._numbers import FloatArray, IntArray
from altfs.errors import DataError
from altfs.progress import tell
from altfs.quality import Linear, Pairwise, Quality
from altfs.quality.linear import Shares
from altfs.scores._contrast import Contrasts, SliceSettings, without_each
from altfs.scores.base import Part, ScoreKey
from altfs.scores.subset_contrasts import MOST_SUBSETS, Subsets
from altfs.selectors._relevance_program import relevances
from altfs.selectors.base import Selector, SelectorOptions, selectors
from altfs.selectors.contrast import SliceOptions

Groups = tuple[tuple[int, ...], ...]
Size = Annotated[int, Field(ge=1)]
# Copies of the matrix of pairs that exist at a time.
_COPIES = 4
# Features in a task of a thread.
_PLACES_AT_ONCE = 16


class RarOptions(SliceOptions):
    """Options of RaR.

    n_subsets: a number, or auto: as many as miss a given set of `interaction` features with
    probability `miss`. subset_size: the largest size, or the smallest and the largest; by
    default 1 to 5. sampling, redundancy: see :class:`Rar`.
    """

    n_subsets: Annotated[int, Field(ge=1, le=MOST_SUBSETS)] | Literal["auto"] = 1000
    interaction: int = Field(default=2, ge=1)
    miss: float = Field(default=0.05, gt=0, lt=1)
    subset_size: Size | tuple[Size, Size] | None = None
    sampling: Literal["whole", "leave_one_out"] = "whole"
    redundancy: Literal["order", "pairs", "none"] = "order"

    @field_validator("subset_size", mode="before")
    @classmethod
    def _checked_size(cls, value: Any) -> Any:
        if isinstance(value, list | tuple) and len(value) != 2:
            raise ValueError(
                f"{list(value)} is not allowed, use a whole number, or the smallest and the "
                "largest one"
            )
        return value

    @field_validator("subset_size")
    @classmethod
    def _ascending_sizes(cls, value: Any) -> Any:
        if isinstance(value, tuple) and value[0] > value[1]:
            raise ValueError(f"{list(value)} is not allowed, give the smaller size first")
        return value

    @property
    def subsets(self) -> Subsets:
        """The subsets that are drawn."""
        size = self.subset_size
        sizes = (1, size) if isinstance(size, int) else size
        left_out = self.sampling == "leave_one_out"
        if self.n_subsets != "auto":
            return Subsets(self.n_subsets, sizes=sizes, left_out=left_out, slices=self.slices)
        return Subsets(None, self.interaction, self.miss, sizes, left_out, self.slices)


@selectors.register("rar")
class Rar(Selector):
    """RaR: the relevance of features in drawn subsets, and what they share with others.

    A feature that tells something only together with others is relevant, too. The contrast
    of a subset is how much the target differs inside slices of it
    (:class:`altfs.scores._contrast.Contrasts`): for classes the Kullback-Leibler divergence of
    the slice from all rows (`divergence` slice), the reverse (all) or that of Jensen and Shannon
    (jensen_shannon), for numbers the scaled Kolmogorov-Smirnov distance. A quadratic program
    makes relevances of them, divided by the largest one. With `sampling` leave_one_out, subsets
    have one feature more. Each of them in turn is left out, and its redundancy with the rest is
    recorded.

    With `redundancy` none the quality is the sum of the relevances. With order it is the sum
    of the paper's scores, harmonic means of relevance and 1 - redundancy. A redundancy is the
    largest contrast of the feature on groups of the features with larger relevance; among
    equal ones the first counts as larger. With leave_one_out features are ranked one by one,
    each by its recorded redundancy with those that are ranked already. The values are the
    scores of these turns, the largest for the first. With pairs the quality is the mean
    relevance minus the mean contrast of all pairs in the set. Only pairs judges redundancy
    within a set, as alternatives need.

    A contrast is 0 if no slice has a row. Fewer than 10 rows are refused. Strictly monotone
    transformations of numbers and new names of categories do not change a value.

    Source: Shekar, Bocklisch, Iglesias Sanchez, Straehle and Mueller, *Including Multi-feature
    Interactions and Redundancy for Feature Ranking in Mixed Datasets*, ECML PKDD 2017,
    Algorithms 1 and 2 and Definition 4. `pairs` is an addition.
    """

    Options = RarOptions
    needs_rows = True

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.subsets = self.options.subsets
        keys = [ScoreKey("subset_contrasts", self.subsets.text)]
        self.of_pairs = self.options.redundancy == "pairs"
        if self.of_pairs:
            slices: SliceSettings = self.options.slices
            default = slices == SliceSettings()
            keys.append(ScoreKey("pair_contrasts", "auto" if default else slices.text))
        self.train_scores = self.test_scores = tuple(keys)

    def check_features(self, names: Sequence[str]) -> None:
        n_total = len(names)
        self.subsets.check(n_total)
        if not self.of_pairs:
            return
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        needed = 8 * _COPIES * n_total**2
        if needed > memory:
            raise DataError(
                "redundancy",
                f"pairs of {n_total} features need {needed / 2**30:.0f} GiB of memory, "
                f"{memory / 2**30:.0f} GiB are there",
                "use order, none or fewer features",
            )

    def quality(self, part: Part) -> Quality:
        relevance = self.relevance(part)
        if self.options.redundancy == "none":
            return Linear(relevance)
        if self.of_pairs:
            contrasts = part.score(self.train_scores[1])
            return Pairwise(relevance, (contrasts + contrasts.T) / 2)
        if self.subsets.left_out:
            return self._greedy_quality(part, relevance)
        redundancy, groups = self.redundancy(part, relevance)
        both = relevance + 1 - redundancy
        product = 2 * relevance * (1 - redundancy)
        score = np.divide(product, both, out=np.zeros_like(both), where=both > 0)
        return Linear(score, shares=Shares(relevance, redundancy, groups))

    def relevance(self, part: Part) -> FloatArray:
        """Return the relevance of every feature; the largest one is 1 unless all are 0."""
        sets, values = self._sets_and_values(part)
        bounds = values[:, ::2] if self.subsets.left_out else values
        if np.isnan(bounds).all():
            advice = "use more slices, a larger slice_share or smaller subsets"
            raise DataError("n_slices", "no slice of any subset has a row", advice)
        if self.subsets.left_out:
            without = without_each(sets)
            sets, bounds = without.reshape(-1, sets.shape[1]), bounds.reshape(-1)
            sets, bounds = sets[bounds == bounds], bounds[bounds == bounds]
        relevance = relevances(sets, np.nan_to_num(bounds).ravel(), part.X.shape[1])
        return relevance / (relevance.max() or 1.0)

    def redundancy(self, part: Part, relevance: FloatArray) -> tuple[FloatArray, Groups]:
        """Return the redundancy of every feature with those of larger relevance, and with which."""
        from sklearn.utils.parallel import Parallel, delayed

        contrasts = Contrasts(part, self.options.slices)
        ranking = np.argsort(-relevance, kind="stable")
        most, n_total = self.subsets.range(len(ranking))[1], len(ranking)
        # The last places have most groups, so that they come first.
        places = np.arange(n_total)[::-1]
        turns = [places[a : a + _PLACES_AT_ONCE] for a in range(0, n_total, _PLACES_AT_ONCE)]
        jobs = (delayed(_redundancies)(contrasts, ranking, turn, most) for turn in turns)
        groups: list[tuple[int, ...]] = [()] * n_total
        values = np.empty(n_total)
        results: list[tuple[float, tuple[int, ...]]] = []
        for turn in Parallel(prefer="threads", return_as="generator")(jobs):
            results += turn
            tell("redundancies of features", len(results), n_total)
        for j, (value, group) in zip(ranking[::-1], results, strict=True):
            values[j], groups[j] = value, group
        return values, tuple(groups)

    def _sets_and_values(self, part: Part) -> tuple[IntArray, FloatArray]:
        values = self.subsets.by_subset(part.score(self.train_scores[0]))
        sets = self.subsets.drawn(np.arange(len(values)), part.seed, part.X.shape[1])
        return sets, values

    def _greedy_quality(self, part: Part, relevance: FloatArray) -> Linear:
        from altfs.selectors._greedy_redundancy import greedy_scores

        sets, values = self._sets_and_values(part)
        features, rests, recorded = sets.ravel(), without_each(sets), values[:, 1::2].ravel()
        present = (features >= 0) & ~np.isnan(recorded)
        features, recorded = features[present], recorded[present]
        order = np.lexsort((np.flatnonzero(present), recorded, features))
        pointer = np.searchsorted(features[order], np.arange(part.X.shape[1] + 1))
        rests, recorded = rests.reshape(-1, sets.shape[1])[present][order], recorded[order]
        score, record, turn = greedy_scores(relevance, pointer, rests, recorded)
        groups: list[tuple[int, ...]] = [()] * len(score)
        redundancy = np.zeros(len(score))
        for j in np.flatnonzero(record >= 0):
            redundancy[j] = recorded[record[j]]
            rest = rests[record[j]]
            groups[j] = tuple(int(i) for i in rest if i >= 0 and turn[i] < turn[j])
        # A score can be larger than those of earlier turns; the order is that of the turns.
        values = np.sort(score)[::-1][turn]
        return Linear(values, shares=Shares(relevance, redundancy, tuple(groups)))


def _redundancies(
    contrasts: Contrasts, ranking: IntArray, places: IntArray, most: int
) -> list[tuple[float, tuple[int, ...]]]:
    return [contrasts.of_place(ranking, int(place), most) for place in places]
