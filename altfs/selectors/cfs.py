"""CFS: high relevance of the features, over the root of their redundancy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.quality import Quality, Ratio
from altfs.scores.base import Part
from altfs.selectors.base import selectors
from altfs.selectors.mrmr import PairScores, over_the_largest


@selectors.register("cfs")
class Cfs(PairScores):
    """Correlation-based feature selection (Equation 11 of the paper's appendix).

    Both kinds of dependency are mutual information, as in the other filters.
    All values are divided by the largest one. A feature shares 1 with itself. Another `measure`
    takes the place of information, and nothing is divided: with symmetric_uncertainty as in
    Weka's ``CfsSubsetEval`` without its options.

    Source: Hall, *Correlation-based Feature Selection for Machine Learning*, PhD thesis,
    University of Waikato, 1999.
    """

    of_pairs = True

    def quality(self, part: Part) -> Quality:
        # A feature that tells less than by chance counts as one that tells nothing.
        relevance = np.maximum(part.score(self.relevance), 0.0)
        redundancy = part.score(self.redundancy)
        if self.options.is_information:
            return cfs_quality(relevance, redundancy)
        return Ratio(relevance, redundancy)


def cfs_quality(relevance: npt.NDArray[np.float64], redundancy: npt.NDArray[np.float64]) -> Ratio:
    """Return the quality of raw mutual information; the redundancy's diagonal does not count.

    >>> cfs_quality(np.array([1.0, 4.0]), np.zeros((2, 2))).evaluate([1])
    1.0
    """
    return Ratio(*over_the_largest(relevance, redundancy)[:2])
