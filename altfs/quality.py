"""Qualities: what makes a feature set good, as data.

A quality knows nothing of selectors, searches or solvers. Solvers declare
which kinds of quality they can handle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import ceil, isnan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from altfs._numbers import SCALE_BITS, finite_vector, is_number, is_whole, scale
from altfs._pair_quality import Pairwise, Ratio
from altfs._quality import Quality
from altfs.errors import AltfsError

if TYPE_CHECKING:
    from altfs.constraints import Constraints

__all__ = ["SCALE_BITS", "BlackBox", "Linear", "Pairwise", "Quality", "Ratio"]

# Scores that cannot be above 1 can be above it by the last digit of a float.
_ROUNDING = 1e-9


class Linear(Quality):
    """Sum of one value per feature (Equation 9), optionally with conflicts.

    Parameters
    ----------
    values : array-like of shape (n_total,)
        Quality of each feature: finite. One with a negative value makes a set
        worse and is taken only where a set needs it to reach its size.
    conflicts : array-like of bool of shape (n_total, n_total), optional
        ``conflicts[i, j]``: features i and j must not be selected together
        (FCBF, Equation 10). Symmetrised; the diagonal is ignored.

    Notes
    -----
    Exact solvers work on `scaled`: the values divided by `largest`, times
    ``2**38``, rounded. "Gap 0" means gap 0 in these integers, so a sum over m
    selected features is off by at most ``m / 2 * largest / 2**38``. `largest` is
    the largest absolute value of all features, and in a problem that of the
    features that a set can hold (:meth:`under`).

    Examples
    --------
    >>> Linear([0.5, 0.3, 0.2]).evaluate([0, 2])
    0.7
    """

    def __init__(self, values: npt.ArrayLike, conflicts: npt.ArrayLike | None = None) -> None:
        self.values = finite_vector("values", values)
        self.conflicts: npt.NDArray[np.bool_] | None = None
        if conflicts is not None:
            matrix = _truths(conflicts)
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
    def _largest_of_all(self) -> float:
        return float(np.abs(self.values).max())

    @cached_property
    def largest(self) -> float:
        """The absolute value that becomes ``2**38``, see Notes."""
        return self._largest_of_all

    def under(self, constraints: Constraints) -> Linear:
        """The same values, `largest` among the features that a set can hold.

        These are the features that are not excluded and not in conflict with an
        included one. Sets to differ from and groups make no difference, so all
        sets of a search have the same integers. Those of features that no set
        can hold mean nothing.

        Examples
        --------
        >>> from altfs.constraints import Constraints
        >>> leak = Linear([1e16, 3.0, 2.0, 1.0])
        >>> leak.scaled[1:]
        [0, 0, 0]
        >>> leak.under(Constraints(exclude=(0,))).scaled[1] == 2**38
        True
        """
        largest = self._largest_of_all
        if constraints.exclude or (constraints.include and self.conflicts is not None):
            free = np.ones(self.n_total, dtype=bool)
            free[list(constraints.exclude)] = False
            if self.conflicts is not None:
                free &= ~self.conflicts[list(constraints.include)].any(axis=0)
            largest = float(np.abs(self.values).max(where=free, initial=0.0))
        if largest == self.largest:
            return self
        other = copy(self)
        for name in ("unit", "weights", "scaled", "order"):
            other.__dict__.pop(name, None)
        other.__dict__["largest"] = largest
        return other

    @cached_property
    def unit(self) -> float:
        """What the integer 1 of `scaled` is worth."""
        return self.largest / 2.0**SCALE_BITS

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The values as integers, see Notes."""
        return scale(self.values, self.largest)

    @cached_property
    def scaled(self) -> list[int]:
        """`weights` as a list of Python's integers, which cannot overflow."""
        return [int(w) for w in self.weights]

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """Features from best to worst; the smaller index first among equals."""
        return np.lexsort((np.arange(self.n_total), -self.weights))

    def scaled_floor(self, floor: float, n_features: int) -> int:
        """The smallest sum of integers that sets of a quality of `floor` can have.

        Every set of so many features whose quality is at least `floor` has this sum
        or a larger one. One of a lower quality has it only if it is lower by less
        than the rounding, `n_features` times `unit`.

        Examples
        --------
        >>> Linear([4.0, 2.0, 1.0]).scaled_floor(6.0, 2) == 3 * 2**37 - 1
        True
        """
        if self.unit == 0:
            return 0 if floor <= 0 else 1
        # Half an integer for each feature, and what floats lose by division and addition.
        slack = Fraction(n_features, 2) + Fraction(n_features * (n_features + 1), 1 << 15)
        beyond = (n_features << SCALE_BITS) + 1
        return min(max(ceil(Fraction(floor) / Fraction(self.unit) - slack), -beyond), beyond)

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        """Whether a feature set is as good as `floor`, see :meth:`scaled_floor`."""
        return sum(self.scaled[j] for j in indices) >= self.scaled_floor(floor, len(indices))

    def evaluate(self, indices: Sequence[int]) -> float:
        return float(sum(self.values[sorted(indices)].tolist()))

    def allows(self, indices: Sequence[int]) -> bool:
        if self.conflicts is None:
            return True
        chosen = list(indices)
        return not self.conflicts[np.ix_(chosen, chosen)].any()


def _truths(conflicts: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Conflicts as a copy of true and false; other values would all count as true."""
    given = np.array(conflicts)
    if given.dtype != np.bool_ and not (given.dtype.kind in "iuf" and np.isin(given, (0, 1)).all()):
        raise AltfsError("conflicts: only true and false (or 1 and 0) are allowed, for each pair.")
    return given.astype(np.bool_)


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
        if not callable(function):
            raise AltfsError(f"function: {function!r} cannot be called, use a function of a set.")
        for name, value in (("n_total", n_total), ("max_iterations", max_iterations)):
            if not is_whole(value) or value < 1:
                raise AltfsError(f"{name}: {value!r} is not allowed, use a whole number from 1.")
        if not is_number(upper_bound) or isnan(upper_bound):
            raise AltfsError(f"upper_bound: {upper_bound!r} is not allowed, use a number.")
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
            value = self.function(key)
            if not is_number(value) or isnan(value):
                raise AltfsError(
                    f"function: the quality of features {key} is {value!r}, numbers are needed."
                )
            if value - self.upper_bound > _ROUNDING:
                raise AltfsError(
                    f"function: the quality of features {key} is {value}, above its upper_bound "
                    f"{self.upper_bound}, use a larger one."
                )
            self._known[key] = float(value)
        return self._known[key]
