"""Several sets at once whose sizes may differ: any of some sizes, or of known ones.

**The canonical answer.** A family is written with its smallest sets first, those of a
size in lexicographic order. Among all optima it is the family whose sizes, as an
ascending tuple, come first; of these the one whose sets do. For families of one
size that is the rule of :mod:`altfs.problem`, for a single set: the smallest, then
the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from altfs.constraints import Constraints, Group
from altfs.problem import Aggregation, FeatureIndices, Problem
from altfs.quality import Quality

#: The largest number of features that sets of two sizes may share.
Overlap = Callable[[int, int], int]


@dataclass(frozen=True, eq=False)
class SizedProblem(Problem):
    """A problem whose sets have known sizes, not all the same.

    Parameters
    ----------
    set_sizes : tuple of int
        Ascending, one for each of the `n_sets` sets; `n_features` is the largest one.
    overlap : callable
        Takes the sizes of two sets, in place of `max_overlap`, for given sets, too.
    """

    set_sizes: tuple[int, ...] = ()
    overlap: Overlap = min

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.set_sizes

    def shared(self, first: int, second: int) -> int:
        return self.overlap(first, second)


@dataclass(frozen=True, eq=False)
class RangeProblem:
    """Choose `n_sets` sets, each of any of some sizes, best together.

    Parameters
    ----------
    quality : Quality
    sizes : tuple of int
        That a set may have, ascending.
    overlap : callable
        Takes the sizes of two sets; judged for every pair by itself.
    n_sets : int
        At least 1.
    aggregation : {"sum", "min"}
    given : tuple of tuple of int
        Of any size.
    constraints : Constraints
    """

    quality: Quality
    sizes: tuple[int, ...]
    overlap: Overlap
    n_sets: int
    aggregation: Aggregation
    given: tuple[FeatureIndices, ...]
    constraints: Constraints

    def of_size(self, size: int, n_sets: int) -> Problem:
        """The problem of sets of one size."""
        return Problem(
            self.quality, size, min(self.overlap(size, size), size), n_sets, self.aggregation,
            constraints=with_given(self.constraints, self.given, size, self.overlap),
        )  # fmt: skip

    def of_sizes(self, sizes: tuple[int, ...]) -> Problem:
        """The problem of sets of these sizes, in ascending order."""
        k = sizes[-1]
        if sizes[0] == k:
            return self.of_size(k, len(sizes))
        return SizedProblem(
            self.quality, k, min(self.overlap(k, k), k), len(sizes), self.aggregation, self.given,
            self.constraints, sizes, self.overlap,
        )  # fmt: skip


def with_given(
    constraints: Constraints, given: Sequence[FeatureIndices], size: int, overlap: Overlap
) -> Constraints:
    """Constraints with a group of at most so many features for each set to differ from.

    Examples
    --------
    >>> from altfs.constraints import NO_CONSTRAINTS
    >>> with_given(NO_CONSTRAINTS, [(0, 1, 2)], 3, lambda a, b: 1).groups
    (Group(features=(0, 1, 2), at_least=0, at_most=1, all_or_none=False),)
    """
    groups = []
    for one in given:
        most = overlap(size, len(one))
        if most < min(size, len(one)):
            groups.append(Group(one, at_most=most))
    return replace(constraints, groups=(*constraints.groups, *groups))
