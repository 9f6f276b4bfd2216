"""Measures of columns whose numbers are cut where they tell classes apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from altfs._numbers import FloatArray, IntArray
from altfs.scores._information import codes
from altfs.scores.base import Part, dense
from altfs.scores.dependences.base import Dependence


class LevelMeasure(Dependence):
    """The base class of measures of levels that occur together.

    Numbers are cut into levels by :func:`mdl_levels`; categories are levels already. It is a
    DataError if the target is numeric.
    """

    for_classes = True
    # Numbers are cut where they tell classes apart.
    of_target = True

    def __init__(self, part: Part, columns: Sequence[int] = ()) -> None:
        self.check_target(part.target_type)
        self._columns, self._y = np.asarray(columns, dtype=np.int64), codes(part.y)
        features = (dense(part.X[:, [j]])[:, 0] for j in range(part.X.shape[1]))
        self._levels = np.ascontiguousarray(
            [
                codes(x) if is_category else mdl_levels(x, self._y)
                for x, is_category in zip(features, part.categorical, strict=True)
            ]
        )

    @abstractmethod
    def of_levels(self, levels: IntArray, first: IntArray, second: IntArray) -> FloatArray:
        """Return the measure of pairs of columns, each of which is a row of `levels`."""

    def with_target(self) -> FloatArray:
        both = np.vstack([self._levels, self._y])
        features = np.arange(len(self._levels))
        return self.of_levels(both, features, np.full(len(features), len(features)))

    def __call__(self, features: npt.ArrayLike, targets: npt.ArrayLike) -> FloatArray:
        chosen, places = np.asarray(features, dtype=np.int64), np.asarray(targets, dtype=np.int64)
        return self.of_levels(self._levels, chosen, self._columns[places])


def mdl_levels(x: FloatArray, y: IntArray) -> IntArray:
    """Cut a column where it tells classes apart, and return the level of each row.

    An interval is cut where the entropy of the classes becomes least, the first such place
    among equals. The cut counts if it saves more than it costs: ``log2(candidates) +
    log2(3**k - 2) - (k H - k1 H1 - k2 H2)`` bits, with k classes in an interval of entropy H.

    Source: Fayyad and Irani, IJCAI 1993; the number of candidates in place of N - 1 is the
    encoding of Weka's CFS.

    Parameters
    ----------
    x : ndarray of shape (n_rows,)
    y : ndarray of int of shape (n_rows,)
        Classes as 0, 1, ...

    Returns
    -------
    ndarray of int of shape (n_rows,)

    Examples
    --------
    >>> mdl_levels(np.arange(8.0), np.array([0, 0, 0, 0, 1, 1, 1, 1])).tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    counts = np.zeros((len(x) + 1, int(y.max()) + 1))
    np.cumsum(np.eye(counts.shape[1])[y[order]], axis=0, out=counts[1:])
    cuts, pending = [], [(0, len(x))]
    while pending:
        start, end = pending.pop()
        cut = _best_cut(ordered, counts, start, end)
        if cut:
            cuts.append(cut)
            pending += [(start, cut), (cut, end)]
    levels = np.empty(len(x), dtype=np.int64)
    levels[order] = np.searchsorted(np.sort(cuts), np.arange(len(x)), side="right")
    return levels


def _best_cut(ordered: FloatArray, counts: FloatArray, start: int, end: int) -> int:
    """Return the place of the accepted cut of an interval; 0 if there is none."""
    places = start + 1 + np.flatnonzero(ordered[start + 1 : end] > ordered[start : end - 1])
    if not len(places):
        return 0
    left, right = counts[places] - counts[start], counts[end] - counts[places]
    bits = _bits(left) + _bits(right)
    # Sums in another order differ in their last digits.
    best = int(np.flatnonzero(bits <= bits.min() + 1e-9)[0])
    whole = counts[end] - counts[start]
    k, k_left, k_right = (np.count_nonzero(c) for c in (whole, left[best], right[best]))
    if k < 2:
        return 0
    n, (h, h_left, h_right) = (
        end - start,
        (float(_bits(c[None])[0]) / c.sum() for c in (whole, left[best], right[best])),
    )
    cost = (
        np.log2(len(places)) + np.log2(3.0**k - 2) - (k * h - k_left * h_left - k_right * h_right)
    )
    return int(places[best]) if n * h - bits[best] > cost else 0


def _bits(counts: FloatArray) -> FloatArray:
    """Return the entropy of the classes in bits times the number of rows, for each row."""
    total = counts.sum(axis=1)
    logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    bits: FloatArray = total * np.log2(total) - (counts * logs).sum(axis=1)
    return bits
