"""Arguments that the public search functions share."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import cast, get_args

from altfs.dissimilarity import Dissimilarity, Tau
from altfs.dissimilarity import max_overlap as largest_overlap
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices


def overlap_of(
    n_features: int,
    n_alternatives: int,
    tau: Tau | None,
    max_overlap: int | None,
    dissimilarity: Dissimilarity,
) -> int:
    """The largest allowed overlap, from either way to say it."""
    _whole_number("n_features", n_features, 1)
    _whole_number("n_alternatives", n_alternatives, 0)
    if dissimilarity not in get_args(Dissimilarity):
        raise AltfsError(
            f"dissimilarity: '{dissimilarity}' is unknown, allowed are: dice, jaccard."
        )
    if (tau is None) == (max_overlap is None):
        raise AltfsError("tau, max_overlap: give exactly one of the two.")
    if max_overlap is not None:
        _whole_number("max_overlap", max_overlap, 0)
        return int(max_overlap)
    assert tau is not None
    return largest_overlap(tau, n_features, dissimilarity)


def checked_given(given: Sequence[Sequence[int]]) -> tuple[FeatureIndices, ...]:
    """Given sets as sorted index tuples."""
    return tuple(tuple(sorted(int(j) for j in s)) for s in given)


def _whole_number(name: str, value: object, smallest: int) -> None:
    # numpy's integers are whole numbers too; True is not meant as one.
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or int(cast(Integral, value)) < smallest:
        raise AltfsError(f"{name}: {value!r} is not allowed, use a whole number from {smallest}.")
