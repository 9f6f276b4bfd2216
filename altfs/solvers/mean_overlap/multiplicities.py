"""The exact solver of linear qualities if the mean overlap is limited.

The overlaps of all pairs of T sets add up to the sum of C(m_j, 2), where m_j sets hold feature
j. A given set that holds it adds m_j more. So only the multiplicities m matter: every m with
0 <= m_j <= T and T k in total belongs to T sets of k features. A mean Dice dissimilarity is
such a sum, too, in which overlaps with given sets of another size have another weight.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import comb

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import Family, Problem
from altfs.problem.mean_costs import mean_costs
from altfs.problem.results import NAN, Status
from altfs.quality import Linear
from altfs.solvers.base import Limits, Solution, Solver, answer, solvers

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
    carries = frozenset({"include", "exclude", "given"})

    def handles(self, problem: Problem) -> bool:
        plain = problem.average and problem.quality.conflicts is None
        summed = problem.aggregation == "sum" or problem.n_sets == 1
        return plain and summed and problem.adds_overlaps

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        table = table_of(problem, limits, limited=True)
        if table is None:
            bound = problem.n_counted * problem.quality.bound(problem.n_features)
            return Solution(Status.UNKNOWN, (), bound, 0)
        sets = table.family(table.most) if table.exists(table.most) else None
        return answer(problem, sets, True, NAN, table.cells)


class Multiplicities:
    """The best sums for every weighted sum of the overlaps of all pairs.

    The weights are the smallest whole numbers in proportion to what an overlap adds to the mean.

    Of the features that add equally much with the given sets, only the T k best can be needed.

    Parameters
    ----------
    problem : Problem
        Of linear quality.
    limited : bool
        True for the sums that the problem allows, False for all that a family can have.

    Attributes
    ----------
    cells : int
        The size of the table, which is computed when it is read.
    """

    def __init__(self, problem: Problem, limited: bool) -> None:
        quality, constraints = problem.quality_as(Linear), problem.constraints
        self.n_sets, self.slots = problem.n_sets, problem.n_sets * problem.n_features
        self.unit, weights, allowed = _in_whole_numbers(problem)
        held, room = Counter[int](), Counter[int]()
        for given, weight in zip(problem.given, weights, strict=True):
            held.update(dict.fromkeys(given, weight))
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
        highest = problem.n_features * comb(self.n_sets, 2) * self.unit
        highest += self.slots * int(self._shared.max(initial=0))
        self.most = min(allowed, highest) if limited else highest
        self.cells = len(self.features) * (self.slots + 1) * (self.most + 1)

    @cached_property
    def _table(self) -> IntArray:
        # Compiled code is slow to import.
        from altfs.solvers.gain_table import gain_table

        table: IntArray = gain_table(
            self._weights,
            self._shared,
            self._least,
            self.n_sets,
            self.slots,
            self.most,
            self.unit,
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
                after = common - comb(m, 2) * self.unit - m * int(self._shared[i])
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


def _in_whole_numbers(problem: Problem) -> tuple[int, list[int], int]:
    """Return the weights of an overlap of new sets and with each given one, and the limit."""
    k, overlap, n_new = problem.n_features, problem.overlap, comb(problem.n_sets, 2)
    sizes = [k] * n_new + [len(g) for g in problem.given for _ in range(problem.n_sets)]
    if len(sizes) == 1:
        # A pair alone may share what any dissimilarity allows.
        return 1, [1] * len(problem.given), overlap(k, sizes[0])
    among, given, room = mean_costs(problem)
    # A set without features shares nothing.
    return among[1], [each[1] if each[1:] else 0 for each in given], room


def table_of(problem: Problem, limits: Limits, limited: bool = False) -> Multiplicities | None:
    """Return the table of a problem with a linear quality; None if it needs too much work.

    It is for all sums that a family can have, or for those that the problem allows.
    """
    table = Multiplicities(problem, limited)
    if table.cells * problem.n_sets > _IN_A_UNIT * limits.work or table.cells > _MOST_CELLS:
        return None
    return table
