"""Information of features about an attribute of the rows, which is not the target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from altfs._numbers import FloatArray, IntArray
from altfs.scores.base import Part, ScoreKey
from altfs.scores.row_groups import permutation

# The attribute is shuffled this often.
_N_SHUFFLES = 5
_SEED = 0


def about(part: Part, codes: IntArray) -> Part:
    """Return a part whose target is an attribute: the number of each row's value."""
    kind = "binary" if len(np.unique(codes)) == 2 else "multiclass"
    return replace(part, y=codes, target_type=kind, scores={})


def attribute_bits(part: Part) -> tuple[FloatArray, FloatArray]:
    """Return the information of each feature about the target in bits, and that by chance.

    Both are at least 0, so that features that tell nothing have some bits. Those by chance are the
    mean over five shuffles of the target.
    """
    order, random = part.canonical_rows(), np.random.default_rng(_SEED)
    shuffled = np.zeros(part.X.shape[1])
    for _ in range(_N_SHUFFLES):
        places = permutation(len(order), None, random)
        y = part.y.copy()
        y[order] = y[order[places]]
        shuffled += _bits(part.with_target(y))
    return _bits(part), shuffled / _N_SHUFFLES


def _bits(part: Part) -> FloatArray:
    bits: FloatArray = np.maximum(part.score(ScoreKey("relevance")), 0.0) / np.log(2)
    return bits
