"""Qualities in which pairs of features have costs: mRMR's and CFS's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import isqrt, sqrt
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from altfs._numbers import SCALE_BITS, FloatArray, check_value, finite_square, finite_vector, scale
from altfs.errors import AltfsError, DataError
from altfs.quality.base import Quality, as_table

if TYPE_CHECKING:
    import pyarrow as pa

#: Bits of the largest number in the comparison of ratios by their squares.
RATIO_BITS = 30
#: Ratios are compared as integers of this many more bits than the gains have.
MORE_BITS = 8


class PairQuality(Quality):
    """The base class of qualities of features and pairs."""

    exact = True
    relevance: npt.NDArray[np.float64]
    redundancy: npt.NDArray[np.float64]
    _excluded: tuple[int, ...] = ()

    @property
    def n_total(self) -> int:
        return int(self.relevance.size)

    @property
    def feature_relevance(self) -> npt.NDArray[np.float64]:
        return self.relevance

    @property
    @abstractmethod
    def unit(self) -> float:
        """The worth of 1 in the integers of single numbers."""

    @abstractmethod
    def divisor(self, n_features: int) -> int:
        """Return the number that makes the exact values of sets of a size whole."""

    def under(self, include: Sequence[int] = (), exclude: Sequence[int] = ()) -> Self:
        """Return the same numbers with integers that fit the features that are not excluded.

        The integers of excluded features become 0.

        Examples
        --------
        >>> leak = Pairwise([1e16, 3, 2], np.zeros((3, 3)))
        >>> leak.integers(2)[0].tolist()[1:], leak.under(exclude=(0,)).unit * 2**38
        ([0, 0], 3.0)
        """
        excluded = tuple(sorted(exclude))
        if excluded == self._excluded:
            return self
        other = copy(self)
        for name in ("unit", "integers", "_scaled"):
            other.__dict__.pop(name, None)
        other._excluded = excluded
        return self if not self._excluded and other.unit == self.unit else other

    @property
    def _counted(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Relevance and redundancy, 0 for excluded features."""
        relevance, redundancy = self.relevance.copy(), self.redundancy.copy()
        gone = list(self._excluded)
        relevance[gone] = 0
        redundancy[gone, :] = 0
        redundancy[:, gone] = 0
        return relevance, redundancy


