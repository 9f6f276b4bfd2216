"""A quality less the prices of wishes that a set violates, and of features that it shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from typing import Self

import numpy as np

from altfs.problem.conditions import Wish
from altfs.quality import Linear, Pairwise, Quality


class Priced(Quality):
    """A quality less the prices of wishes and of shared features.

    Parameters
    ----------
    base : Quality
        The quality without prices.
    wishes : sequence of Wish
        Conditions on column numbers, each with a price.
    share_price : float, default=0
        The price of each feature that a set shares with one of the `earlier` sets.
    earlier : sequence of sequence of int, default=()
        The sets before, which :meth:`beside` gives.

    Examples
    --------
    >>> from altfs.problem import Group, Wish
    >>> priced = Priced(Linear([3.0, 2.0, 1.0]), [Wish(0.5, Group((0,), at_most=0))], 0.25)
    >>> priced.evaluate([0, 1]), priced.beside([(1, 2)]).evaluate([0, 1])
    (4.5, 4.25)
    """

    def __init__(
        self,
        base: Quality,
        wishes: Sequence[Wish],
        share_price: float = 0.0,
        earlier: Sequence[Sequence[int]] = (),
    ) -> None:
        self.base, self.wishes, self.share_price = base, tuple(wishes), share_price
        self.earlier = tuple(map(frozenset, earlier))
        self.conflicts = base.conflicts
        self._conditions = [
            [*wish.condition.inequalities(f"wishes[{i}]")] for i, wish in enumerate(self.wishes)
        ]

    @property
    def n_total(self) -> int:
        return self.base.n_total

    @property
    def max_evaluations(self) -> int | None:
        return self.base.max_evaluations

    def allows(self, indices: Sequence[int]) -> bool:
        return self.base.allows(indices)

    def under(self, include: Sequence[int] = (), exclude: Sequence[int] = ()) -> Self:
        other = copy(self)
        other.base = self.base.under(include, exclude)
        return other

    def beside(self, sets: Sequence[Sequence[int]]) -> Self:
        other = copy(self)
        other.earlier = tuple(map(frozenset, sets))
        return other

    def bound(self, n_features: int) -> float:
        return self.base.bound(n_features)

    def evaluate(self, indices: Sequence[int]) -> float:
        return self.base.evaluate(indices) - sum(self.payments(indices))

    def payments(self, indices: Sequence[int]) -> list[float]:
        """Return what a set pays for each wish, and last for the features that it shares."""
        held = {*indices}
        paid = [
            0.0 if all(limit.admits(held) for limit in limits) else wish.price
            for wish, limits in zip(self.wishes, self._conditions, strict=True)
        ]
        shared = sum(len(held & other) for other in self.earlier)
        return [*paid, self.share_price * shared]

    @property
    def shared_counts(self) -> dict[int, float]:
        """The number of earlier sets that each feature is in, if it is in any."""
        counts: Counter[int] = Counter(j for other in self.earlier for j in other)
        return {j: float(n) for j, n in sorted(counts.items())}

    def exact_values(self, sets: Sequence[Sequence[int]]) -> list[Fraction]:
        return [Fraction(self.evaluate(chosen)) for chosen in sets]

    def without_wishes(self, n_features: int) -> Quality | None:
        """Return the quality of sets of a size less what they pay for shared features.

        It is None if exact solvers do not know it: the base is not a sum of values of features or
        pairs, and shared features have a price.
        """
        counts = np.zeros(self.n_total)
        for j, number in self.shared_counts.items():
            counts[j] = self.share_price * number
        base = self.base
        if not counts.any():
            return base
        if isinstance(base, Linear):
            return Linear(base.values - counts, base.conflicts)
        if isinstance(base, Pairwise):
            return Pairwise(base.relevance - n_features * counts, base.redundancy, base.diagonal)
        return None


def price_of(quality: Quality, indices: Sequence[int], earlier: Sequence[Sequence[int]]) -> float:
    """Return what a set pays beside earlier ones; 0 for a quality without prices."""
    if not isinstance(quality, Priced):
        return 0.0
    before = [*map(sorted, quality.earlier), *earlier]
    payments: list[float] = quality.beside(before).payments(indices)
    return sum(payments)
