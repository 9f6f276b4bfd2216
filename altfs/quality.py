"""Qualities: what makes a feature set good, as data.

A quality knows nothing of selectors, searches or solvers. Solvers declare
which kinds of quality they can handle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError

#: Integers that stand for qualities in exact solvers: the largest value becomes
#: 2**SCALE_BITS, so sums of a million values still fit into 63 bits.
SCALE_BITS = 38
#: The same for ratios, of which squares are compared.
RATIO_BITS = 30


def scale(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Values as integers of which the largest absolute one is ``2**38``."""
    largest = float(np.abs(values).max())
    if largest == 0:
        return np.zeros(values.shape, dtype=np.int64)
    # Dividing first keeps values near the largest float finite.
    return np.rint(values / largest * 2.0**SCALE_BITS).astype(np.int64)


def finite_vector(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """A copy of one number per feature.

    Raises
    ------
    AltfsError
        If it is something else, or a number is not finite.
    """
    try:
        vector = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise AltfsError(f"{name}: only numbers are allowed, give one per feature.") from None
    if vector.ndim != 1 or vector.size == 0:
        raise AltfsError(f"{name}: shape {vector.shape} is not allowed, give one value per feature.")
    if not np.isfinite(vector).all():
        bad = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise AltfsError(f"{name}: entry {bad} is {vector[bad]}, only finite numbers are allowed.")
    return vector


def finite_square(name: str, values: npt.ArrayLike, n_total: int) -> npt.NDArray[np.float64]:
    """A copy of one number per pair of features; errors as in `finite_vector`."""
    try:
        matrix = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise AltfsError(f"{name}: only numbers are allowed, give one per pair.") from None
    if matrix.shape != (n_total, n_total):
        raise AltfsError(
            f"{name}: shape {matrix.shape} is not allowed, it has to be ({n_total}, {n_total})."
        )
    if not np.isfinite(matrix).all():
        i, j = np.argwhere(~np.isfinite(matrix))[0]
        raise AltfsError(
            f"{name}: entry ({i}, {j}) is {matrix[i, j]}, only finite numbers are allowed."
        )
    return matrix


class Quality(ABC):
    """The quality of feature sets; larger is better."""

    @property
    @abstractmethod
    def n_total(self) -> int:
        """Number of features to choose from (the paper's n)."""

    @abstractmethod
    def evaluate(self, indices: Sequence[int]) -> float:
        """The quality of one feature set, given by its feature indices."""

    def allows(self, indices: Sequence[int]) -> bool:
        """Whether the quality itself permits this feature set."""
        return True

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        """Whether a feature set is at least as good as `floor`."""
        return self.evaluate(indices) >= floor


class Linear(Quality):
    """Sum of one value per feature (Equation 9), optionally with conflicts.

    Parameters
    ----------
    values : array-like of shape (n_total,)
        Quality of each feature: finite, negative values allowed.
    conflicts : array-like of bool of shape (n_total, n_total), optional
        ``conflicts[i, j]``: features i and j must not be selected together
        (FCBF, Equation 10). Symmetrised; the diagonal is ignored.

    Notes
    -----
    Exact solvers work on `scaled`: the values divided by the largest absolute
    value, times ``2**38``, rounded. "Gap 0" means gap 0 in these integers, so a
    sum over m selected features is off by at most ``m / 2 * max|q| / 2**38``.

    Examples
    --------
    >>> Linear([0.5, 0.3, 0.2]).evaluate([0, 2])
    0.7
    """

    def __init__(self, values: npt.ArrayLike, conflicts: npt.ArrayLike | None = None) -> None:
        self.values = finite_vector("values", values)
        self.conflicts: npt.NDArray[np.bool_] | None = None
        if conflicts is not None:
            matrix = np.array(conflicts, dtype=bool)
            if matrix.shape != (self.n_total, self.n_total):
                raise AltfsError(
                    f"conflicts: shape {matrix.shape} is not allowed, "
                    f"it has to be ({self.n_total}, {self.n_total})."
                )
            matrix = matrix | matrix.T
            np.fill_diagonal(matrix, False)
            self.conflicts = matrix if matrix.any() else None

    @property
    def n_total(self) -> int:
        return int(self.values.size)

    @cached_property
    def unit(self) -> float:
        """What the integer 1 of `scaled` is worth."""
        return float(np.abs(self.values).max()) / 2.0**SCALE_BITS

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The values as integers, see Notes."""
        return scale(self.values)

    @cached_property
    def scaled(self) -> list[int]:
        """`weights` as a list of Python's integers, which cannot overflow."""
        return [int(w) for w in self.weights]

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """Features from best to worst; the smaller index first among equals."""
        return np.lexsort((np.arange(self.n_total), -self.weights))

    def scaled_floor(self, floor: float) -> int:
        """The smallest integer that stands for a quality of at least `floor`."""
        if self.unit == 0:
            return 0 if floor <= 0 else 1
        return ceil(Fraction(floor) / Fraction(self.unit))

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        return sum(self.scaled[j] for j in indices) >= self.scaled_floor(floor)

    def evaluate(self, indices: Sequence[int]) -> float:
        return float(sum(self.values[sorted(indices)].tolist()))

    def allows(self, indices: Sequence[int]) -> bool:
        if self.conflicts is None:
            return True
        chosen = list(indices)
        return not self.conflicts[np.ix_(chosen, chosen)].any()


class Pairwise(Quality):
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
        Whether a feature is redundant with itself.

    Notes
    -----
    Exact solvers work on integers: all numbers divided by the largest absolute
    one, times ``2**38``, rounded; the quality of a set is off by at most
    ``max / 2**38``.

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
        self.diagonal = diagonal

    @property
    def n_total(self) -> int:
        return int(self.relevance.size)

    @cached_property
    def unit(self) -> float:
        """What 1 is worth in the integers that stand for single numbers."""
        return float(max(np.abs(self.relevance).max(), self._pairs.max(initial=0))) / 2.0**SCALE_BITS

    @property
    def _pairs(self) -> npt.NDArray[np.float64]:
        pairs = np.abs(self.redundancy)
        if not self.diagonal:
            np.fill_diagonal(pairs, 0)
        return pairs

    @cached_property
    def _scaled(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        if self.unit == 0:
            return (
                np.zeros(self.n_total, dtype=np.int64),
                np.zeros((self.n_total, self.n_total), dtype=np.int64),
            )
        largest = self.unit * 2.0**SCALE_BITS
        matrix = self.redundancy.copy()
        if not self.diagonal:
            np.fill_diagonal(matrix, 0)
        return tuple(
            np.rint(part / largest * 2.0**SCALE_BITS).astype(np.int64)
            for part in (self.relevance, matrix)
        )  # type: ignore[return-value]

    def divisor(self, n_features: int) -> int:
        """What `integers` are multiples of."""
        if self.diagonal:
            return n_features**2
        return max(n_features * (n_features - 1), 1)

    def integers(self, n_features: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Gain of each feature and cost of each pair (symmetric) in a set of so many features.

        The quality of a set is (sum of gains - sum of costs) * `unit` / `divisor`.
        """
        gains, costs = self._scaled
        factor = self.divisor(n_features) // n_features
        own = np.diagonal(costs) if self.diagonal else 0
        both = costs + costs.T
        np.fill_diagonal(both, 0)
        return gains * factor - own, both

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        k = len(chosen)
        among = self.redundancy[np.ix_(chosen, chosen)]
        cost = float(among.sum()) if self.diagonal else float(among.sum() - np.trace(among))
        return float(self.relevance[chosen].sum()) / k - cost / self.divisor(k)


class Ratio(Quality):
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
    Exact solvers round both to multiples of ``2**-30`` of their largest number
    and compare the squares of the ratios, which are rational.

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
                raise AltfsError(f"{name}: {numbers.min()} is not allowed, use numbers from 0.")

    @property
    def n_total(self) -> int:
        return int(self.relevance.size)

    @cached_property
    def integers(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        """Gain of each feature, cost of each pair (symmetric), and what 1 is in the costs."""
        one = 1 << RATIO_BITS
        largest = float(self.relevance.max()) or 1.0
        gains = np.rint(self.relevance / largest * one).astype(np.int64)
        both = self.redundancy + self.redundancy.T
        np.fill_diagonal(both, 0)
        # Costs count against the 1 of each feature, so they are not divided.
        if both.max(initial=0.0) > 1e6:
            raise AltfsError(
                f"redundancy: {both.max() / 2} is not allowed, use numbers up to 500000."
            )
        return gains, np.rint(both * one).astype(np.int64), one

    @cached_property
    def unit(self) -> float:
        """What 1 is worth in the scaled gains."""
        return (float(self.relevance.max()) or 1.0) / 2.0**RATIO_BITS

    def evaluate(self, indices: Sequence[int]) -> float:
        chosen = sorted(indices)
        among = self.redundancy[np.ix_(chosen, chosen)]
        shared = len(chosen) + float(among.sum() - np.trace(among))
        return float(self.relevance[chosen].sum()) / sqrt(shared)


class BlackBox(Quality):
    """A quality known only by evaluating it (wrapper methods).

    Parameters
    ----------
    function : callable
        Takes a sorted tuple of feature indices, returns the quality.
    n_total : int
        Number of features to choose from.
    upper_bound : float, default=inf
        The largest value that `function` can take (1 for MCC and R^2).
    max_iterations : int, default=1000
        How many candidate sets a hill climber may ask its solver for
        (Algorithm 1's ``max_iters``).

    Notes
    -----
    Evaluations are remembered, so asking twice for the same set costs nothing.
    """

    def __init__(
        self,
        function: Callable[[tuple[int, ...]], float],
        n_total: int,
        upper_bound: float = float("inf"),
        max_iterations: int = 1000,
    ) -> None:
        if max_iterations < 1:
            raise AltfsError(f"max_iterations: {max_iterations} is too small, use at least 1.")
        self.function = function
        self._n_total = n_total
        self.upper_bound = upper_bound
        self.max_iterations = max_iterations
        self._known: dict[tuple[int, ...], float] = {}

    @property
    def n_total(self) -> int:
        return self._n_total

    def evaluate(self, indices: Sequence[int]) -> float:
        key = tuple(sorted(indices))
        if key not in self._known:
            self._known[key] = float(self.function(key))
        return self._known[key]
