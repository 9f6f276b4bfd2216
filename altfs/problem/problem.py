"""The optimisation problem of alternative feature selection.

Choose `n_sets` feature sets of largest quality, each of one of some sizes. Any two of them
share at most a certain number of features, and so do any of them and a `given` set
(Definitions 2 to 4 of the paper).

**The canonical answer.** A family is written with its smallest sets first, and the sets
of one size in lexicographic order. Among all optima, a solver returns the family whose
sizes come first as an ascending tuple. Among these it returns the family whose sets come
first. For sets of one size, that is the lexicographically smallest sorted tuple of sorted
index tuples. The objective (in scaled integers) comes first, this rule second.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import numpy as np

from altfs._numbers import check_word
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem.constraints import NO_CONSTRAINTS, Constraints
from altfs.problem.overlap import Overlap, attainable
from altfs.problem.priced import Priced
from altfs.quality import Linear, Quality

FeatureIndices = tuple[int, ...]
Family = tuple[FeatureIndices, ...]
Aggregation = Literal["sum", "min"]
AGGREGATIONS: tuple[str, ...] = get_args(Aggregation)
Q = TypeVar("Q", bound=Quality)


def check_quality(quality: object) -> None:
    """Check that an argument is a quality."""
    if not isinstance(quality, Quality):
        reason = f"a {type(quality).__name__} is not allowed"
        raise AltfsError("quality", reason, "use a quality such as altfs.quality.Linear(values)")


def check_constraints(constraints: object) -> None:
    """Check that an argument is a `Constraints`."""
    if not isinstance(constraints, Constraints):
        raise AltfsError.of_value("constraints", constraints, "use altfs.Constraints")


@dataclass(frozen=True, eq=False)
class Problem:
    """One optimisation problem.

    Parameters
    ----------
    quality : Quality
        The quality to maximise, less the prices of wishes. The problem keeps it with the exact
        integers that fit its constraints (:meth:`altfs.quality.Linear.under`).
    sizes : int or sequence of int
        The sizes that a set may have, from 1 to the number of features.
    overlap : int or Overlap
        The largest allowed overlap of two sets: a number, or an overlap by their sizes.
    n_sets : int, default=1
        The number of sets to choose at once, T.
    aggregation : {"sum", "min"}, default="sum"
        How the qualities of the sets become one objective.
    given : tuple of tuple of int, default=()
        Sets of any size that already exist. Every new set has to differ from them.
    constraints : Constraints, optional
        Further conditions that every set has to satisfy.
    average : bool, default=False
        True if the mean of all pairs of sets is limited, not each pair: the mean dissimilarity
        reaches tau, or the mean overlap is at most a number. Pairs of given sets do not count.

    Raises
    ------
    AltfsError
        If an argument is outside its range.

    Examples
    --------
    >>> from altfs.quality import Linear
    >>> Problem(Linear([1, 2, 3]), 2, overlap=1).violation(((1, 2),))
    >>> Problem(Linear([1, 2, 3]), 2, overlap=0, n_sets=2).violation(((0, 1), (1, 2)))
    'sets (0, 1) and (1, 2) overlap in 1 features, 0 are allowed'
    """

    quality: Quality
    sizes: tuple[int, ...]
    overlap: Overlap
    n_sets: int = 1
    aggregation: Aggregation = "sum"
    given: Family = ()
    constraints: Constraints = NO_CONSTRAINTS
    average: bool = False

    if TYPE_CHECKING:

        def __init__(
            self,
            quality: Quality,
            sizes: int | Sequence[int],
            overlap: int | Overlap,
            n_sets: int = 1,
            aggregation: Aggregation = "sum",
            given: Family = (),
            constraints: Constraints = NO_CONSTRAINTS,
            average: bool = False,
        ) -> None:
            """Accept a number in place of a sequence of sizes and of an overlap."""

    def __post_init__(self) -> None:
        check_quality(self.quality)
        check_constraints(self.constraints)
        # Searches make many problems, of which most have no constraints.
        if self.constraints is not NO_CONSTRAINTS:
            self._resolve_constraints()
        object.__setattr__(self, "given", tuple(self.given))
        sizes: Sequence[int] = self.sizes if isinstance(self.sizes, Sequence) else (self.sizes,)
        if not isinstance(sizes, range):
            sizes = sorted({int(k) for k in sizes})
        object.__setattr__(self, "sizes", tuple(sizes))
        if not isinstance(self.overlap, Overlap):
            object.__setattr__(self, "overlap", Overlap(max_overlap=self.overlap))
        self._check()
        # All solvers of a problem compare sets in the same integers.
        quality = self.quality.under(self.constraints.include, self.constraints.exclude)
        object.__setattr__(self, "quality", quality)

    def _resolve_constraints(self) -> None:
        constraints = self.constraints.resolved(range(self.quality.n_total))
        if constraints.most_information is not None and constraints.information is None:
            reason = "what features tell about the sensitive attribute is not known here"
            raise AltfsError("most_information", reason, "give `information`, or fit on rows")
        constraints = constraints.screened(self.quality.feature_relevance)
        object.__setattr__(self, "given", (*self.given, *constraints.given))
        if constraints.wishes or constraints.share_price:
            priced = Priced(self.quality, constraints.wishes, constraints.share_price)
            object.__setattr__(self, "quality", priced.beside(self.given))
        constraints = constraints.model_copy(update={"given": (), "wishes": (), "share_price": 0.0})
        object.__setattr__(self, "constraints", constraints)

    def _check(self) -> None:
        n_total, sizes, most = self.quality.n_total, self.sizes, self.overlap.max_overlap
        if not sizes or not 1 <= sizes[0] <= sizes[-1] <= n_total:
            named = f"{sizes[0]}" if len(sizes) == 1 else f"{(sizes[0], sizes[-1])}"
            numbers = "a number" if len(sizes) == 1 else "numbers"
            advice = f"use {numbers} from 1 to {n_total}, the number of features"
            raise AltfsError("n_features", f"{named} is not allowed", advice)
        if most is not None and most > sizes[-1]:
            which = "the size" if len(sizes) == 1 else "the largest size"
            advice = f"use a number from 0 to {sizes[-1]}, {which} of a feature set"
            raise AltfsError("max_overlap", f"{most} is not allowed", advice)
        if self.n_sets < 1:
            raise AltfsError("n_sets", f"{self.n_sets} is not allowed", "use at least 1")
        check_word("aggregation", self.aggregation, AGGREGATIONS)
        for s in self.given:
            if any(not 0 <= j < n_total for j in s):
                raise AltfsError(
                    "given", f"{s} holds an index that is not a feature", f"use 0 to {n_total - 1}"
                )
        if self.average and len(sizes) > 1:
            reason = f"'average' needs sets of one size, not of {sizes[0]} to {sizes[-1]} features"
            advice = "use one number as n_features or 'pairwise'"
            raise UnsupportedProblemError("overlap", reason, advice)

    def quality_as(self, kind: type[Q]) -> Q:
        """Return the quality for code that handles one class of qualities only.

        Raises
        ------
        TypeError
            If the quality is of another class.

        Examples
        --------
        >>> from altfs.quality import Linear
        >>> Problem(Linear([3, 2, 1]), 2, overlap=1).quality_as(Linear).values.tolist()
        [3.0, 2.0, 1.0]
        """
        if not isinstance(self.quality, kind):
            raise TypeError(f"quality: a {kind.__name__} is needed, not {self.quality!r}.")
        return self.quality

    @cached_property
    def n_features(self) -> int:
        """The size k of every set, or the largest of several sizes."""
        return self.sizes[-1]

    @cached_property
    def max_overlap(self) -> int:
        """The largest allowed overlap c of two sets of size `n_features`."""
        return self.overlap(self.n_features, self.n_features)

    @cached_property
    def given_limits(self) -> list[tuple[frozenset[int], int]]:
        """The given sets, each with its largest overlap with a set of size `n_features`."""
        return [(frozenset(g), self.overlap(self.n_features, len(g))) for g in self.given]

    @property
    def adds_overlaps(self) -> bool:
        """True if only the weighted sum of all overlaps counts for a limit of the mean.

        The Jaccard dissimilarity of several pairs does not follow from the sum.
        """
        n_pairs = self.n_sets * (self.n_sets - 1) // 2 + self.n_sets * len(self.given)
        by_number = self.overlap.max_overlap is not None
        return by_number or self.overlap.dissimilarity == "dice" or n_pairs < 2

    def of_size(self, size: int, n_sets: int | None = None) -> Problem:
        """Return the problem of sets of one size, of the same number of sets by default."""
        return self.of_sizes((size,), n_sets)

    def of_sizes(self, sizes: Collection[int], n_sets: int | None = None) -> Problem:
        """Return the problem of sets of fewer sizes, of the same number of sets by default."""
        overlap, largest = self.overlap, max(sizes)
        if overlap.max_overlap is not None and overlap.max_overlap > largest:
            overlap = Overlap(max_overlap=largest)
        n_sets = self.n_sets if n_sets is None else n_sets
        return replace(self, sizes=tuple(sizes), overlap=overlap, n_sets=n_sets)

    def at(self, overlap: int) -> Problem:
        """Return the problem with another largest overlap of two sets of size `n_features`.

        If tau is given, the largest tau that allows it holds for given sets of any size.
        """
        kind = self.overlap.dissimilarity
        if self.overlap.max_overlap is not None:
            return replace(self, overlap=Overlap(max_overlap=overlap))
        return replace(
            self, overlap=Overlap(attainable(self.n_features, kind)[overlap], None, kind)
        )

    def after(self, sets: Family) -> Problem:
        """Return the problem of one more set, which has to differ from these and the given ones."""
        before = (*self.given, *sets)
        quality = self.quality.beside(before)
        return replace(self, quality=quality, n_sets=1, aggregation="sum", given=before)

    def without_values(self) -> Problem:
        """Return a problem whose answers are the valid sets of any quality.

        All sets have quality 0, and there is no floor. A problem with a floor of an additive
        quality is returned as it is, because the floor decides which sets are valid. Mean
        overlaps are solved for sums, which are as good here as any other aggregation.
        """
        quality, floor = self.quality, self.constraints.quality_floor
        if floor is not None and quality.additive:
            return self
        zeros = Linear(np.zeros(quality.n_total), quality.conflicts)
        return replace(
            self,
            quality=zeros,
            aggregation="sum" if self.average else self.aggregation,
            constraints=self.constraints.model_copy(update={"quality_floor": None}),
        )

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of constraint in use, `given` sets among them."""
        if self.constraints is NO_CONSTRAINTS:
            return ("given",) if self.given else ()
        return self.constraints.model_copy(update={"given": self.given}).kinds()

    @property
    def shares_cost(self) -> bool:
        """True if features that a set shares with an earlier one have a price."""
        return isinstance(self.quality, Priced) and self.quality.share_price > 0

    def aggregate(self, qualities: Sequence[float]) -> float:
        """Return the objective of sets with these qualities."""
        return sum(qualities) if self.aggregation == "sum" else min(qualities)

    @property
    def evaluated_floor(self) -> float | None:
        """The quality floor, if only evaluation tells which sets reach it; else None.

        Of a sum of values, solvers know these sets beforehand.
        """
        return None if self.quality.additive else self.constraints.quality_floor

    @property
    def n_counted(self) -> int:
        """The number of sets whose qualities add up to the objective."""
        return self.n_sets if self.aggregation == "sum" else 1

    def objective(self, sets: Family) -> float:
        """Return the objective of `n_sets` feature sets."""
        return self.aggregate([self.quality.evaluate(s) for s in sets])

    def violation(self, sets: Family) -> str | None:
        """Return why these sets are not an answer to the problem, or None if they are."""
        if len(sets) != self.n_sets:
            return f"{len(sets)} sets instead of {self.n_sets}"
        for s in sets:
            if len(set(s)) != len(s) or len(s) not in self.sizes:
                return f"set {s} does not have {' or '.join(map(str, self.sizes))} features"
            if min(s) < 0 or max(s) >= self.quality.n_total:
                return f"set {s} has an index that is not a feature"
            if not self.quality.allows(s):
                return f"set {s} holds features that exclude each other"
            if (broken := self.constraints.violation(s, self.quality)) is not None:
                return broken
        pairs = [*combinations(sets, 2), *((s, g) for s in sets for g in self.given)]
        return overlap_violation(pairs, self.overlap, self.average)


