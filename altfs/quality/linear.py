"""Linear quality: the sum of one value for each feature."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from altfs._numbers import SCALE_BITS, finite_vector, scale
from altfs.errors import AltfsError
from altfs.quality.base import Quality, as_table

if TYPE_CHECKING:
    import pyarrow as pa


class Shares(NamedTuple):
    """Parts of the values of features, if a selector knows them."""

    #: Shape (n_total,).
    relevance: npt.NDArray[np.float64]
    redundancy: npt.NDArray[np.float64]
    #: The features with which each one has its redundancy.
    shared_with: tuple[tuple[int, ...], ...]


class Linear(Quality):
    """Sum of one value per feature (Equation 9), optionally with conflicts.

    Parameters
    ----------
    values : array-like of shape (n_total,)
        Finite qualities of the features. A feature with a negative value makes a set worse.
        It is selected only if a set needs it to reach its size.
    conflicts : array-like of bool of shape (n_total, n_total), optional
        ``conflicts[i, j]`` is True if features i and j must not be selected together
        (FCBF, Equation 10). It is made symmetric, and the diagonal is ignored.
    shares : Shares, optional
        What `explain` says of the values. It is not stored.

    Notes
    -----
    Exact solvers use `scaled`: the values divided by `largest`, times ``2**38``, rounded.
    "Gap 0" means gap 0 in these integers. So the sum of m features has an error of at most
    ``m / 2 * largest / 2**38``. `largest` is the largest absolute value of all features. In a
    problem it is that of the features that a set can hold (:meth:`under`).

    Examples
    --------
    >>> Linear([0.5, 0.3, 0.2]).evaluate([0, 2])
    0.7
    """

    additive = True
    exact = True

    def __init__(
        self,
        values: npt.ArrayLike,
        conflicts: npt.ArrayLike | None = None,
        shares: Shares | None = None,
    ) -> None:
        self.values = finite_vector("values", values)
        self.shares = shares
        self.conflicts = None
        if conflicts is not None:
            matrix = _truths(conflicts)
            if matrix.shape != (self.n_total, self.n_total):
                advice = f"it has to be ({self.n_total}, {self.n_total})"
                raise AltfsError("conflicts", f"shape {matrix.shape} is not allowed", advice)
            matrix = matrix | matrix.T
            np.fill_diagonal(matrix, False)
            self.conflicts = matrix if matrix.any() else None

    @classmethod
    def mean(cls, qualities: Sequence[Self]) -> Self:
        """Return the sum of mean values; conflicts of any of them remain.

        >>> Linear.mean([Linear([0.0, 4.0]), Linear([2.0, 4.0])]).values
        array([1., 4.])
        """
        conflicts = [q.conflicts for q in qualities if q.conflicts is not None]
        return cls(
            np.mean([q.values for q in qualities], axis=0),
            np.any(conflicts, axis=0) if conflicts else None,
        )

    @property
    def n_total(self) -> int:
        return int(self.values.size)

    @property
    def feature_relevance(self) -> npt.NDArray[np.float64]:
        return self.values

    @cached_property
    def _largest_of_all(self) -> float:
        return float(np.abs(self.values).max())

    @cached_property
    def largest(self) -> float:
        """The absolute value that becomes ``2**38``, see Notes."""
        return self._largest_of_all

    def under(self, include: Sequence[int] = (), exclude: Sequence[int] = ()) -> Linear:
        """Return the same values with the `largest` of the features that a set can hold.

        These are not excluded and not in conflict with an included feature. Given sets and
        groups make no difference, so all sets of a search have the same integers. The
        integers of the other features have no meaning.

        Examples
        --------
        >>> leak = Linear([1e16, 3.0, 2.0, 1.0])
        >>> leak.scaled[1:]
        [0, 0, 0]
        >>> leak.under(exclude=(0,)).scaled[1] == 2**38
        True
        """
        largest = self._largest_of_all
        if exclude or (include and self.conflicts is not None):
            free = np.ones(self.n_total, dtype=bool)
            free[list(exclude)] = False
            if self.conflicts is not None:
                free &= ~self.conflicts[list(include)].any(axis=0)
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
        """The worth of the integer 1 of `scaled`."""
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
        """Return the smallest sum of integers that sets of a quality of `floor` can have.

        Every set of `n_features` features whose quality is at least `floor` has this sum or a
        larger one. Of the other sets, only those have it whose quality is lower by less than
        the rounding, `n_features` times `unit`.

        Examples
        --------
        >>> Linear([4.0, 2.0, 1.0]).scaled_floor(6.0, 2) == 3 * 2**37 - 1
        True
        """
        if self.unit == 0:
            return 0 if floor <= 0 else 1
        # Half an integer for each feature, and the rounding of divisions and additions.
        slack = Fraction(n_features, 2) + Fraction(n_features * (n_features + 1), 1 << 15)
        beyond = (n_features << SCALE_BITS) + 1
        return min(max(ceil(Fraction(floor) / Fraction(self.unit) - slack), -beyond), beyond)

    def reaches(self, indices: Sequence[int], floor: float) -> bool:
        """Return True if a feature set is at least as good as `floor` (:meth:`scaled_floor`)."""
        return sum(self.scaled[j] for j in indices) >= self.scaled_floor(floor, len(indices))

    def exact_values(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        return [Fraction(sum(self.scaled[j] for j in chosen)) for chosen in sets]

    def bound(self, n_features: int) -> float:
        """Return the quality of the best features together, without regard to conflicts."""
        return self.evaluate(np.argsort(-self.values, kind="stable")[:n_features].tolist())

    def to_table(self) -> pa.Table:
        """Return a table with the columns value and, if there are any, conflicts.

        Examples
        --------
        >>> Linear([3, 2, 1], [[0, 1, 0], [0, 0, 0], [0, 0, 0]]).to_table().to_pydict()
        {'value': [3.0, 2.0, 1.0], 'conflicts': [[1], [0], []]}
        """
        columns = {} if self.conflicts is None else {"conflicts": self.conflicts}
        return as_table("linear", {}, value=self.values, **columns)

    def evaluate(self, indices: Sequence[int]) -> float:
        return float(sum(self.values[sorted(indices)].tolist()))

    def allows(self, indices: Sequence[int]) -> bool:
        if self.conflicts is None:
            return True
        chosen = list(indices)
        return not self.conflicts[np.ix_(chosen, chosen)].any()


def _truths(conflicts: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Copy conflicts as booleans; numpy would take any other value for true."""
    given = np.array(conflicts)
    if given.dtype != np.bool_ and not (given.dtype.kind in "iuf" and np.isin(given, (0, 1)).all()):
        raise AltfsError("conflicts", "only true and false (or 1 and 0) are allowed, for each pair")
    return given.astype(np.bool_)
