"""Sets that exist already: those of another size are judged by both sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from altfs.constraints import Constraints, Group
from altfs.problem import FeatureIndices, check_given


def by_size(
    given: tuple[FeatureIndices, ...],
    constraints: Constraints,
    n_total: int,
    n_features: int,
    overlap: Callable[[int, int], int],
) -> tuple[tuple[FeatureIndices, ...], Constraints]:
    """Split given sets into those that a problem's one overlap says all of, and groups.

    Parameters
    ----------
    given : tuple of tuple of int
        Of any size.
    constraints : Constraints
    n_total, n_features : int
        Number of features, and of those in each set.
    overlap : callable
        Takes the sizes of two sets; the largest number of features that they may share.

    Returns
    -------
    given : tuple of tuple of int
        From which a set differs by as much as from another one of its size.
    constraints : Constraints
        With a group of at most so many features for each of the others.

    Raises
    ------
    AltfsError
        If a set holds what is no feature.

    Examples
    --------
    >>> from altfs.dissimilarity import pair_overlap
    >>> from altfs.constraints import NO_CONSTRAINTS
    >>> at = lambda a, b: pair_overlap(0.5, a, b)
    >>> left, wanted = by_size(((0, 1), (0, 1, 2, 3, 4, 5)), NO_CONSTRAINTS, 8, 2, at)
    >>> left, wanted.groups
    (((0, 1),), ())
    >>> by_size(((0, 1, 2, 3, 4),), NO_CONSTRAINTS, 8, 3, at)[1].groups
    (Group(features=(0, 1, 2, 3, 4), at_least=0, at_most=2, all_or_none=False),)
    """
    check_given(given, n_total)
    equal = overlap(n_features, n_features)
    kept, groups = [], []
    for one in given:
        most, smaller = overlap(n_features, len(one)), min(n_features, len(one))
        if min(most, smaller) == min(equal, smaller):
            kept.append(one)
        elif most < smaller:
            groups.append(Group(one, at_most=most))
    return tuple(kept), replace(constraints, groups=(*constraints.groups, *groups))
