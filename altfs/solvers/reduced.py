"""A problem without the features that are decided already.

Features are taken out that every set includes, that no set may hold, or that conflict
with an included one. The rest is a smaller problem of the same kind, with the same
lexicographic order of its answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from altfs._numbers import BoolArray, IntArray
from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear


@dataclass(frozen=True)
class Reduced:
    """The open part of a problem."""

    #: Original indices of the free features, ascending.
    features: IntArray
    #: Features that every set holds.
    include: FeatureIndices
    #: For the free part of a set.
    n_features: int
    max_overlap: int
    #: Positions in `features`, and the largest number of them that a set may hold. They come from
    #: given sets and from groups with `at_most`.
    rows: list[tuple[frozenset[int], int]]

    def restore(self, positions: Iterable[int]) -> FeatureIndices:
        """Return the original feature set of some positions in `features`."""
        return tuple(sorted([*self.include, *(int(self.features[p]) for p in positions)]))

    def best_first(self, quality: Linear) -> IntArray:
        """Return the positions in `features` from best to worst, the first of equals first."""
        if len(self.features) == quality.n_total:
            return quality.order
        place = np.full(quality.n_total, -1, dtype=np.int64)
        place[self.features] = np.arange(len(self.features))
        positions: IntArray = place[quality.order]
        return positions[positions >= 0]

    def limits(self, given: Iterable[frozenset[int]] = ()) -> tuple[BoolArray, IntArray]:
        """Return the positions of each row as flags, and its limit; with further given sets."""
        rows = [*self.rows, *((members, self.max_overlap) for members in given)]
        flags: BoolArray = np.zeros((len(rows), len(self.features)), dtype=np.bool_)
        for i, (members, _) in enumerate(rows):
            flags[i, list(members)] = True
        return flags, np.array([most for _, most in rows], dtype=np.int64)


def reduce_problem(problem: Problem) -> Reduced | None:
    """Take out the decided features; return None if they make the problem infeasible."""
    constraints, n_total = problem.constraints, problem.quality.n_total
    conflicts = problem.quality.conflicts
    include = tuple(sorted(constraints.include))
    free = np.ones(n_total, dtype=bool)
    free[list(include)] = False
    free[list(constraints.exclude)] = False
    if conflicts is not None:
        if any(conflicts[a, b] for a, b in combinations(include, 2)):
            return None
        for j in include:
            free &= ~conflicts[j]
    n_features = problem.n_features - len(include)
    features = np.flatnonzero(free)
    if conflicts is not None:
        features = _sociable(features, conflicts, n_features)
        free = np.isin(np.arange(n_total), features)
    max_overlap = min(problem.max_overlap - len(include), n_features)
    if n_features < 0 or n_features > len(features):
        return None
    if problem.n_sets > 1 and _least_common(problem.n_sets, n_features, len(features)) > (
        comb(problem.n_sets, 2) * max_overlap
    ):
        return None
    limits = [*problem.given_limits, *constraints.numbers_at_most()]
    rows = []
    for members, most in limits:
        room = most - len(members & set(include))
        if room < 0:
            return None
        held = [j for j in members if free[j]]
        positions = frozenset(np.searchsorted(features, held).tolist())
        if room < min(len(positions), n_features):
            rows.append((positions, room))
    return Reduced(features, include, n_features, max_overlap, rows)


def _sociable(features: IntArray, conflicts: BoolArray, n_features: int) -> IntArray:
    """Return the features that can be in a set with enough others."""
    while len(features):
        among = conflicts[np.ix_(features, features)]
        kept = features[len(features) - among.sum(axis=1) >= n_features]
        if len(kept) == len(features):
            break
        features = kept
    return features


def _least_common(n_sets: int, n_features: int, n_total: int) -> int:
    """Return the smallest sum of the overlaps of all pairs of sets, by an even spread."""
    if n_features == 0:
        return 0
    uses, more = divmod(n_sets * n_features, n_total)
    return (n_total - more) * comb(uses, 2) + more * comb(uses + 1, 2)
