"""Exact solver for sets of linear quality with conflicts (FCBF).

A conflict is a pair of features whose cost no set can afford. So the sets are those of a
quality with pair costs.
"""

from __future__ import annotations

import numpy as np

from altfs._numbers import SCALE_BITS
from altfs.problem import Problem
from altfs.quality import Linear
from altfs.solvers.base import bound_in_truth, solvers
from altfs.solvers.pair_costs._listing import Numbers
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.reduced import Reduced

# The costs of all pairs of larger sets do not fit into 64 bits.
_MOST_FEATURES = 100


class CliqueSource(PairSource):
    """Sets of features without conflicts, whose value is the sum of gains."""

    kind = Linear
    quality: Linear

    def __init__(self, problem: Problem, reduced: Reduced) -> None:
        # More than any two sets differ by.
        self._prohibitive = 1 << (SCALE_BITS + 2 + problem.n_features.bit_length())
        super().__init__(problem, reduced)
        self.lowest = -self._prohibitive // 2
        floor = problem.constraints.quality_floor
        if floor is not None:
            self.lowest = max(self.lowest, self.quality.scaled_floor(floor, problem.n_features))

    def all_numbers(self) -> Numbers:
        assert self.quality.conflicts is not None
        costs = self.quality.conflicts * np.int64(self._prohibitive)
        return Numbers(self.quality.weights, costs, 0, 0, self.problem.n_features)

    def truth(self, bound: int) -> float:
        return bound_in_truth(self.problem, self.quality, bound)


@solvers.register("cliques")
class Cliques(PairSolver):
    """Sets of linear quality, of features without conflicts."""

    qualities = (Linear,)
    carries = frozenset({"include", "exclude", "at_most", "given", "quality_floor"})
    source_type = CliqueSource

    def handles(self, problem: Problem) -> bool:
        small = problem.n_features <= _MOST_FEATURES
        return small and problem.quality.conflicts is not None
