"""Heights of curves in whole numbers, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled

# Scores that differ by less are equal; sums of a few columns round by less.
_TIE = 1e-12


@compiled()
def levels_of(
    positives: npt.NDArray[np.float64], negatives: npt.NDArray[np.float64], whole: int
) -> npt.NDArray[np.int64]:
    """Return the curve of specificity, or that of confidence if `whole` is not 0.

    Parameters
    ----------
    positives, negatives : ndarray
        The scores of the rows of both classes; those of the positive rows get sorted.
    whole : int
        The level of confidence 1.

    Returns
    -------
    ndarray of int of shape (len(positives),)
    """
    n_positive, n_negative = len(positives), len(negatives)
    positives.sort()
    # The number of negative rows that lie below so many of the thresholds.
    below = np.zeros(n_positive + 1, dtype=np.int64)
    for value in negatives:
        low, high = 0, n_positive
        while low < high:
            middle = (low + high) // 2
            if positives[middle] - _TIE > value:
                high = middle
            else:
                low = middle + 1
        below[n_positive - low] += 1
    levels = np.empty(n_positive, dtype=np.int64)
    count = 0
    for k in range(n_positive, 0, -1):
        count += below[k]
        levels[k - 1] = count
    if whole == 0:
        return levels
    best = np.zeros(n_positive, dtype=np.int64)
    reached = 0
    for k in range(1, n_positive + 1):
        threshold = positives[n_positive - k] - _TIE
        reached = max(reached, k)
        while reached < n_positive and positives[n_positive - reached - 1] >= threshold:
            reached += 1
        asked = reached + n_negative - levels[k - 1]
        # Rounded to the nearest level.
        confidence = (2 * reached * whole + asked) // (2 * asked)
        best[reached - 1] = max(best[reached - 1], confidence)
    for k in range(n_positive - 2, -1, -1):
        best[k] = max(best[k], best[k + 1])
    return best
