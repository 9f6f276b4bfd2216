"""Clipped correlation: correlations with the target that outliers do not mislead."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from altfs.quality import Linear
from altfs.selectors import Part, Selector, SelectorOptions, selectors

from .clipping import clipped


class ClippedOptions(SelectorOptions):
    """share: of the values of a feature, at either end, that are clipped."""

    share: float = Field(default=0.05, ge=0, lt=0.5)


@selectors.register("clipped_correlation")
class ClippedCorrelation(Selector):
    """Sum of the absolute correlations of clipped features with the target."""

    Options = ClippedOptions
    needs_rows = True

    def quality(self, part: Part) -> Linear:
        X = clipped(part.X, self.options.share)
        # A constant column has the correlation 0, not that of rounding errors.
        X = np.where(np.ptp(X, axis=0) > 0, X - X.mean(axis=0), 0)
        y = part.y - part.y.mean()
        products = np.abs(y @ X)
        lengths = np.linalg.norm(X, axis=0) * np.linalg.norm(y)
        return Linear(np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0))
