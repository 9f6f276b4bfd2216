"""Exact solver for qualities with a cost for every pair of features (mRMR)."""

from __future__ import annotations

from altfs.quality import Pairwise
from altfs.solvers.base import solvers
from altfs.solvers.pair_costs._listing import Numbers
from altfs.solvers.pair_costs._solver import PairSolver
from altfs.solvers.pair_costs._source import PairSource


class PairwiseSource(PairSource):
    """Sets whose value is the sum of gains less the costs of all pairs."""

    kind = Pairwise
    quality: Pairwise

    def all_numbers(self) -> Numbers:
        k = self.problem.n_features
        return Numbers(*self.quality.integers(k), 0, 0, k)

    def truth(self, bound: int) -> float:
        problem, quality = self.problem, self.quality
        return (bound / quality.divisor(problem.n_features) + problem.n_counted) * quality.unit


@solvers.register("pairwise")
class PairwiseSearch(PairSolver):
    """Exact search for sets of a pairwise quality."""

    qualities = (Pairwise,)
    source_type = PairwiseSource
