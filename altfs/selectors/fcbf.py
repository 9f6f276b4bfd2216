"""FCBF: relevant features of which none makes another redundant."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.quality import Linear
from altfs.selectors.base import Qualities, SelectorOptions, selectors
from altfs.selectors.mutual_information import MutualInformation, relevance_on
from altfs.selectors.part import Part, ScoreKey
from altfs.selectors.scores import normalised

_REDUNDANCY = ScoreKey("redundancy")


@selectors.register("fcbf")
class Fcbf(MutualInformation):
    """Fast Correlation-Based Filter as constraints (Equation 10 of the paper).

    The objective is that of mutual information. Two features must not be
    selected together if either of them tells as much about the other as about
    the target; raw mutual information, in both directions, as the estimate is
    not symmetric.
    """

    def __init__(self, options: SelectorOptions | None = None) -> None:
        super().__init__(options)
        self.train_scores = (self.relevance, _REDUNDANCY)

    def fit(self, train: Part, test: Part) -> Qualities:
        relevance = train.score(self.relevance)
        pairs = conflicts(relevance, train.score(_REDUNDANCY))
        quality = Linear(normalised(relevance), pairs)
        return Qualities(quality, *relevance_on(test, self.relevance))


def conflicts(
    relevance: npt.NDArray[np.float64], redundancy: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Pairs of features that FCBF forbids.

    Parameters
    ----------
    relevance : ndarray of shape (n_total,)
        I(feature, target), raw.
    redundancy : ndarray of shape (n_total, n_total)
        I(feature i, feature j), raw, estimated with feature j as the target.

    Returns
    -------
    ndarray of bool of shape (n_total, n_total)
        Symmetric, False on the diagonal.
    """
    # In the author's code I(j1, j2) is the estimate with j1 in the target's place.
    dominated = relevance[None, :] <= redundancy
    result = dominated | dominated.T
    np.fill_diagonal(result, False)
    return result
