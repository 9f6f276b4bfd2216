"""The exact solver of linear qualities if the mean overlap is limited.

The overlaps of all pairs of T sets add up to the sum of C(m_j, 2), where m_j sets hold feature
j. A given set that holds it adds m_j more. So only the multiplicities m matter: every m with
0 <= m_j <= T and T k in total belongs to T sets of k features.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import comb

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import Family, Problem
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import ALONG_WITH_AVERAGE, Limits, Solution, Solver, answer, solvers

# Cells of the table times the numbers of sets, in a unit of work.
_IN_A_UNIT = 100_000_000
# The largest number of cells; each takes eight bytes.
_MOST_CELLS = 190_000_000


@solvers.register("multiplicities")
class MultiplicitySolver(Solver):
    """A table over the numbers of sets that hold each feature.

    It has a row for every number of features that are dealt to the sets, and a column for
    every sum of overlaps. It needs polynomial time, and solves sum and single sets.
    """

    proves = True
    averages = True
    qualities = (Linear,)
    rank = 100
    carries = ALONG_WITH_AVERAGE

    def handles(self, problem: Problem) -> bool:
        plain = problem.average and problem.quality.conflicts is None
        return plain and (problem.aggregation == "sum" or problem.n_sets == 1)

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        n_sets, k = problem.n_sets, problem.n_features
        allowed = comb(n_sets, 2) * problem.overlap(k, k)
        allowed += n_sets * sum(most for _, most in problem.given_limits)
        table = table_of(problem, limits, allowed)
        if table is None:
            bound = problem.n_counted * problem.quality.bound(k)
            return Solution(Status.UNKNOWN, (), bound, 0)
        sets = table.family(table.most) if table.exists(table.most) else None
        return answer(problem, sets, True, NAN, table.cells)


class Multiplicities:
    """The best sums for every number of common features of all pairs.

    Of the features that equally many given sets hold, only the T k best can be needed.

    Parameters
    ----------
    problem : Problem
        Of linear quality.
    most : int, optional
        The largest number of common features; by default what no family exceeds.

    Attributes
    ----------
    cells : int
        The size of the table, which is computed when it is read.
    """

    def __init__(self, problem: Problem, most: int | None = None) -> None:
        quality, constraints = problem.quality_as(Linear), problem.constraints
        self.n_sets, self.slots = problem.n_sets, problem.n_sets * problem.n_features
        held, room = Counter(j for g in problem.given for j in g), Counter[int]()
        kept, exclude = set(constraints.include), set(constraints.exclude)
        for j in map(int, quality.order):
            if j not in constraints.include and j not in exclude:
                room[held[j]] += 1
                if room[held[j]] <= self.slots:
                    kept.add(j)
        self.features = sorted(kept)
        self._weights = quality.weights[self.features]
        self._shared = np.array([held[j] for j in self.features], dtype=np.int64)
        self._least = self.n_sets * np.isin(self.features, constraints.include).astype(np.int64)
        highest = problem.n_features * comb(self.n_sets, 2)
        highest += self.slots * int(self._shared.max(initial=0))
        self.most = highest if most is None else min(most, highest)
        self.cells = len(self.features) * (self.slots + 1) * (self.most + 1)

    @cached_property
    def _table(self) -> IntArray:
        # Compiled code is slow to import.
        from altfs.solvers.gain_table import gain_table

        table: IntArray = gain_table(
            self._weights, self._shared, self._least, self.n_sets, self.slots, self.most
        )
        return table

    @property
    def best(self) -> IntArray:
        """The largest sums with at most 0, 1, ... common features; around `IMPOSSIBLE` if none."""
        return np.asarray(self._table[0, self.slots])

    def exists(self, common: int) -> bool:
        """Return True if there is a family with at most so many common features."""
        from altfs.solvers.gain_table import IMPOSSIBLE

        return bool(self.best[common] > IMPOSSIBLE // 2)

    def family(self, common: int) -> Family:
        """Return the best family with at most so many common features.

        Of equal ones, the first feature is in the most sets, then the second one, and so on.
        The features are dealt around the sets in their order.
        """
        sets: list[list[int]] = [[] for _ in range(self.n_sets)]
        left, dealt = self.slots, 0
        for i, j in enumerate(self.features):
            for m in range(min(self.n_sets, left), -1, -1):
                after = common - comb(m, 2) - m * int(self._shared[i])
                value = m * self._weights[i]
                if after >= 0 and (
                    self._table[i + 1, left - m, after] + value == self._table[i, left, common]
                ):
                    break
            left, common = left - m, after
            for _ in range(m):
                sets[dealt % self.n_sets].append(j)
                dealt += 1
        return tuple(sorted(map(tuple, sets)))


def table_of(problem: Problem, limits: Limits, most: int | None = None) -> Multiplicities | None:
    """Return the table of a problem with a linear quality; None if it needs too much work.

    It is for up to `most` common features of all pairs, or for all that a family can have.
    """
    table = Multiplicities(problem, most)
    if table.cells * problem.n_sets > _IN_A_UNIT * limits.work or table.cells > _MOST_CELLS:
        return None
    return table
