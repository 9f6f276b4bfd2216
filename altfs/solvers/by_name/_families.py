"""Families of feature sets that solvers change at random, and repair.

Sets are integers, in which feature j is bit j.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from altfs.problem import Family, Problem, in_order
from altfs.quality import Linear
from altfs.solvers.base import Limits, solve
from altfs.solvers.by_name._completions import Completions, bits_of, indices_of
from altfs.solvers.by_name._evaluations import Evaluations

#: Sets of a family in canonical order.
Bits = tuple[int, ...]
#: The objective, and the sum of the qualities, which decides among equals.
Rank = tuple[float, float]

# Attempts to fill a set at random, before an exact solver repairs it.
_ATTEMPTS = 8
# Sets that an exact solver repairs in a unit of work, and the work for each of them.
_REPAIRS = 25
_REPAIRING = Limits(work=1.0)


class Families:
    """The families of a problem: their values, random ones, and repaired ones.

    Parameters
    ----------
    problem : Problem
    first : tuple of tuple of int
        A valid family.
    evaluations : Evaluations
    limits : Limits
        In a unit of work, an exact solver repairs 25 sets.
    chance : random.Random
    """

    def __init__(
        self,
        problem: Problem,
        first: Family,
        evaluations: Evaluations,
        limits: Limits,
        chance: random.Random,
    ) -> None:
        self.problem, self.evaluations, self.chance = problem, evaluations, chance
        self._repairs = int(_REPAIRS * limits.work) + 1
        self._nearest_sets: dict[tuple[int, ...], int] = {}
        self.single = Completions(problem, first[0], limits)
        self.first = self.ordered(map(bits_of, first))
        self._given = [bits_of(g) for g in problem.given]
        self._most: dict[tuple[int, int], int] = {}
        self._by_tau = problem.overlap.tau is not None

    @staticmethod
    def ordered(sets: Sequence[int] | map[int]) -> Bits:
        """Return sets in canonical order."""
        return tuple(map(bits_of, in_order([indices_of(bits) for bits in sets])))

    def rank(self, family: Bits) -> Rank:
        """Evaluate a family; OutOfWorkError if too many sets have been evaluated."""
        values = [self.evaluations(indices_of(bits)) for bits in family]
        return self.problem.aggregate(values), sum(values)

    def excess(self, family: Bits) -> Fraction:
        """Return the number of features by which pairs of sets overlap too much."""
        pairs = [(a, b) for i, a in enumerate(family) for b in (*self._given, *family[:i])]
        if self.problem.average:
            excess = sum((self._excess(a, b) for a, b in pairs), Fraction(0))
            return max(Fraction(0), excess) * (self.problem.n_features if self._by_tau else 1)
        over = ((a & b).bit_count() - self._limit(a.bit_count(), b) for a, b in pairs)
        return Fraction(sum(max(0, each) for each in over))

    def is_valid(self, family: Bits) -> bool:
        """Return True if the family satisfies every condition of the problem."""
        return all(map(self._bare, family)) and self.excess(family) == 0

    def drawn(self) -> Bits | None:
        """Return a random valid family; None if the exact solver finds none either."""
        sizes = self.problem.sizes
        sets = []
        for _ in range(self.problem.n_sets):
            bits, size = self.single.include, sizes[self.chance.randrange(len(sizes))]
            while bits.bit_count() < size and self.single.allowed & ~bits:
                bits |= 1 << self._random_feature(self.single.allowed & ~bits)
            sets.append(bits)
        return self.repaired(sets)

    def exchanged(self, bits: int) -> int:
        """Return a set with one feature exchanged; of several sizes, also one more or one less."""
        out, into = bits & ~self.single.include, self.single.allowed & ~bits
        sizes = self.problem.sizes
        move = self.chance.randrange(3) if len(sizes) > 1 else 0
        if move != 1 and out:
            bits ^= 1 << self._random_feature(out)
        if move != 2 and into:
            bits ^= 1 << self._random_feature(into)
        return bits

    def sized(self, bits: int) -> int:
        """Return a set of an allowed size, with random features more or less."""
        bits = (bits & self.single.allowed) | self.single.include
        size = min(self.problem.sizes, key=lambda k: abs(k - bits.bit_count()))
        while bits.bit_count() > size and bits & ~self.single.include:
            bits ^= 1 << self._random_feature(bits & ~self.single.include)
        while bits.bit_count() < size and self.single.allowed & ~bits:
            bits |= 1 << self._random_feature(self.single.allowed & ~bits)
        return bits

    def alone(self, bits: int) -> int | None:
        """Return a set that satisfies every condition but the overlaps; None if unknown."""
        if not self._bare(bits):
            bits = self._nearest(bits, (), given=False) or bits
        return bits if self._bare(bits) else None

    def _bare(self, bits: int) -> bool:
        constraints, chosen = self.problem.constraints, indices_of(bits)
        allowed = self.problem.quality.allows(chosen) and len(chosen) in self.problem.sizes
        return allowed and constraints.violation(chosen, self.problem.quality) is None

    def repaired(self, sets: Sequence[int], others: Bits = ()) -> Bits | None:
        """Return a valid family near to some sets; None if there is no place for one of them.

        Each set is repaired after the others before it, and after those that stay.
        """
        family = list(others)
        for bits in sets:
            near = self._near(bits, family)
            if near is None:
                return None
            family.append(near)
        return self.ordered(family)

    def _near(self, bits: int, others: Sequence[int]) -> int | None:
        target = (bits & self.single.allowed) | self.single.include
        if self._fits(target, others):
            return target
        for _ in range(_ATTEMPTS):
            filled = self._filled(target, others)
            if filled is not None and self._fits(filled, others):
                return filled
        return self._nearest(target, others)

    def _fits(self, bits: int, others: Sequence[int]) -> bool:
        if self.problem.average:
            return self.is_valid((bits, *others))
        size = bits.bit_count()
        return self.single.is_valid(bits) and all(
            (bits & other).bit_count() <= self._limit(size, other) for other in others
        )

    def _filled(self, bits: int, others: Sequence[int]) -> int | None:
        """Take features over a limit away, those of most sets first, and add free ones."""
        size = min(self.problem.sizes, key=lambda k: abs(k - bits.bit_count()))
        limits = [(other, self._limit(size, other)) for other in (*self._given, *others)]
        while over := [other for other, most in limits if (bits & other).bit_count() > most]:
            held = {j: sum(other >> j & 1 for other in over) for j in indices_of(bits)}
            held = {j: n for j, n in held.items() if n and not self.single.include >> j & 1}
            if not held:
                return None
            worst = [j for j, n in held.items() if n == max(held.values())]
            bits ^= 1 << worst[self.chance.randrange(len(worst))]
        while bits.bit_count() > size:
            free = bits & ~self.single.include
            if not free:
                return None
            bits ^= 1 << self._random_feature(free)
        while bits.bit_count() < size:
            free = self.single.allowed & ~bits
            for other, most in limits:
                if (bits & other).bit_count() >= most:
                    free &= ~other
            if not free:
                return None
            bits |= 1 << self._random_feature(free)
        return bits

    def _nearest(self, bits: int, others: Sequence[int], given: bool = True) -> int | None:
        """Return the valid set that has most features in common with one; None if unknown."""
        quality, problem = self.problem.quality, self.single.problem
        if problem.constraints.quality_floor is not None:
            # The floor belongs to the values of the quality.
            return None
        fixed = (*(problem.given if given else ()), *map(indices_of, others))
        key = (bits, *map(bits_of, fixed))
        if key not in self._nearest_sets:
            if not self._repairs:
                return None
            self._repairs -= 1
            marks = np.zeros(quality.n_total)
            marks[list(indices_of(bits))] = 1.0
            nearest = Linear(marks, quality.conflicts)
            solution = solve(replace(problem, quality=nearest, given=fixed), _REPAIRING)
            self._nearest_sets[key] = bits_of(solution.sets[0]) if solution.sets else 0
        near = self._nearest_sets[key]
        return near if near and (not given or self._fits(near, others)) else None

    def _limit(self, size: int, other: int) -> int:
        """Return the largest overlap of a set of a size with another set."""
        sizes = size, other.bit_count()
        if sizes not in self._most:
            self._most[sizes] = self.problem.overlap(*sizes)
        return self._most[sizes]

    def _excess(self, bits: int, other: int) -> Fraction:
        """Return by how much a pair of sets exceeds what the mean may be."""
        excesses = self.problem.overlap.excesses(bits.bit_count(), other.bit_count())
        return excesses[(bits & other).bit_count()]

    def _random_feature(self, bits: int) -> int:
        features = indices_of(bits)
        return features[self.chance.randrange(len(features))]
