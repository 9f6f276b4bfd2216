"""Arguments that the public search functions share."""

from __future__ import annotations

from altfs.dissimilarity import Dissimilarity, Tau
from altfs.dissimilarity import max_overlap as largest_overlap
from altfs.errors import AltfsError


def overlap_of(
    n_features: int,
    n_alternatives: int,
    tau: Tau | None,
    max_overlap: int | None,
    dissimilarity: Dissimilarity,
) -> int:
    """The largest allowed overlap, from either way to say it."""
    if isinstance(n_features, bool) or not isinstance(n_features, int) or n_features < 1:
        raise AltfsError(f"n_features: {n_features!r} is not allowed, use a whole number from 1.")
    if (
        isinstance(n_alternatives, bool)
        or not isinstance(n_alternatives, int)
        or n_alternatives < 0
    ):
        raise AltfsError(
            f"n_alternatives: {n_alternatives!r} is not allowed, use a whole number from 0."
        )
    if (tau is None) == (max_overlap is None):
        raise AltfsError("tau, max_overlap: give exactly one of the two.")
    if max_overlap is not None:
        return max_overlap
    assert tau is not None
    return largest_overlap(tau, n_features, dissimilarity)
