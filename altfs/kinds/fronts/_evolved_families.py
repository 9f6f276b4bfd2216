"""NSGA-II over families of sets: quality against dissimilarity."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from altfs.kinds.fronts.evolution import in_order
from altfs.kinds.fronts.family_front import shared_of
from altfs.problem import Family, Overlap, Problem
from altfs.problem.results import Status
from altfs.solvers import Limits, solve
from altfs.solvers.by_name._completions import indices_of
from altfs.solvers.by_name._evaluations import Evaluations
from altfs.solvers.by_name._families import Bits, Families
from altfs.solvers.first_optimum import OutOfWorkError

# Attempts to draw a new family, for each place in a population.
_TRIES = 5
# The range of each objective in whole numbers, so that distances are exact.
_RANGE = 2**30
# One evaluation of so many is for founders.
_OF_FOUNDERS = 4
# Generations without a new family that end the search.
_STALE = 3

# The quality and what the pairs of sets share.
_Value = tuple[Fraction, Fraction]


def evolved_families(
    problem: Problem, options: Any, limits: Limits, seed: int
) -> tuple[list[Family], int]:
    """Return the unbeaten families of all that NSGA-II evaluates, and its number of sets.

    Parameters
    ----------
    problem : Problem
        Its overlap does not matter.
    options : ParetoOptions
    limits : Limits
        A unit of work is 500 different sets evaluated. Solvers that find the first families have
        these limits, too.
    seed : int
        The start of the random numbers.

    Returns
    -------
    (list of tuple of tuple of int, int)
        No family if no valid one is found.

    Notes
    -----
    Source: Deb, Agrawal, Pratap, Meyarivan, *A Fast Elitist Non-dominated Sorting Genetic
    Algorithm for Multi-objective Optimization: NSGA-II*, 2000.
    """
    breeding = _Breeding(problem, options, limits, seed)
    with suppress(OutOfWorkError):
        breeding.evolve()
    best: list[Bits] = []
    for family in sorted(breeding.known, key=breeding.order_of):
        if not best or breeding.known[family][1] < breeding.known[best[-1]][1]:
            best.append(family)
    return [tuple(map(indices_of, family)) for family in best], breeding.evaluations.count


class _Breeding:
    """Families and their children; equal seeds give equal families."""

    def __init__(self, problem: Problem, options: Any, limits: Limits, seed: int) -> None:
        self.problem, self.options, self.chance = problem, options, random.Random(seed)
        self.evaluations = Evaluations(problem, limits)
        self.known: dict[Bits, _Value] = {}
        #: Those for each number of features that two sets may share, if families are found.
        self.repairing: list[Families] = []
        for shared in range(problem.n_features + 1):
            asked = replace(problem, overlap=Overlap(max_overlap=shared), average=False)
            first = solve(asked.without_values(), limits)
            usable = all(problem.quality.allows(s) for s in first.sets)
            if first.status is not Status.INFEASIBLE and first.sets and usable:
                made = Families(asked, first.sets, self.evaluations, limits, self.chance)
                self.repairing.append(made)

    def evolve(self) -> None:
        """Breed until the last generation, or until no new family comes."""
        population = self._founders()
        stale = 0
        for _ in range(self.options.generations if population else 0):
            population = self._best(population)
            children = list(self._children(population))
            stale = 0 if children else stale + 1
            if stale == _STALE:
                return
            population += children

    def order_of(self, family: Bits) -> tuple[Fraction, Fraction, Family]:
        """Return what sorts families: the best first, then the most dissimilar one."""
        quality, shared = self.known[family]
        return -quality, shared, tuple(map(indices_of, family))

    def _founders(self) -> list[Bits]:
        """Return the first families, and random sets that are repaired to be apart."""
        found: dict[Bits, None] = {}
        for families in self.repairing:
            if self._is_new(families.first):
                found[families.first] = None
        for _ in range(_TRIES * self.options.population if found else 0):
            # Some evaluations have to be left for children.
            used = self.evaluations.count * _OF_FOUNDERS
            if len(found) >= self.options.population or used >= self.evaluations.most:
                break
            families = self.chance.choice(self.repairing)
            drawn = families.drawn() or families.first
            born = families.repaired([self.chance.choice(drawn)] * self.problem.n_sets)
            if born is not None and self._is_new(born):
                found[born] = None
        return list(found)

    def _is_new(self, family: Bits) -> bool:
        """Evaluate a family; return False if it was known."""
        if family in self.known:
            return False
        sets = tuple(map(indices_of, family))
        values = [Fraction(self.evaluations(chosen)) for chosen in sets]
        floor = self.problem.constraints.quality_floor
        if floor is not None and not all(self.problem.quality.reaches(s, floor) for s in sets):
            return False
        quality = sum(values, Fraction()) if self.problem.aggregation == "sum" else min(values)
        self.known[family] = quality, shared_of(self.problem, sets, self.options.dissimilarity)
        return True

    def _best(self, population: list[Bits]) -> list[Bits]:
        """Return those that survive: by rank, then by the distance to the nearest of their rank."""
        values = [self.known[family] for family in population]
        # Dense ranks compare exactly.
        places = [
            np.array([sorted({*axis}).index(value) for value in axis])
            for axis in zip(*values, strict=True)
        ]
        quality, shared = (place[:, None] - place for place in places)
        beaten = (quality >= 0) & (shared <= 0) & ((quality > 0) | (shared < 0))
        apart = sum(np.abs(one[:, None] - one) for one in map(_scaled, zip(*values, strict=True)))
        return [population[i] for i in in_order(beaten, np.asarray(apart), self.options.population)]

    def _children(self, parents: list[Bits]) -> Iterator[Bits]:
        """Yield new families; of two random parents the first one counts."""
        chance, n, made = self.chance, len(parents), 0
        for _ in range(_TRIES * self.options.population):
            if made == self.options.population:
                return
            a, b = (parents[min(chance.randrange(n), chance.randrange(n))] for _ in range(2))
            child = list(a)
            if chance.random() < self.options.crossover:
                # Sets that are known cost no evaluation.
                child = [chance.choice((*a, *b)) for _ in a]
            families = chance.choice(self.repairing)
            child = [self._mutated(bits, child, families) for bits in child]
            born = families.repaired(child)
            if born is not None and self._is_new(born):
                made += 1
                yield born

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


def _scaled(values: tuple[Fraction, ...]) -> Any:
    """Return values from 0 to 2^30 in whole numbers."""
    least, most = min(values), max(values)
    width = (most - least) or Fraction(1)
    return np.array([int((value - least) / width * _RANGE) for value in values])
