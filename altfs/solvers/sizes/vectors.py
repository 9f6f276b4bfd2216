"""Several sets at once of any of some sizes, for linear qualities: size by size.

The sizes of the sets of a family, in ascending order, are a *vector*. Every vector has a
bound that is cheap to compute. Vectors are solved from the best bound down, for families
better than those found so far, until no bound is better. Other solvers find the families
of one size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from math import ceil, comb, inf

import numpy as np

from altfs._numbers import IntArray
from altfs.errors import AltfsError
from altfs.problem import Family, Problem, in_order
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.solvers.base import (
    Limits,
    Solution,
    answer,
    bound_in_truth,
    scaled_objective,
    solve,
    solvers,
    solvers_for,
)
from altfs.solvers.cp_sat.cp_sat import best_by_cp_sat, canonical_optimum
from altfs.solvers.gain_table import IMPOSSIBLE, gain_table
from altfs.solvers.sizes.each_size import SizesSolver, sets_in_turn

Sizes = tuple[int, ...]
#: For more vectors even the bounds take long.
MOST_VECTORS = 50_000
# Entries of the table of bounds, 8 bytes each.
_MOST_ENTRIES = 100_000_000
_NOTHING = -(1 << 61)
# The cost of a feature and a pair of sets in a model, before it is solved.
_UNITS_PER_ROW = 1e-5


@solvers.register("size_vectors")
class SizeVectors(SizesSolver):
    """Two or more sets of linear quality.

    The limits hold for each single size, for all families of several sizes together, and
    for the canonical answer.
    """

    qualities = (Linear,)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        check_ways(problem)
        vectors = _Vectors(problem, limits)
        family = sets_in_turn(problem, limits)
        if len(family) == problem.n_sets:
            vectors.start(family)
        return vectors.solution(exists=False)


def any_family(problem: Problem, limits: Limits) -> Solution:
    """Find a family of sets of several sizes, of any quality.

    Raises
    ------
    AltfsError
        If there are too many ways to choose the sizes.
    """
    check_ways(problem)
    quality = problem.quality
    quality = quality if quality.additive else Linear(np.zeros(quality.n_total))
    bare = replace(problem, quality=quality, aggregation="sum")
    return _Vectors(bare, limits).solution(exists=True)


def check_ways(problem: Problem) -> None:
    """Check that there are few enough ways to choose the sizes."""
    ways = comb(problem.n_sets + len(problem.sizes) - 1, problem.n_sets)
    if ways > MOST_VECTORS:
        raise AltfsError(
            "n_features, n_alternatives",
            f"{problem.n_sets} sets can have {len(problem.sizes)} sizes in {ways} ways, at most "
            f"{MOST_VECTORS} are searched",
            "use a smaller range or fewer alternatives",
        )


@dataclass(frozen=True)
class _Best:
    value: int
    sets: Family
    solver: str


class _Vectors:
    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.quality = problem.quality_as(Linear)
        self.work, self.left = 0, limits.work
        self.best: _Best | None = None
        #: Upper bounds of vectors, exact if solved. Those without a family are left out.
        self.bounds: dict[Sizes, int] = {}
        self.incumbents: dict[Sizes, _Best] = {}

    def start(self, family: Family) -> None:
        """Start with a known family, which others have to exceed."""
        sets = in_order(family)
        single = solvers_for(self.problem.of_size(len(sets[0]), 1))[0]
        self.best = _Best(self._value(sets), sets, single.name)

    def solution(self, exists: bool) -> Solution:
        """Find the best objective, then the canonical family that has it."""
        self.bounds = self._bounds()
        for sizes in self._promising():
            self._solve(sizes)
            if exists and self.best is not None:
                break
        bound = max(self.bounds.values(), default=_NOTHING)
        # The rounding of the largest sets is the largest.
        largest = self.problem.of_size(self.problem.sizes[-1], self.problem.n_sets)
        truth = bound_in_truth(largest, self.quality, bound)
        if self.best is None:
            return answer(self.problem, None, not self.bounds, truth, self.work)
        complete = not exists and bound <= self.best.value
        if complete:
            self._first()
        solution = answer(self.problem, self.best.sets, complete, truth, self.work)
        return replace(solution, solver=self.best.solver)

    def _bounds(self) -> dict[Sizes, int]:
        """Return upper bounds of all vectors, from single sets and from the table."""
        problem, n_sets = self.problem, self.problem.n_sets
        alone = {}
        for k in problem.sizes:
            single = solve(problem.of_size(k, 1), self.limits)
            self.work += single.work
            if single.status is not Status.INFEASIBLE:
                alone[k] = self._upper(single)
        if not alone:
            return {}
        table = self._table(max(alone))
        bounds = {}
        for sizes in combinations_with_replacement(alone, n_sets):
            values = [alone[k] for k in sizes]
            bound = sum(values) if problem.aggregation == "sum" else min(values)
            if table is not None:
                together = int(table[sum(sizes), self._shared(sizes)])
                bound = min(bound, together if problem.aggregation == "sum" else together // n_sets)
                if together <= IMPOSSIBLE // 2:
                    continue
            bounds[sizes] = bound
        return bounds

    def _shared(self, sizes: Sizes) -> int:
        """Return the sum of the allowed overlaps of all pairs of sets."""
        overlap, counts = self.problem.overlap, list(Counter(sizes).items())
        alike = sum(comb(number, 2) * overlap(k, k) for k, number in counts)
        return alike + sum(m * n * overlap(a, b) for (a, m), (b, n) in combinations(counts, 2))

    def _table(self, largest: int) -> IntArray | None:
        """Return the largest sums of features, by the places and pairs of sets they take.

        None if the table is too large.
        """
        problem, n_sets = self.problem, self.problem.n_sets
        free = np.ones(self.quality.n_total, dtype=bool)
        free[list(problem.constraints.exclude)] = False
        weights = np.sort(self.quality.weights[free])[::-1][: n_sets * largest]
        places, pairs = n_sets * largest, comb(n_sets, 2) * problem.overlap(largest, largest)
        if (len(weights) + 1) * (places + 1) * (pairs + 1) > _MOST_ENTRIES:
            return None
        zeros = np.zeros_like(weights)
        return np.asarray(gain_table(weights, zeros, zeros, n_sets, places, pairs)[0])

    def _promising(self) -> Iterator[Sizes]:
        """Yield vectors whose bound is above the best value, those of one size first."""
        order = sorted(self.bounds, key=lambda s: (s[0] != s[-1], -self.bounds[s], s))
        for sizes in order:
            if self.best is None or self.bounds[sizes] > self.best.value:
                yield sizes

    def _solve(self, sizes: Sizes) -> None:
        """Look for a family of a vector that is better than the best one so far."""
        least = None if self.best is None else self.best.value + 1
        solution, settled = self._family(sizes, least)
        if solution.sets:
            value = self._value(solution.sets)
            self.incumbents[sizes] = _Best(value, solution.sets, solution.solver)
            if self.best is None or value > self.best.value:
                self.best = self.incumbents[sizes]
        if solution.status is not Status.INFEASIBLE:
            self.bounds[sizes] = min(self.bounds[sizes], self._upper(solution))
        elif least is None or not settled:
            del self.bounds[sizes]
        else:
            self.bounds[sizes] = min(self.bounds[sizes], least - 1)

    def _family(self, sizes: Sizes, least: int | None) -> tuple[Solution, bool]:
        """Return the best family of a vector, and whether families below `least` are left out."""
        part = self.problem.of_sizes(set(sizes))
        if len(part.sizes) == 1:
            solution = solve(part, self.limits)
            self.work += solution.work
            return solution, False
        if self.left <= 0:
            return Solution(Status.UNKNOWN, (), inf, 0), True
        solution, units = best_by_cp_sat(part, Limits(self.left), least, sizes)
        self.work += solution.work
        self.left -= units + _UNITS_PER_ROW * comb(len(sizes), 2) * self.quality.n_total
        return replace(solution, solver="cp_sat"), True

    def _first(self) -> None:
        """Find the canonical one of the best families."""
        assert self.best is not None
        self.left = self.limits.work
        for sizes in sorted(self.bounds):
            incumbent = self.incumbents.get(sizes)
            if self.bounds[sizes] < self.best.value:
                continue
            if incumbent is None:
                solution, _ = self._family(sizes, self.best.value)
                incumbent = _Best(self._value(solution.sets), solution.sets, solution.solver)
            if not incumbent.sets or incumbent.value < self.best.value:
                continue
            part = self.problem.of_sizes(set(sizes))
            if len(part.sizes) > 1:
                sets, more = canonical_optimum(part, list(incumbent.sets), self.limits)
                incumbent = replace(incumbent, sets=tuple(sets))
                self.work += more
            self.best = incumbent
            return

    def _value(self, sets: Family) -> int:
        return scaled_objective(self.problem, self.quality, sets) if sets else _NOTHING

    def _upper(self, solution: Solution) -> int:
        """Return the bound of a solution in scaled integers, its rounding included."""
        if solution.status is Status.OPTIMAL:
            return self._value(solution.sets)
        if solution.bound == inf:
            return 1 << 60
        return ceil(solution.bound / self.quality.unit) + 1 if self.quality.unit else 0
