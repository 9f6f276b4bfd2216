"""Arguments that the public search functions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from numbers import Integral
from typing import cast, get_args

from altfs._numbers import MOST_ALTERNATIVES, is_collection, is_whole
from altfs.constraints import Constraints
from altfs.dissimilarity import Dissimilarity, Tau, pair_overlap
from altfs.dissimilarity import max_overlap as largest_overlap
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices, check_constraints, check_quality
from altfs.quality import Quality
from altfs.searches._given import by_size
from altfs.solvers import Limits


def overlap_of(
    n_features: int,
    n_alternatives: int,
    tau: Tau | None,
    max_overlap: int | None,
    dissimilarity: Dissimilarity,
) -> int:
    """The largest allowed overlap, from either way to say it."""
    _whole_number("n_features", n_features, 1)
    _whole_number("n_alternatives", n_alternatives, 0, MOST_ALTERNATIVES)
    if not isinstance(dissimilarity, str) or dissimilarity not in get_args(Dissimilarity):
        raise AltfsError(
            f"dissimilarity: {dissimilarity!r} is unknown, allowed are: dice, jaccard."
        )
    if (tau is None) == (max_overlap is None):
        raise AltfsError("tau, max_overlap: give exactly one of the two.")
    if max_overlap is not None:
        _whole_number("max_overlap", max_overlap, 0)
        return int(max_overlap)
    assert tau is not None
    return largest_overlap(tau, n_features, dissimilarity)


def pairs_overlap(
    tau: Tau | None, max_overlap: int | None, dissimilarity: Dissimilarity
) -> Callable[[int, int], int]:
    """The largest allowed overlap of two sets by their sizes, from either way to say it."""

    def overlap(first: int, second: int) -> int:
        if max_overlap is not None:
            return min(int(max_overlap), first, second)
        assert tau is not None
        return pair_overlap(tau, first, second, dissimilarity)

    return overlap


def checked_given(
    given: Sequence[Sequence[int]],
    constraints: Constraints,
    quality: Quality,
    n_features: int,
    overlap: Callable[[int, int], int],
) -> tuple[tuple[FeatureIndices, ...], Constraints]:
    """Given sets as sorted index tuples, those of other sizes among the constraints."""
    check_quality(quality)
    check_constraints(constraints)
    if not is_collection(given):
        raise AltfsError(f"given: {given!r} is not allowed, use a list of sets of indices.")
    sets = tuple(_given_set(s) for s in given)
    return by_size(sets, constraints, quality.n_total, int(n_features), overlap)


def _given_set(features: Iterable[int]) -> FeatureIndices:
    if not is_collection(features):
        raise AltfsError(f"given: {features!r} is no set of indices, put it in a list.")
    listed = list(features)
    for j in listed:
        if not is_whole(j):
            raise AltfsError(f"given: {j!r} is no feature, use indices.")
    if not listed:
        raise AltfsError("given: a set without features is not allowed, leave it out.")
    if len(set(listed)) < len(listed):
        raise AltfsError(f"given: {tuple(listed)} names a feature twice, use every feature once.")
    return tuple(sorted(int(j) for j in listed))


def checked_limits(limits: Limits | None) -> Limits:
    """Limits, the usual ones where none are given."""
    if limits is not None and not isinstance(limits, Limits):
        raise AltfsError(f"limits: {limits!r} is not allowed, use altfs.solvers.Limits(work).")
    return limits or Limits()


def _whole_number(name: str, value: object, smallest: int, largest: int | None = None) -> None:
    # numpy's integers are whole numbers too; True is not meant as one.
    whole = is_whole(value)
    number = int(cast(Integral, value)) if whole else 0
    if not whole or number < smallest or (largest is not None and number > largest):
        most = "" if largest is None else f" to {largest}"
        raise AltfsError(
            f"{name}: {value!r} is not allowed, use a whole number from {smallest}{most}."
        )
