"""The ranking of RaR by redundancies that were recorded when a feature was left out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled
from altfs._numbers import FloatArray, IntArray


@compiled()
def greedy_scores(
    relevance: FloatArray, pointer: IntArray, sets: IntArray, values: FloatArray
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the score of every feature at its turn, the record of its redundancy, and its turn.

    The next feature has the best harmonic mean of relevance and 1 - redundancy, and is the
    first one among equals. Its redundancy is one of its records
    ``pointer[f]:pointer[f + 1]``, which ascend by value. Each record has a row of `sets`,
    padded by -1. It is the first record such that no later set of the feature contains all
    ranked features of its set. Without records, and for the first feature, it is 0, and the
    record is -1.
    """
    n_total = len(relevance)
    scores, score = np.zeros(n_total), np.zeros(n_total)
    record, turn = np.full(n_total, -1), np.zeros(n_total, dtype=np.int64)
    is_ranked, stale = np.zeros(n_total, dtype=np.bool_), np.ones(n_total, dtype=np.bool_)
    for place in range(n_total):
        best = -1
        for f in range(n_total):
            if is_ranked[f]:
                continue
            if stale[f]:
                if place:
                    record[f] = _record(sets, pointer[f], pointer[f + 1], is_ranked)
                left = 1.0 - (values[record[f]] if record[f] >= 0 else 0.0)
                both = relevance[f] + left
                score[f] = 2.0 * relevance[f] * left / both if both > 0 else 0.0
                stale[f] = False
            if best < 0 or score[f] > score[best]:
                best = f
        is_ranked[best] = True
        scores[best], turn[best] = score[best], place
        for f in range(n_total):
            stale[f] = place == 0 or (sets[pointer[f] : pointer[f + 1]] == best).any()
    return scores, record, turn


@compiled()
def _record(sets: IntArray, start: int, end: int, is_ranked: npt.NDArray[np.bool_]) -> int:
    for i in range(start, end):
        is_covered = False
        for j in range(i + 1, end):
            contains = True
            for feature in sets[i]:
                if feature >= 0 and is_ranked[feature] and not (sets[j] == feature).any():
                    contains = False
                    break
            if contains:
                is_covered = True
                break
        if not is_covered:
            return i
    return -1
