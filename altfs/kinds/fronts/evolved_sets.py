"""NSGA-II over feature sets, compared by their curves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from altfs.kinds.fronts.archive import Archive
from altfs.kinds.fronts.candidates import Candidates
from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.curve_front import CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.nsga import Nsga, NsgaOptions
from altfs.problem import FeatureIndices


def evolved_sets(
    quality: Curve, candidates: Candidates, dominance: Dominance, options: NsgaOptions, seed: int
) -> CurveFront:
    """Return the sets that no other one dominates, of all that NSGA-II evaluates.

    A population is too small for a large front, so all sets count that were ever evaluated. The
    front is not proven, and empty if no valid set was drawn.
    """
    evolution = SetEvolution(quality, candidates, dominance, options, seed)
    evolution.evolve()
    return evolution.archive.front(len(evolution.levels), proven=False)


class SetEvolution(Nsga[FeatureIndices]):
    """Sets and their children; included features are in every set."""

    # Most children are known already.
    tries = 20

    def __init__(
        self,
        quality: Curve,
        candidates: Candidates,
        dominance: Dominance,
        options: NsgaOptions,
        seed: int,
    ) -> None:
        super().__init__(options, seed)
        self.quality, self.dominance, self.candidates = quality, dominance, candidates
        self.archive = Archive(quality.n_positive, dominance)
        self.levels: dict[FeatureIndices, Levels] = {}
        sizes, n_include = candidates.sizes, len(candidates.include)
        self._least = max(sizes[0] - n_include, 0)
        self._most = min(sizes[-1] - n_include, len(candidates.features))

    def drawn(self) -> Iterable[FeatureIndices]:
        if self._least <= self._most:
            # Any size is equally likely.
            size = self.chance.randint(self._least, self._most)
            child = self.chance.sample(self.candidates.features, size)
            yield tuple(sorted((*child, *self.candidates.include)))

    def children(self, a: FeatureIndices, b: FeatureIndices) -> Iterable[FeatureIndices]:
        include = self.candidates.include
        crossed = self._crossed({*a}.difference(include), {*b}.difference(include))
        for child in crossed:
            self._mutate(child)
        return [tuple(sorted((*child, *include))) for child in crossed]

    def accepts(self, member: FeatureIndices) -> bool:
        if not member or not self.candidates.is_valid(member):
            return False
        if member not in self.levels:
            self.levels[member] = self.quality.levels(member)
            self.archive.offer(member, self.levels[member])
        return True

    def compared(self, population: list[FeatureIndices]) -> tuple[Any, Levels]:
        # Compiled code is slow to import.
        from altfs.kinds.fronts._curves import distances

        levels = np.concatenate([self.levels[chosen] for chosen in population])
        levels = levels.reshape(len(population), -1)
        apart = distances(levels)
        return self.dominance.matrix(apart, levels.sum(axis=1)), apart

    def _crossed(self, a: set[int], b: set[int]) -> tuple[set[int], set[int]]:
        """Return two children: each feature that one parent has goes to one of them."""
        chance = self.chance
        if chance.random() >= self.options.crossover:
            return a, b
        children = a & b, a & b
        for j in sorted(a ^ b):
            children[chance.random() < 0.5].add(j)
        least, most = self._least, self._most
        for child in children:
            while len(child) > most:
                child.remove(chance.choice(sorted(child)))
            while len(child) < least:
                child.add(self._absent(child))
        return children

    def _mutate(self, child: set[int]) -> None:
        """Add, remove or swap a random feature; those that are possible are equally likely."""
        if self.chance.random() >= self.options.mutation:
            return
        size = len(child)
        moves = [(1, 0)] * (size < self._most) + [(0, 1)] * (size > self._least)
        moves += [(1, 1)] * (0 < size < len(self.candidates.features))
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
            if (j := self.chance.choice(self.candidates.features)) not in child:
                return j
