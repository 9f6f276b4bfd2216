"""NSGA-II over families of sets: quality against a second objective."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altfs.kinds.fronts.family_front import (
    FamilyFront,
    SecondObjective,
    exact_quality,
    family_front,
    limited_to,
    to_lower,
)
from altfs.kinds.fronts.nsga import Nsga, NsgaOptions
from altfs.problem import Family, Problem
from altfs.problem.results import Status
from altfs.quality.pairs import PairQuality
from altfs.solvers import Limits, solve
from altfs.solvers.by_name._completions import indices_of
from altfs.solvers.by_name._evaluations import Evaluations
from altfs.solvers.by_name._families import Bits, Families
from altfs.solvers.first_optimum import OutOfWorkError

# The range of each objective in whole numbers, so that distances are exact.
_RANGE = 2**30
# One evaluation of so many is for the first population.
_OF_FIRST = 4


class FamilyEvolution(Nsga[Bits]):
    """Families and their children, which are repaired to be apart.

    Against dissimilarity, the overlap of the problem does not matter. A unit of work is 500
    different sets evaluated. Solvers that find the first families have these limits, too.
    """

    tries = 5
    most_stale = 3

    def __init__(
        self,
        problem: Problem,
        kind: SecondObjective,
        options: NsgaOptions,
        limits: Limits,
        seed: int,
    ) -> None:
        super().__init__(options, seed)
        self.problem, self.kind = problem, kind
        self.evaluations = Evaluations(problem, limits)
        #: The quality of each family, and its second objective as a number that should be low.
        self.values: dict[Bits, tuple[Fraction, Fraction]] = {}
        #: Those for each number of features that two sets may share, if a family exists.
        self.repairing: list[Families] = []
        limits_of_overlap = [limited_to(problem, c) for c in range(problem.n_features + 1)]
        for limited in [problem] if kind == "information" else limits_of_overlap:
            first = solve(_first_problem(limited), limits)
            usable = all(problem.quality.allows(s) for s in first.sets)
            if first.status is not Status.INFEASIBLE and first.sets and usable:
                self.repairing.append(
                    Families(limited, first.sets, self.evaluations, limits, self.chance)
                )

    def front(self) -> FamilyFront:
        """Evolve, and return the front of all families that were evaluated."""
        with suppress(OutOfWorkError):
            self.evolve()
        unbeaten: list[Bits] = []
        values = self.values
        for family in sorted(values, key=lambda f: (-values[f][0], values[f][1], _sets_of(f))):
            if not unbeaten or values[family][1] < values[unbeaten[-1]][1]:
                unbeaten.append(family)
        families = ((_sets_of(family), "nsga_ii") for family in unbeaten)
        return family_front(self.problem, self.kind, families, self.evaluations.count, proven=False)

    def first(self) -> list[Bits]:
        return [families.first for families in self.repairing if self.accepts(families.first)]

    def drawn(self) -> Iterable[Bits]:
        # Some evaluations have to be left for children.
        if not self.values or self.evaluations.count * _OF_FIRST >= self.evaluations.most:
            return ()
        families = self.chance.choice(self.repairing)
        chosen = self.chance.choice(families.drawn() or families.first)
        return _existing(families.repaired([chosen] * self.problem.n_sets))

    def children(self, a: Bits, b: Bits) -> Iterable[Bits]:
        child = list(a)
        if self.chance.random() < self.options.crossover:
            # Sets of the parents cost no evaluation.
            child = [self.chance.choice((*a, *b)) for _ in a]
        families = self.chance.choice(self.repairing)
        return _existing(families.repaired([self._mutated(s, child, families) for s in child]))

    def accepts(self, member: Bits) -> bool:
        if member in self.values:
            return False
        sets = _sets_of(member)
        values = [Fraction(self.evaluations(chosen)) for chosen in sets]
        floor = self.problem.constraints.quality_floor
        if floor is not None and not all(self.problem.quality.reaches(s, floor) for s in sets):
            return False
        low = to_lower(self.problem, sets, self.kind)
        self.values[member] = exact_quality(self.problem, values), low
        return True

    def compared(self, population: list[Bits]) -> tuple[Any, Any]:
        axes = [*zip(*(self.values[family] for family in population), strict=True)]
        # Dense ranks compare exactly.
        places = [np.array([sorted({*axis}).index(value) for value in axis]) for axis in axes]
        quality, low = (place[:, None] - place for place in places)
        beaten = (quality >= 0) & (low <= 0) & ((quality > 0) | (low < 0))
        return beaten, sum(np.abs(v[:, None] - v) for v in map(_scaled, axes))

    def _mutated(self, bits: int, family: list[int], families: Families) -> int:
        """Return a set, with one feature exchanged or crossed with another set of its family."""
        chance = self.chance
        if chance.random() >= self.options.mutation:
            return bits
        if chance.random() < 0.5:
            return families.exchanged(bits)
        other = chance.choice(family)
        crossed = bits & other
        for j in indices_of(bits ^ other):
            if chance.random() < 0.5:
                crossed |= 1 << j
        return families.sized(crossed)


def _first_problem(problem: Problem) -> Problem:
    """Return a problem whose answer is a first valid family.

    Exact solvers know a floor of a sum. Of costs of pairs they find the family whose worst set
    is best, and only that one reaches the floor if any does.
    """
    constraints, quality = problem.constraints, problem.quality
    if constraints.quality_floor is None or not isinstance(quality, PairQuality):
        return problem.without_values()
    free = constraints.model_copy(update={"quality_floor": None})
    return replace(problem, aggregation="min", constraints=free)


def _existing(family: Bits | None) -> list[Bits]:
    return [] if family is None else [family]


def _sets_of(family: Bits) -> Family:
    return tuple(map(indices_of, family))


def _scaled(values: tuple[Fraction, ...]) -> Any:
    """Return values from 0 to 2^30 in whole numbers."""
    least, most = min(values), max(values)
    width = (most - least) or Fraction(1)
    return np.array([int((value - least) / width * _RANGE) for value in values])
