"""NSGA-II over feature sets, compared by their curves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from altfs.kinds.fronts.curve import Curve, Levels
from altfs.kinds.fronts.curve_front import Archive, CurveFront
from altfs.kinds.fronts.dominance import Dominance
from altfs.kinds.fronts.nsga import Nsga, NsgaOptions
from altfs.kinds.fronts.valid_sets import ValidSets
from altfs.problem import FeatureIndices


class SetEvolution(Nsga[FeatureIndices]):
    """Sets and their children; included features are in every set.

    A population is too small for a large front, so all sets count that were ever evaluated.
    """

    # Most children are not new.
    tries = 20

    def __init__(
        self, quality: Curve, valid: ValidSets, rule: Dominance, options: NsgaOptions, seed: int
    ) -> None:
        super().__init__(options, seed)
        self.quality, self.rule, self.valid = quality, rule, valid
        self.archive = Archive(quality.n_positive, rule)
        self.levels: dict[FeatureIndices, Levels] = {}

    def front(self) -> CurveFront:
        """Evolve, and return the front. It is not proven, and empty if no valid set was drawn."""
        self.evolve()
        return self.archive.front(len(self.levels), proven=False)

    def drawn(self) -> Iterable[FeatureIndices]:
        if sizes := self.valid.more:
            # Any size is equally likely.
            size = self.chance.randint(sizes[0], sizes[-1])
            yield self._with_included(self.chance.sample(self.valid.features, size))

    def children(self, a: FeatureIndices, b: FeatureIndices) -> Iterable[FeatureIndices]:
        include = self.valid.include
        crossed = self._crossed({*a}.difference(include), {*b}.difference(include))
        for child in crossed:
            self._mutate(child)
        return map(self._with_included, crossed)

    def accepts(self, member: FeatureIndices) -> bool:
        if not member or member not in self.valid:
            return False
        if member not in self.levels:
            self.levels[member] = self.quality.levels(member)
            self.archive.offer(member, self.levels[member])
        return True

    def compared(self, population: list[FeatureIndices]) -> tuple[Any, Levels]:
        # Compiled code is slow to import.
        from altfs.kinds.fronts._curves import compared

        curves = [self.rule.compared(self.levels[s], s) for s in population]
        return compared(np.array(curves), self.rule.numbers)

    def _with_included(self, child: Iterable[int]) -> FeatureIndices:
        return tuple(sorted((*child, *self.valid.include)))

    def _crossed(self, a: set[int], b: set[int]) -> tuple[set[int], set[int]]:
        """Return two children: each feature that one parent has goes to one of them."""
        chance = self.chance
        if chance.random() >= self.options.crossover:
            return a, b
        children = a & b, a & b
        for j in sorted(a ^ b):
            children[chance.random() < 0.5].add(j)
        for child in children:
            while len(child) > self.valid.more[-1]:
                child.remove(chance.choice(sorted(child)))
            while len(child) < self.valid.more[0]:
                child.add(self._absent(child))
        return children

    def _mutate(self, child: set[int]) -> None:
        """Add, remove or swap a random feature; those that are possible are equally likely."""
        if self.chance.random() >= self.options.mutation:
            return
        size, sizes = len(child), self.valid.more
        moves = [(1, 0)] * (size < sizes[-1]) + [(0, 1)] * (size > sizes[0])
        moves += [(1, 1)] * (0 < size < len(self.valid.features))
        if not moves:
            return
        comes, goes = self.chance.choice(moves)
        new = {self._absent(child)} if comes else set()
        if goes:
            child.remove(self.chance.choice(sorted(child)))
        child |= new

    def _absent(self, child: set[int]) -> int:
        while (j := self.chance.choice(self.valid.features)) in child:
            pass
        return j
