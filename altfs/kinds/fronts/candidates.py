"""The feature sets among which a front is looked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb

from altfs.problem import FeatureIndices, Problem


class Candidates:
    """The valid sets of a problem of single sets.

    Attributes
    ----------
    features : tuple of int
        Those that a set may or may not have.
    include : tuple of int
        Those that every set has.
    sizes : range
        The sizes of sets, included features among them.
    constrained : bool
        True if not every set of these sizes is valid.
    number : int
        The number of sets of these sizes and features, valid or not.
    """

    def __init__(self, problem: Problem) -> None:
        constraints = problem.constraints
        self.include = tuple(sorted(constraints.include))
        decided = {*constraints.include, *constraints.exclude}
        self.features = tuple(j for j in range(problem.quality.n_total) if j not in decided)
        self.sizes = range(problem.sizes[0], problem.n_features + 1)
        self.constrained = bool(problem.kinds)
        self._single = replace(problem, n_sets=1)
        n_features = len(self.features)
        self._open = [n for k in self.sizes if 0 <= (n := k - len(self.include)) <= n_features]
        self.number = sum(comb(n_features, n) for n in self._open)

    def is_valid(self, chosen: FeatureIndices) -> bool:
        """Return True if a set of these sizes and features is valid."""
        return not self.constrained or self._single.violation((chosen,)) is None

    def __iter__(self) -> Iterator[FeatureIndices]:
        for n in self._open:
            for more in combinations(self.features, n):
                chosen = tuple(sorted((*self.include, *more)))
                if self.is_valid(chosen):
                    yield chosen
