"""MIC: the maximal information coefficient of every feature and the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs._numbers import FloatArray, check_rows
from altfs.scores.base import Part
from altfs.selectors._from_rows import LinearFromRows
from altfs.selectors.base import SelectorOptions, selectors

_LEAST_ROWS = 4


class MicOptions(SelectorOptions):
    """exponent: of the largest number of cells. clumps: candidates for each column of a grid."""

    exponent: float = Field(default=0.6, gt=0, le=1)
    clumps: float = Field(default=15.0, gt=0, le=1000)


@selectors.register("mic")
class Mic(LinearFromRows):
    """The sum of the features' maximal information coefficients with the target.

    The coefficient is the largest mutual information of a grid on both columns, over the
    logarithm of the smaller number of its rows and columns. Grids have at most
    ``n_rows**exponent`` cells. It is 1 for noiseless functions, and 0 for constant features.
    Classes and categories count as numbers, in sorted order. Time and memory grow with the
    square of the number of candidates. A smaller `exponent` or `clumps` helps with many rows.

    Source: Reshef et al., *Detecting Novel Associations in Large Data Sets*, Science 334, 2011,
    with the approximation ApproxMaxMI of its supplement.
    """

    Options = MicOptions

    def values(self, part: Part) -> FloatArray:
        from altfs.selectors._characteristic import largest_entry

        check_rows(len(part.y), _LEAST_ROWS, "MIC")
        y, options = _ranks(part.y), self.options
        values = [
            largest_entry(*_ranks(column), *y, options.exponent, options.clumps)
            for column in part.X.T
        ]
        return np.array(values)


def _ranks(column: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the ranks of values, and the rows in their order."""
    ranks = np.unique(column, return_inverse=True)[1].astype(np.int64)
    return ranks, np.argsort(ranks, kind="stable")
