"""The absolute correlation of ranks."""

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray
from altfs.scores.dependences._correlation import Correlations
from altfs.scores.dependences.base import dependences


@dependences.register("spearman")
class Spearman(Correlations):
    """Absolute correlation of ranks, of which equal values have the mean.

    Source: Spearman, *The Proof and Measurement of Association between Two Things*, American
    Journal of Psychology 15, 1904.
    """

    def placed(self, x: npt.NDArray[np.float64]) -> FloatArray:
        from scipy.stats import rankdata

        ranks: FloatArray = rankdata(x)
        return ranks
