"""CFS: features that tell much about the target, over the root of what they share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.quality import Quality, Ratio
from altfs.selectors.base import selectors
from altfs.selectors.mrmr import PairScores
from altfs.selectors.part import Part


@selectors.register("cfs")
class Cfs(PairScores):
    """Correlation-based feature selection (Equation 11 of the paper's appendix).

    With mutual information for both kinds of dependency, as in the other
    filters; divided by the largest of them, a feature shares 1 with itself.
    """

    def _quality(self, part: Part) -> Quality:
        return cfs_quality(part.score(self.relevance), part.score(self.redundancy))


def cfs_quality(relevance: npt.NDArray[np.float64], redundancy: npt.NDArray[np.float64]) -> Ratio:
    """The quality of raw mutual information; the redundancy's diagonal does not count.

    Examples
    --------
    >>> cfs_quality(np.array([1.0, 4.0]), np.zeros((2, 2))).evaluate([1])
    1.0
    """
    pairs = redundancy.copy()
    np.fill_diagonal(pairs, 0)
    largest = max(float(relevance.max()), float(pairs.max())) or 1.0
    return Ratio(relevance / largest, pairs / largest)