def overlap_violation(
    pairs: Sequence[tuple[Collection[int], Collection[int]]], overlap: Overlap, average: bool
) -> str | None:
    """Return why pairs of sets have too much in common, or None if they have not.

    With `average` only the mean counts (:meth:`~altfs.problem.overlap.Overlap.excesses`).

    >>> overlap_violation([((0, 1), (0, 1)), ((0, 1), (2, 3))], Overlap(max_overlap=1), True)
    >>> overlap_violation([((0, 1), (0, 1))], Overlap(max_overlap=1), False)
    'sets (0, 1) and (0, 1) overlap in 2 features, 1 are allowed'
    """
    common = [len(set(a) & set(b)) for a, b in pairs]
    if average:
        excesses = zip(pairs, common, strict=True)
        excess = sum(overlap.excesses(len(a), len(b))[c] for (a, b), c in excesses)
        if excess <= 0:
            return None
        mean = float(excess / len(pairs))
        if overlap.tau is None:
            return f"the mean overlap is larger than allowed by {mean:.4g}"
        return f"the mean dissimilarity is smaller than tau by {mean:.4g}"
    for (a, b), shared in zip(pairs, common, strict=True):
        if shared > (most := overlap(len(a), len(b))):
            shown = f"sets {tuple(sorted(a))} and {tuple(sorted(b))}"
            return f"{shown} overlap in {shared} features, {most} are allowed"
    return None


def in_order(sets: Sequence[FeatureIndices]) -> Family:
    """Return sets as a family: the smallest first, those of one size in lexicographic order.

    >>> in_order([(1, 2), (0, 3), (4,)])
    ((4,), (0, 3), (1, 2))
    """
    return tuple(sorted(sets, key=lambda s: (len(s), s)))