class Pairwise(PairQuality):
    """Mean value of the features minus the mean cost of their pairs (mRMR).

    ``sum_j q_j / k - sum_{i != j} q_ij / (k (k - 1))`` for k features, or with
    the pairs (j, j) too and ``k^2`` in place of ``k (k - 1)``.

    Parameters
    ----------
    relevance : array-like of shape (n_total,)
        Finite numbers.
    redundancy : array-like of shape (n_total, n_total)
        Finite numbers; it need not be symmetric.
    diagonal : bool, default=False
        True if a feature is redundant with itself.

    Notes
    -----
    Exact solvers use integers: all numbers divided by the largest absolute one, times
    ``2**38``, rounded. In a problem this is the largest one of the features that are not
    excluded (:meth:`under`). The quality of a set has an error of at most ``max / 2**38``.

    Examples
    --------
    >>> Pairwise([1, 2, 4], [[0, 1, 3], [1, 0, 2], [3, 2, 0]]).evaluate([0, 2])
    -0.5
    """

    def __init__(
        self, relevance: npt.ArrayLike, redundancy: npt.ArrayLike, diagonal: bool = False
    ) -> None:
        self.relevance = finite_vector("relevance", relevance)
        self.redundancy = finite_square("redundancy", redundancy, self.n_total)
        check_value(isinstance(diagonal, bool), "diagonal", diagonal, "use True or False")
        self.diagonal = diagonal

    @classmethod
    def mean(cls, qualities: Sequence[Self]) -> Self:
        """Return the quality of mean relevance and redundancy, all with a diagonal or none.

        >>> some = [Pairwise([0.0, q], np.zeros((2, 2))) for q in (2, 4)]
        >>> Pairwise.mean(some).relevance
        array([0., 3.])
        """
        if len({q.diagonal for q in qualities}) > 1:
            reason = "some features are redundant with themselves, others are not"
            raise DataError("diagonal", reason, "use the same `diagonal` everywhere")
        return cls(*_means(qualities), diagonal=qualities[0].diagonal)

    @cached_property
    def unit(self) -> float:
        relevance, pairs = self._judged
        return float(max(np.abs(relevance).max(), np.abs(pairs).max(initial=0))) / 2.0**SCALE_BITS

    @property
    def _judged(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        relevance, pairs = self._counted
        if not self.diagonal:
            np.fill_diagonal(pairs, 0)
        return relevance, pairs

    @cached_property
    def _scaled(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        relevance, pairs = (scale(part, self.unit * 2.0**SCALE_BITS) for part in self._judged)
        return relevance, pairs

    def bound(self, n_features: int) -> float:
        """Return the mean of the most relevant features minus that of the cheapest pairs."""
        apart = ~np.eye(self.n_total, dtype=bool)
        pairs = np.sort(self.redundancy[apart])[: n_features * (n_features - 1)]
        cost = float(pairs.sum())
        if self.diagonal:
            cost += float(np.sort(np.diagonal(self.redundancy))[:n_features].sum())
        relevant = float(np.sort(self.relevance)[-n_features:].sum()) / n_features
        return relevant - cost / self.divisor(n_features)

    def to_table(self) -> pa.Table:
        """Return a table with the columns relevance and redundancy (a matrix row each).

        >>> Pairwise([1, 2], [[0, 3], [3, 0]]).to_table().to_pydict()
        {'relevance': [1.0, 2.0], 'redundancy': [[0.0, 3.0], [3.0, 0.0]]}
        """
        scalars = {"diagonal": self.diagonal}
        return as_table("pairwise", scalars, relevance=self.relevance, redundancy=self.redundancy)

    def divisor(self, n_features: int) -> int:
        """Return the number of which `integers` are multiples."""
        if self.diagonal:
            return n_features**2
        return max(n_features * (n_features - 1), 1)

    def integers(self, n_features: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the gain of each feature and the symmetric cost of each pair in sets of a size.

        The quality of a set is (sum of gains - sum of costs) * `unit` / `divisor`.
        """
        gains, costs = self._scaled
        factor = self.divisor(n_features) // n_features
        diagonal = np.diagonal(costs) if self.diagonal else 0
        both = costs + costs.T
        np.fill_diagonal(both, 0)
        return gains * factor - diagonal, both

    def exact_values(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        if not sets:
            return []
        chosen = np.array(sets, dtype=np.int64)
        gains, costs = self.integers(chosen.shape[1])
        among = costs[chosen[:, :, None], chosen[:, None, :]].sum(axis=(1, 2)) // 2
        divisor = self.divisor(chosen.shape[1])
        return [Fraction(int(v), divisor) for v in gains[chosen].sum(axis=1) - among]

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        k = len(chosen)
        among = self.redundancy[np.ix_(chosen, chosen)]
        cost = float(among.sum()) if self.diagonal else float(among.sum() - np.trace(among))
        return float(self.relevance[chosen].sum()) / k - cost / self.divisor(k)


class Ratio(PairQuality):
    """Sum of values over the root of what the features share (CFS).

    ``sum_j q_j / sqrt(k + sum_{i != j} q_ij)`` for k features.

    Parameters
    ----------
    relevance : array-like of shape (n_total,)
        At least 0.
    redundancy : array-like of shape (n_total, n_total)
        At least 0; it need not be symmetric, the diagonal is ignored.

    Notes
    -----
    Exact solvers round relevance to multiples of ``2**-30`` of its largest value. In a problem
    this is that of the features that are not excluded (:meth:`under`). They round costs of
    pairs to multiples of ``2**-30``. They compare the squares of ratios, which are rational.

    Examples
    --------
    >>> Ratio([1.0, 1.0, 3.0], np.zeros((3, 3))).evaluate([0, 2])
    2.82842712474619
    """

    def __init__(self, relevance: npt.ArrayLike, redundancy: npt.ArrayLike) -> None:
        self.relevance = finite_vector("relevance", relevance)
        self.redundancy = finite_square("redundancy", redundancy, self.n_total)
        for name, numbers in (("relevance", self.relevance), ("redundancy", self.redundancy)):
            if numbers.min() < 0:
                raise AltfsError(name, f"{numbers.min()} is not allowed", "use numbers from 0")

    @classmethod
    def mean(cls, qualities: Sequence[Self]) -> Self:
        """Return the quality of mean relevance and redundancy."""
        return cls(*_means(qualities))

    @cached_property
    def integers(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        """Gain of each feature, cost of each pair (symmetric), and the 1 of the costs."""
        unit = 1 << RATIO_BITS
        relevance, redundancy = self._counted
        largest = float(relevance.max()) or 1.0
        gains = np.rint(relevance / largest * unit).astype(np.int64)
        both = redundancy + redundancy.T
        np.fill_diagonal(both, 0)
        # Costs are added to the 1 of each feature, so they are not divided.
        if both.max(initial=0.0) > 1e6:
            raise AltfsError(
                "redundancy", f"{both.max() / 2} is not allowed", "use numbers up to 500000"
            )
        return gains, np.rint(both * unit).astype(np.int64), unit

    def exact_values(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        """Return the ratios as integers, rounded down.

        Examples
        --------
        >>> Ratio([1.0, 1.0], np.zeros((2, 2))).exact_values([[0]]) == [2**38]
        True
        """
        gains, costs, unit = self.integers
        values = []
        for chosen in sets:
            gain = sum(int(gains[j]) for j in chosen)
            cost = len(chosen) * unit + sum(int(costs[i, j]) for i, j in combinations(chosen, 2))
            values.append(Fraction(isqrt((gain * gain * unit << 2 * MORE_BITS) // cost)))
        return values

    def divisor(self, n_features: int) -> int:
        """Return 1: ratios are compared as they are."""
        return 1

    @cached_property
    def unit(self) -> float:
        """The worth of 1 in the scaled gains."""
        return (float(self._counted[0].max()) or 1.0) / 2.0**RATIO_BITS

    def bound(self, n_features: int) -> float:
        """Return the ratio of the most relevant features without any redundancy."""
        return float(np.sort(self.relevance)[-n_features:].sum()) / sqrt(n_features)

    def to_table(self) -> pa.Table:
        return as_table("ratio", {}, relevance=self.relevance, redundancy=self.redundancy)

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        among = self.redundancy[np.ix_(chosen, chosen)]
        shared = len(chosen) + float(among.sum() - np.trace(among))
        return float(self.relevance[chosen].sum()) / sqrt(shared)


def _means(qualities: Sequence[PairQuality]) -> tuple[FloatArray, FloatArray]:
    """Return the mean relevance and redundancy."""
    relevance = np.mean([q.relevance for q in qualities], axis=0)
    return relevance, np.mean([q.redundancy for q in qualities], axis=0)
