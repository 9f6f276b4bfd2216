"""NSGA-II: a front that evolves, not proven."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from altfs.kinds.fronts.archive import Archive
from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.problem import FeatureIndices

# The largest number of children for each place among the offspring; most are known already.
_TRIES = 20


@dataclass(frozen=True)
class Rates:
    """The numbers of NSGA-II: sets that survive, generations, shares of crossed and mutated sets.

    The defaults are those of the paper.
    """

    population: int = 100
    generations: int = 500
    crossover: float = 0.8
    mutation: float = 0.2


@dataclass(frozen=True)
class Space:
    """The sets that may be bred."""

    #: The features that a set may or may not have.
    features: tuple[int, ...]
    #: Those that it always has.
    include: tuple[int, ...]
    #: The sizes of sets, included features among them.
    sizes: range
    #: Tells whether a set of such a size and such features is valid.
    is_valid: Callable[[FeatureIndices], bool]


class _Breeding:
    """Random sets and their children; equal seeds give equal sets."""

    def __init__(self, space: Space, rates: Rates, seed: int) -> None:
        self.rates, self.chance, self.is_valid = rates, random.Random(seed), space.is_valid
        self.features, self.include = space.features, space.include
        self.least = max(space.sizes[0] - len(self.include), 0)
        self.most = min(space.sizes[-1] - len(self.include), len(self.features))

    def founders(self) -> list[FeatureIndices]:
        """Return different random sets, of any size equally likely."""
        found: dict[FeatureIndices, None] = {}
        for _ in range(_TRIES * self.rates.population):
            if len(found) == self.rates.population or self.least > self.most:
                break
            size = self.chance.randint(self.least, self.most)
            self._keep(set(self.chance.sample(self.features, size)), found)
        return list(found)

    def offspring(self, parents: list[FeatureIndices]) -> list[FeatureIndices]:
        """Return new sets, none of them a parent; of two random parents the first one counts."""
        chance, n = self.chance, len(parents)
        known = dict.fromkeys(parents)
        free = [{j for j in one if j not in self.include} for one in parents]
        for _ in range(_TRIES * self.rates.population):
            if len(known) >= n + self.rates.population:
                break
            a, b = (min(chance.randrange(n), chance.randrange(n)) for _ in range(2))
            for child in self._crossed(free[a], free[b]):
                self._mutate(child)
                if len(known) < n + self.rates.population:
                    self._keep(child, known)
        return list(known)[n:]

    def _keep(self, child: set[int], known: dict[FeatureIndices, None]) -> None:
        chosen = tuple(sorted((*child, *self.include)))
        if chosen and chosen not in known and self.is_valid(chosen):
            known[chosen] = None

    def _crossed(self, a: set[int], b: set[int]) -> tuple[set[int], set[int]]:
        """Return two children: each feature that one parent has goes to one of them."""
        chance = self.chance
        if chance.random() >= self.rates.crossover:
            return set(a), set(b)
        children = a & b, a & b
        for j in sorted(a ^ b):
            children[chance.random() < 0.5].add(j)
        for child in children:
            self._fit(child)
        return children

    def _fit(self, child: set[int]) -> None:
        """Remove or add random features, until the size of a set is possible."""
        while len(child) > self.most:
            child.remove(self.chance.choice(sorted(child)))
        while len(child) < self.least:
            child.add(self._absent(child))

    def _mutate(self, child: set[int]) -> None:
        """Add, remove or swap a random feature; those that are possible are equally likely."""
        if self.chance.random() >= self.rates.mutation:
            return
        size = len(child)
        moves = [(1, 0)] * (size < self.most) + [(0, 1)] * (size > self.least)
        moves += [(1, 1)] * (0 < size < len(self.features))
        if not moves:
            return
        comes, goes = self.chance.choice(moves)
        new = self._absent(child) if comes else -1
        if goes:
            child.remove(self.chance.choice(sorted(child)))
        if comes:
            child.add(new)

    def _absent(self, child: set[int]) -> int:
        while True:
            if (j := self.chance.choice(self.features)) not in child:
                return j


def evolve(
    quality: Curve, space: Space, dominance: Dominance, rates: Rates, seed: int
) -> CurveFront:
    """Return the sets that no other one dominates, of all that NSGA-II evaluates.

    A population of sets has children. Those that survive have the best rank among parents and
    children: rank 0 is not dominated, rank 1 by rank 0 alone, and so on. Of equal ranks, those
    survive whose curve is farthest from the nearest one of its rank.

    A population is too small for a large front, so all sets count that were ever evaluated.

    Parameters
    ----------
    quality : Curve
    space : Space
    dominance : Dominance
    rates : Rates
    seed : int
        The start of the random numbers.

    Returns
    -------
    CurveFront
        Not proven; empty if no valid set was drawn.

    Notes
    -----
    Source: Deb, Agrawal, Pratap, Meyarivan, *A Fast Elitist Non-dominated Sorting Genetic
    Algorithm for Multi-objective Optimization: NSGA-II*, 2000.
    """
    # Compiled code is slow to import.
    from altfs.kinds.fronts._archive import distances

    archive = Archive(quality.n_positive, dominance)
    known: dict[FeatureIndices, Levels] = {}

    def curves_of(sets: Sequence[FeatureIndices]) -> Levels:
        for chosen in sets:
            if chosen not in known:
                known[chosen] = quality.levels(chosen)
                archive.offer(chosen, known[chosen])
        return np.array([known[chosen] for chosen in sets]).reshape(-1, quality.n_positive)

    breeding = _Breeding(space, rates, seed)
    population = breeding.founders()
    levels = curves_of(population)
    for _ in range(rates.generations if population else 0):
        apart = distances(levels)
        order = in_order(dominance.matrix(apart, levels.sum(axis=1)), apart, rates.population)
        population, levels = [population[i] for i in order], levels[order]
        children = breeding.offspring(population)
        population = [*population, *children]
        levels = np.vstack([levels, curves_of(children)])
    return archive.front(len(known), proven=False)


def in_order(beaten: npt.NDArray[np.bool_], apart: Levels, n_kept: int) -> list[int]:
    """Return the best curves: by rank, then by the distance to the nearest curve of their rank.

    Parameters
    ----------
    beaten : ndarray of bool of shape (n, n)
        Which curves (rows) dominate which (columns).
    apart : ndarray of int of shape (n, n)
        The distances of the curves.
    n_kept : int
        The largest number of curves to return.

    Examples
    --------
    >>> apart = np.array([[0, 1, 5, 6], [1, 0, 4, 5], [5, 4, 0, 1], [6, 5, 1, 0]])
    >>> in_order(np.eye(4, k=-3, dtype=bool), apart, 3)
    [1, 2, 3]
    """
    order: list[int] = []
    above = beaten.sum(axis=0)
    while len(order) < min(n_kept, len(beaten)):
        rank = np.flatnonzero(above == 0)
        above[rank] = -1
        above -= beaten[rank].sum(axis=0)
        among = apart[np.ix_(rank, rank)]
        np.fill_diagonal(among, np.iinfo(np.int64).max)
        # Sorting is stable, so older sets come first among equals.
        order += rank[np.argsort(-among.min(axis=1), kind="stable")].tolist()
    return order[:n_kept]
