"""The optimisation problem of alternative feature selection.

Choose `n_sets` feature sets of `n_features` features each, of largest quality,
such that any two of them, and any of them and a `given` set, have at most
`max_overlap` features in common (Definitions 2 to 4 of the paper).

**The canonical answer.** Among all optima a solver returns the
lexicographically smallest sorted tuple of sorted index tuples. The objective
(in scaled integers) comes first, this rule second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

from altfs.constraints import NO_CONSTRAINTS, Constraints
from altfs.errors import AltfsError
from altfs.quality import Quality

FeatureIndices = tuple[int, ...]
Aggregation = Literal["sum", "min"]
AGGREGATIONS: tuple[str, ...] = get_args(Aggregation)


def check_quality(quality: object) -> None:
    """Refuse what is no quality.

    Raises
    ------
    AltfsError
    """
    if not isinstance(quality, Quality):
        raise AltfsError(
            f"quality: a {type(quality).__name__} is not allowed, use a quality such as "
            "altfs.quality.Linear(values)."
        )


def check_constraints(constraints: object) -> None:
    """Refuse what is no `Constraints`."""
    if not isinstance(constraints, Constraints):
        raise AltfsError(f"constraints: {constraints!r} is not allowed, use altfs.Constraints.")


def check_given(given: tuple[FeatureIndices, ...], n_total: int) -> None:
    """Refuse sets that hold what is no feature."""
    for s in given:
        if any(not 0 <= j < n_total for j in s):
            raise AltfsError(
                f"given: {s} holds an index that is no feature, use 0 to {n_total - 1}."
            )


@dataclass(frozen=True, eq=False)
class Problem:
    """One optimisation problem.

    Parameters
    ----------
    quality : Quality
        What to maximise. The problem keeps it with the exact integers that fit its
        constraints (:meth:`altfs.quality.Linear.under`).
    n_features : int
        Size k of every feature set, from 1 to the number of features.
    max_overlap : int
        Largest allowed overlap c of two sets, from 0 to k.
    n_sets : int, default=1
        How many sets to choose at once, T.
    aggregation : {"sum", "min"}, default="sum"
        How the qualities of the sets become one objective.
    given : tuple of tuple of int, default=()
        Sets that already exist and from which every new set has to differ.
    constraints : Constraints, optional
        What every set has to satisfy besides.
    """

    quality: Quality
    n_features: int
    max_overlap: int
    n_sets: int = 1
    aggregation: Aggregation = "sum"
    given: tuple[FeatureIndices, ...] = ()
    constraints: Constraints = NO_CONSTRAINTS

    def __post_init__(self) -> None:
        check_quality(self.quality)
        check_constraints(self.constraints)
        n_total = self.quality.n_total
        if not 1 <= self.n_features <= n_total:
            raise AltfsError(
                f"n_features: {self.n_features} is not allowed, "
                f"use a number from 1 to {n_total}, the number of features."
            )
        if not 0 <= self.max_overlap <= self.n_features:
            raise AltfsError(
                f"max_overlap: {self.max_overlap} is not allowed, "
                f"use a number from 0 to {self.n_features}, the size of a feature set."
            )
        if self.n_sets < 1:
            raise AltfsError(f"n_sets: {self.n_sets} is not allowed, use at least 1.")
        if not isinstance(self.aggregation, str) or self.aggregation not in AGGREGATIONS:
            raise AltfsError(
                f"aggregation: {self.aggregation!r} is unknown, allowed are: sum, min."
            )
        check_given(self.given, n_total)
        if self.constraints.relative_floor is not None:
            raise AltfsError(
                "relative_floor: a problem knows no best set, use a number as quality_floor."
            )
        self.constraints.check(n_total)
        # All solvers of a problem compare sets in the same integers.
        object.__setattr__(self, "quality", self.quality.under(self.constraints))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of each of the sets, ascending."""
        return (self.n_features,) * self.n_sets

    def shared(self, first: int, second: int) -> int:
        """The largest allowed overlap of two sets of these sizes."""
        return self.max_overlap

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of constraint in use, `given` sets among them."""
        return (*self.constraints.kinds(), *(("given",) if self.given else ()))

    def aggregate(self, qualities: list[float]) -> float:
        """The objective of sets with these qualities."""
        return sum(qualities) if self.aggregation == "sum" else min(qualities)

    def objective(self, sets: tuple[FeatureIndices, ...]) -> float:
        """The objective of `n_sets` feature sets."""
        return self.aggregate([self.quality.evaluate(s) for s in sets])

    def violation(self, sets: tuple[FeatureIndices, ...]) -> str | None:
        """Why these sets are no answer to the problem; None if they are.

        Examples
        --------
        >>> from altfs.quality import Linear
        >>> Problem(Linear([1, 2, 3]), n_features=2, max_overlap=1).violation(((1, 2),))
        >>> Problem(Linear([1, 2, 3]), 2, 0, n_sets=2).violation(((0, 1), (1, 2)))
        'sets (0, 1) and (1, 2) overlap in 1 features, 0 are allowed'
        """
        if len(sets) != self.n_sets:
            return f"{len(sets)} sets instead of {self.n_sets}"
        for s, k in zip(sets, self.sizes, strict=True):
            if len(set(s)) != k or len(s) != k:
                return f"set {s} does not have {k} features"
            if min(s) < 0 or max(s) >= self.quality.n_total:
                return f"set {s} has an index that is no feature"
            if not self.quality.allows(s):
                return f"set {s} holds features that exclude each other"
            if (broken := self.constraints.violation(s, self.quality)) is not None:
                return broken
        pairs = [*combinations(sets, 2), *((s, g) for s in sets for g in self.given)]
        for a, b in pairs:
            common, most = len(set(a) & set(b)), self.shared(len(a), len(b))
            if common > most:
                return f"sets {a} and {b} overlap in {common} features, {most} are allowed"
        return None
