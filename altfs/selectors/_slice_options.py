"""The options of selectors that are based on contrasts."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from altfs.scores._contrast import SliceSettings
from altfs.selectors.base import SelectorOptions


class SliceOptions(SelectorOptions):
    """n_slices: of each contrast. slice_share: of the rows. divergence: of the slice, or of all."""

    n_slices: int = Field(default=100, ge=1)
    slice_share: float = Field(default=0.01, gt=0, le=1)
    divergence: Literal["slice", "all"] = "slice"

    @property
    def slices(self) -> SliceSettings:
        """The settings of contrasts."""
        return SliceSettings(self.n_slices, self.slice_share, self.divergence == "all")
