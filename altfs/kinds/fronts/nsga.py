"""NSGA-II: a population evolves, and those of best rank and largest distance survive."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from math import inf
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from altfs.searches.base import SearchOptions

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Member = TypeVar("Member")


class NsgaOptions(SearchOptions):
    """Options of NSGA-II; the last two are shares of the children."""

    population: Annotated[int, Field(ge=4)] = 100
    generations: Annotated[int, Field(ge=1)] = 100
    crossover: Share = 0.8
    mutation: Share = 0.2


class Nsga(ABC, Generic[Member]):
    """A population that has children; equal seeds give equal populations.

    The best of parents and children survive: those of rank 0, which no other one beats, then
    those that rank 0 alone beats, and so on. Of a rank, those that are farthest from the nearest
    one of their rank come first.

    Source: Deb, Agrawal, Pratap, Meyarivan, *A Fast Elitist Non-dominated Sorting Genetic
    Algorithm for Multi-objective Optimization: NSGA-II*, 2000.
    """

    #: Attempts to draw a new member, for each place in the population.
    tries: ClassVar[int]
    #: Generations without a new member that end the search.
    most_stale: ClassVar[float] = inf

    def __init__(self, options: NsgaOptions, seed: int) -> None:
        self.options, self.chance = options, random.Random(seed)

    def evolve(self) -> None:
        """Breed until the last generation, or until no new member comes."""
        size = self.options.population
        population = self._grown(self.first(), size, self.drawn)
        stale = 0
        for _ in range(self.options.generations if population else 0):
            order = survivors(*self.compared(population), size)
            parents = [population[i] for i in order]
            population = self._grown(parents, len(parents) + size, partial(self._bred, parents))
            stale = 0 if len(population) > len(parents) else stale + 1
            if stale == self.most_stale:
                return

    def first(self) -> list[Member]:
        """Return members that begin the first population."""
        return []

    @abstractmethod
    def drawn(self) -> Iterable[Member]:
        """Return random members, or none."""

    @abstractmethod
    def children(self, a: Member, b: Member) -> Iterable[Member]:
        """Return children of two members."""

    @abstractmethod
    def accepts(self, member: Member) -> bool:
        """Evaluate a member; return False if it is not valid or not new."""

    @abstractmethod
    def compared(self, population: list[Member]) -> tuple[npt.NDArray[np.bool_], Any]:
        """Return which members (rows) beat which (columns), and the distances of members."""

    def _bred(self, parents: list[Member]) -> Iterable[Member]:
        # Of two random parents the better one counts.
        n, draw = len(parents), self.chance.randrange
        a, b = min(draw(n), draw(n)), min(draw(n), draw(n))
        return self.children(parents[a], parents[b])

    def _grown(
        self, members: list[Member], size: int, draw: Callable[[], Iterable[Member]]
    ) -> list[Member]:
        """Return different members, with those that are drawn until there are so many."""
        every = dict.fromkeys(members)
        for _ in range(self.tries * self.options.population):
            if len(every) >= size:
                break
            for member in draw():
                if member not in every and len(every) < size and self.accepts(member):
                    every[member] = None
        return list(every)


def survivors(beaten: npt.NDArray[np.bool_], apart: Any, n_kept: int) -> list[int]:
    """Return the best members: by rank, then by the distance to the nearest of their rank.

    Members (rows) beat others (columns), and are apart from them.

    >>> apart = np.array([[0, 1, 5, 6], [1, 0, 4, 5], [5, 4, 0, 1], [6, 5, 1, 0]])
    >>> survivors(np.eye(4, k=-3, dtype=bool), apart, 3)
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
        # Sorting is stable, so older members come first among equals.
        order += rank[np.argsort(-among.min(axis=1), kind="stable")].tolist()
    return order[:n_kept]
