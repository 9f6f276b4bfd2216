"""A problem without the features about which there is nothing to decide.

Features that every set includes, that none may hold, or that conflict with an
included one are taken out. What is left is a smaller problem of the same kind
with the same lexicographic order of its answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from altfs.problem import FeatureIndices, Problem


@dataclass(frozen=True)
class Reduced:
    """What is left to decide.

    Attributes
    ----------
    features : ndarray of int64
        Original indices of the free features, ascending.
    include : tuple of int
        Features that every set holds.
    n_features, max_overlap : int
        For the free part of a set.
    rows : list of (set of int, int)
        Positions in `features` and how many of them a set may hold: given
        sets and groups with at most so many.
    """

    features: npt.NDArray[np.int64]
    include: FeatureIndices
    n_features: int
    max_overlap: int
    rows: list[tuple[frozenset[int], int]]

    def restore(self, positions: Iterable[int]) -> FeatureIndices:
        """The original feature set of some positions in `features`."""
        return tuple(sorted([*self.include, *(int(self.features[p]) for p in positions)]))


def reduce_problem(
    problem: Problem, conflicts: npt.NDArray[np.bool_] | None = None
) -> Reduced | None:
    """Take out what is decided; None if the problem is infeasible for that reason."""
    constraints, n_total = problem.constraints, problem.quality.n_total
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
    if n_features < 0 or n_features > len(features):
        return None
    max_overlap = min(problem.max_overlap - len(include), n_features)
    if max_overlap < 0 and problem.n_sets > 1:
        return None
    limits = [(frozenset(g), problem.max_overlap) for g in problem.given]
    limits += [
        (frozenset(g.features), g.at_most) for g in constraints.groups if g.at_most is not None
    ]
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
