"""Contrast: how much the target differs inside slices of a feature set."""

from __future__ import annotations

from math import log
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs.quality import BlackBox
from altfs.scores._contrast import Contrasts, Divergence, SliceSettings, check_enough_rows
from altfs.scores.base import Part
from altfs.selectors.base import Selector, SelectorOptions, selectors


class SliceOptions(SelectorOptions):
    """n_slices, slice_share: of each contrast, and of the rows; divergence: see :class:`Contrast`.

    By default, the slices are those of the paper for 10,000 rows or more, and more and wider ones
    for fewer rows (:meth:`altfs.scores._contrast.SliceSettings.for_rows`).
    """

    n_slices: Annotated[int, Field(ge=1)] | None = None
    slice_share: Annotated[float, Field(gt=0, le=1)] | None = None
    divergence: Divergence = "slice"

    @property
    def slices(self) -> SliceSettings:
        """The settings of contrasts."""
        return SliceSettings(self.n_slices, self.slice_share, self.divergence)


class ContrastOptions(SliceOptions):
    """Options of contrasts of sets.

    of: the target inside slices of the set, or each of its features inside slices of the others,
    whatever the target is. max_iterations: the largest number of candidate sets that a search may
    ask for.
    """

    of: Literal["target", "features"] = "target"
    max_iterations: int = Field(default=1000, ge=1)


@selectors.register("contrast")
class Contrast(Selector):
    """The contrast of a set, which sees what its features tell together.

    It is the mean divergence of the target inside slices of the set, as in
    :class:`altfs.selectors.rar.Rar`. A slice of more features has about as many rows, so that
    few rows make all contrasts large. Compare sets of one size. Every set has random numbers
    of its own. A set without a slice has 0. The `divergence` of classes is that of the slice from
    all rows (slice), the reverse (all), or that of Jensen and Shannon, from 0 to 1.

    With `of` features it is the mean contrast of each feature on the others of the set, from 0 to
    1: the target does not count, and features that depend on each other are good. A set of one
    feature has 0.

    Source: Shekar, Bocklisch, Iglesias Sanchez, Straehle and Mueller, *Including Multi-feature
    Interactions and Redundancy for Feature Ranking in Mixed Datasets*, ECML PKDD 2017,
    Definition 1. Keller, Mueller and Boehm, *HiCS: High Contrast Subspaces for Density-Based
    Outlier Ranking*, ICDE 2012, for `of` features; theirs draws one of the features.
    """

    Options = ContrastOptions
    needs_rows = True
    # The quality draws slices of the rows.
    stores = False

    @property
    def needs_target(self) -> bool:  # type: ignore[override]
        return str(self.options.of) == "target"

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        check_enough_rows(len(y))

    def quality(self, part: Part) -> BlackBox:
        contrasts, n_total = Contrasts(part, self.options.slices), part.X.shape[1]
        if self.options.of == "features":
            return BlackBox(contrasts.within_set, n_total, 1.0, self.options.max_iterations)
        bound = _largest(part, self.options.divergence)
        return BlackBox(contrasts.of_set, n_total, bound, self.options.max_iterations)


def _largest(part: Part, divergence: Divergence) -> float:
    """Return a contrast of the target that no set exceeds."""
    from altfs.scores._slices import SMOOTHING

    if part.target_type == "regression" or divergence == "jensen_shannon":
        return 1.0
    counts = np.unique(part.y, return_counts=True)[1]
    # Of all rows from the slice, or the reverse: no share is smaller than this one.
    least = SMOOTHING + (0 if divergence == "all" else counts.min())
    return log((len(part.y) + SMOOTHING * len(counts)) / least)
