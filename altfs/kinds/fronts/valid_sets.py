"""The feature sets among which a front is looked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb

from altfs.problem import FeatureIndices, Problem


class ValidSets:
    """The valid sets of a problem, one by one, the smallest first."""

    def __init__(self, problem: Problem) -> None:
        constraints = problem.constraints
        #: The features that every set has, and those that it may or may not have.
        self.include = tuple(sorted(constraints.include))
        decided = {*constraints.include, *constraints.exclude}
        self.features = tuple(j for j in range(problem.quality.n_total) if j not in decided)
        n_include, n_features = len(self.include), len(self.features)
        least, most = max(problem.sizes[0] - n_include, 0), problem.n_features - n_include
        #: The numbers of the latter in a set.
        self.more = range(least, min(most, n_features) + 1)
        #: The number of sets of these sizes and features, valid or not.
        self.number = sum(comb(n_features, n) for n in self.more)
        self._single = replace(problem, n_sets=1) if problem.kinds else None

    def __contains__(self, chosen: FeatureIndices) -> bool:
        """Return True if a set of these sizes and features is valid."""
        return self._single is None or self._single.violation((chosen,)) is None

    def __iter__(self) -> Iterator[FeatureIndices]:
        for n in self.more:
            for more in combinations(self.features, n):
                chosen = tuple(sorted((*self.include, *more))) if self.include else more
                if chosen in self:
                    yield chosen
