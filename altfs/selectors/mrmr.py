"""mRMR: features that tell much about the target and little about one another."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from altfs.errors import DataError
from altfs.quality import Pairwise, Quality
from altfs.selectors.base import Qualities, Selector, SelectorOptions, selectors
from altfs.selectors.mutual_information import MutualInformationOptions
from altfs.selectors.part import Part, ScoreKey


class PairScores(Selector):
    """What selectors of relevance and redundancy share."""

    Options = MutualInformationOptions

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.relevance = ScoreKey("relevance", self.options.estimator)
        self.redundancy = ScoreKey("redundancy")
        self.train_scores = (self.relevance, self.redundancy)
        self.test_scores = (self.relevance, self.redundancy)

    def fit(self, train: Part, test: Part) -> Qualities:
        quality = self._quality(train)
        try:
            return Qualities(quality, self._quality(test))
        except DataError as error:
            return Qualities(quality, None, str(error))

    @abstractmethod
    def _quality(self, part: Part) -> Quality:
        """The quality on one part."""


class MrmrOptions(MutualInformationOptions):
    """diagonal: whether a feature is redundant with itself, as in the paper's formula."""

    diagonal: bool = False


@selectors.register("mrmr")
class Mrmr(PairScores):
    """Minimal redundancy, maximal relevance (Equation 12 of the paper's appendix).

    Mean mutual information with the target minus that between the features,
    all divided by the largest of them. The author's later code leaves a
    feature's information about itself out, and so do we unless `diagonal`.
    """

    Options = MrmrOptions

    def _quality(self, part: Part) -> Quality:
        relevance, redundancy = part.score(self.relevance), part.score(self.redundancy)
        return mrmr_quality(relevance, redundancy, self.options.diagonal)


def mrmr_quality(
    relevance: npt.NDArray[np.float64],
    redundancy: npt.NDArray[np.float64],
    diagonal: bool = False,
) -> Pairwise:
    """The quality of raw mutual information.

    Parameters
    ----------
    relevance : ndarray of shape (n_total,)
    redundancy : ndarray of shape (n_total, n_total)
    diagonal : bool, default=False

    Examples
    --------
    >>> import numpy as np
    >>> mrmr_quality(np.array([1.0, 2.0]), np.array([[9, 4.0], [2, 9]])).evaluate([0, 1])
    -0.375
    """
    pairs = redundancy.copy()
    if not diagonal:
        np.fill_diagonal(pairs, 0)
    largest = max(float(relevance.max()), float(pairs.max())) or 1.0
    return Pairwise(relevance / largest, pairs / largest, diagonal)
