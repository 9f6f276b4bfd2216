"""Joint relevance: what the features of a pair tell together about the target."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs.scores._levels import Levels
from altfs.scores._pair_estimator import check_enough_rows
from altfs.scores.base import Part, Score, scores
from altfs.scores.mixed._estimate import with_target

#: The default number of bins of a column of numbers.
BINS = 5


@scores.register("joint_relevance")
class JointRelevance(Score):
    """Mutual information of every pair of features with the target, in nats, less chance.

    Entry (i, j) is I(features i and j; target), and entry (j, j) that of feature j alone. Numbers
    of more values than the variant says, 5 with "auto", are cut into bins of about equally many
    rows; equal values share a bin. The mean over permutations of the target is subtracted, so an
    entry can be negative.
    """

    of_pairs = True
    any_variant = True
    bytes_per_pair = 64

    def check_rows(self, n_rows: int) -> None:
        check_enough_rows(n_rows)

    def compute(self, part: Part, columns: range, variant: str) -> npt.NDArray[np.float64]:
        check_enough_rows(len(part.y))
        number = BINS if variant == "auto" else int(variant)
        y = _binned(Levels.of(part.y, False), number, part.target_type != "regression")
        features = [
            _binned(x, number, bool(is_category))
            for x, is_category in zip(part.levels, part.categorical, strict=True)
        ]
        values = np.empty((len(features), len(columns)))
        for place, j in enumerate(columns):
            # Pairs within the range are the same from both sides.
            before = list(columns[:place])
            values[before, place] = values[j, :place]
            rows = np.setdiff1d(np.arange(len(features)), before)
            values[rows, place] = with_target([_joint(features[i], features[j]) for i in rows], y)
        return values


def _binned(x: Levels, number: int, is_category: bool) -> Levels:
    """Return numbers of many values in bins, and all else as categories."""
    if is_category or len(x.counts) <= number:
        return Levels(x.codes, x.counts, True)
    return x.grouped(number)


def _joint(x: Levels, y: Levels) -> Levels:
    # The same from both sides, to the last bit.
    return Levels.of_codes(x.codes * len(y.counts) + y.codes)
