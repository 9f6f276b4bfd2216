"""Contrast: how much the target differs inside slices of a feature set."""

from __future__ import annotations

from math import log
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs.quality import BlackBox
from altfs.scores._contrast import Contrasts, SliceSettings, check_enough_rows
from altfs.scores.base import Part
from altfs.selectors.base import Selector, SelectorOptions, selectors


class SliceOptions(SelectorOptions):
    """n_slices: of each contrast. slice_share: of the rows. divergence: of the slice, or of all."""

    n_slices: int = Field(default=100, ge=1)
    slice_share: float = Field(default=0.01, gt=0, le=1)
    divergence: Literal["slice", "all"] = "slice"

    @property
    def slices(self) -> SliceSettings:
        """The settings of contrasts."""
        return SliceSettings(self.n_slices, self.slice_share, self.divergence == "all")


class ContrastOptions(SliceOptions):
    """max_iterations: the largest number of candidate sets that a search may ask for."""

    max_iterations: int = Field(default=1000, ge=1)


@selectors.register("contrast")
class Contrast(Selector):
    """The contrast of the target on the set itself, which sees what features tell together.

    It is the mean divergence of the target inside slices of the set, as in
    :class:`altfs.selectors.rar.Rar`. A slice of more features has about as many rows, so that
    few rows make all contrasts large. Compare sets of one size. Every set has random numbers
    of its own. A set without a slice has 0.

    Source: Shekar, Bocklisch, Iglesias Sanchez, Straehle and Mueller, *Including Multi-feature
    Interactions and Redundancy for Feature Ranking in Mixed Datasets*, ECML PKDD 2017,
    Definition 1.
    """

    Options = ContrastOptions
    needs_rows = True
    # The quality draws slices of the rows.
    stores = False

    def check_target(self, y: npt.NDArray[Any], target_type: str, seed: int) -> None:
        check_enough_rows(len(y))

    def quality(self, part: Part) -> BlackBox:
        contrasts = Contrasts(part, self.options.slices)
        bound = _largest(part, self.options.divergence == "all")
        return BlackBox(contrasts.of_set, part.X.shape[1], bound, self.options.max_iterations)


def _largest(part: Part, of_all: bool) -> float:
    """Return a contrast that no set exceeds."""
    from altfs.scores._slices import SMOOTHING

    if part.target_type == "regression":
        return 1.0
    counts = np.unique(part.y, return_counts=True)[1]
    # Of all rows from the slice, or the reverse: no share is smaller than this one.
    least = SMOOTHING + (0 if of_all else counts.min())
    return log((len(part.y) + SMOOTHING * len(counts)) / least)
