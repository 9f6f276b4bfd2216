"""An attribute of the rows, which is not the target: what features tell about it, and chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray
from altfs.prediction.disparities import disparities
from altfs.scores.base import Part, ScoreKey
from altfs.scores.row_groups import permutation, shift

# The attribute is shuffled this often: for information, and for disparities.
_FEW_SHUFFLES, _MANY_SHUFFLES = 5, 20
_SEED = 0


def about(part: Part, codes: IntArray) -> Part:
    """Return a part whose target is an attribute: the number of each row's value."""
    kind = "binary" if len(np.unique(codes)) == 2 else "multiclass"
    return replace(part, y=codes, target_type=kind, scores={})


def attribute_bits(part: Part) -> FloatArray:
    """Return the information of each feature about the target in bits, at least 0.

    Features that tell nothing have some bits, too (:func:`chance_bits`).
    """
    bits: FloatArray = np.maximum(part.score(ScoreKey("relevance")), 0.0) / np.log(2)
    return bits


def chance_bits(part: Part) -> FloatArray:
    """Return the mean information of each feature about shuffled targets in bits."""
    bits = np.zeros(part.X.shape[1])
    shuffles = _shuffles(part.canonical_rows(), part.groups, part.times, _FEW_SHUFFLES)
    for order, places in shuffles:
        y = part.y.copy()
        y[order] = y[order[places]]
        bits += attribute_bits(part.with_target(y))
    return bits / _FEW_SHUFFLES


def chance_disparities(
    predicted: npt.NDArray[Any],
    y: npt.NDArray[Any],
    codes: IntArray,
    target_type: str,
    groups: IntArray | None = None,
    times: npt.NDArray[Any] | None = None,
) -> tuple[float, float]:
    """Return the mean disparities of shuffled attributes: those of predictions that know none.

    Those of values with few rows are large. Rows of a group stay together, and rows with times are
    shifted.

    Examples
    --------
    >>> y, codes = np.array([1, 0, 1, 0]), np.array([0, 0, 1, 1])
    >>> chance_disparities(y, y, codes, "binary")[1]
    0.0
    """
    keys = (codes, y, np.unique(predicted, return_inverse=True)[1])
    # The order of rows does not matter.
    rows = np.lexsort(keys if groups is None else (groups, *keys))
    means = np.mean(
        [
            disparities(predicted[order], y[order], codes[order[places]], target_type)
            for order, places in _shuffles(rows, groups, times, _MANY_SHUFFLES)
        ],
        axis=0,
    )
    parity, odds = means.tolist()
    return parity, odds


def _shuffles(
    order: IntArray, groups: IntArray | None, times: npt.NDArray[Any] | None, number: int
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield rows in an order, and the places whose attributes they get."""
    random = np.random.default_rng(_SEED)
    if times is not None:
        order = np.argsort(times, kind="stable")
    for _ in range(number):
        if times is None:
            labels = None if groups is None else groups[order]
            yield order, permutation(len(order), labels, random)
        else:
            yield order, shift(len(order), random)
