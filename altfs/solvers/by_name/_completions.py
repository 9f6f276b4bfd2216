"""The exact answer to the question whether a valid set lies between two sets.

A solver that adds or removes features asks it before every move. A valid set that is known,
the *witness*, mostly answers it after one exchange. Else an exact solver does.

Sets are integers, in which feature j is bit j.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import gt

from altfs.problem import FeatureIndices, Problem
from altfs.problem.results import Status
from altfs.solvers.base import Limits, solve


def bits_of(indices: Iterable[int]) -> int:
    """Return the integer that stands for a feature set.

    >>> bits_of((0, 3))
    9
    """
    bits = 0
    for j in indices:
        bits |= 1 << j
    return bits


def indices_of(bits: int) -> FeatureIndices:
    """Return the feature set that an integer stands for.

    >>> indices_of(9)
    (0, 3)
    """
    return tuple(_features(bits))


def _features(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class Completions:
    """Valid sets of a problem that hold some features and no others than some.

    Parameters
    ----------
    problem : Problem
        Its number of sets does not matter.
    witness : tuple of int
        A valid set.
    limits : Limits
        Of each call of an exact solver.
    """

    def __init__(self, problem: Problem, witness: FeatureIndices, limits: Limits) -> None:
        self.problem = replace(problem, n_sets=1, aggregation="sum")
        self.limits = limits
        self.include = bits_of(problem.constraints.include)
        every = (1 << problem.quality.n_total) - 1
        self.allowed = every & ~bits_of(problem.constraints.exclude)
        self.witness = bits_of(witness)
        self._given = [bits_of(g) for g in problem.given]
        self._most = {k: [problem.overlap(k, len(g)) for g in problem.given] for k in problem.sizes}
        kinds = {*problem.constraints.kinds()} - {"include", "exclude"}
        self._constraints = problem.constraints if kinds else None
        self._valid: dict[int, bool] = {}
        # Pairs between which no valid set lies.
        self._none: list[tuple[int, int]] = []

    def exists(self, held: int, allowed: int) -> bool:
        """Return True if a valid set holds all of `held` and nothing but `allowed`.

        That set is the new witness. The answer is False, too, if an exact solver does not
        find out within its limits.
        """
        held, allowed = held | self.include, allowed & self.allowed
        if not held & ~self.witness and not self.witness & ~allowed:
            return True
        if held & ~allowed or any(not h & ~held and not allowed & ~a for h, a in self._none):
            return False
        for bits in self._near(held, allowed):
            if self.is_valid(bits):
                self.witness = bits
                return True
        return self._exists_exactly(held, allowed)

    def is_valid(self, bits: int) -> bool:
        """Return True if a set satisfies every condition of the problem."""
        if bits not in self._valid:
            self._valid[bits] = self._is_valid(bits)
        return self._valid[bits]

    def _is_valid(self, bits: int) -> bool:
        most = self._most.get(bits.bit_count())
        if most is None or self.include & ~bits or bits & ~self.allowed:
            return False
        shared = [(bits & g).bit_count() for g in self._given]
        if self.problem.average:
            pairs = zip(self.problem.given, shared, strict=True)
            excesses = self.problem.overlap.excesses
            if sum(excesses(bits.bit_count(), len(g))[c] for g, c in pairs) > 0:
                return False
        elif any(map(gt, shared, most)):
            return False
        quality, chosen = self.problem.quality, indices_of(bits)
        if not quality.allows(chosen):
            return False
        return self._constraints is None or self._constraints.violation(chosen, quality) is None

    def _near(self, held: int, allowed: int) -> Iterator[int]:
        """Yield the witness with the changes that are needed, and one more change."""
        base = (self.witness & allowed) | held
        yield base
        if base.bit_count() > self.problem.sizes[0]:
            for j in _features(base & ~held):
                yield base & ~(1 << j)
        if base.bit_count() < self.problem.sizes[-1]:
            for j in _features(allowed & ~base):
                yield base | 1 << j

    def _exists_exactly(self, held: int, allowed: int) -> bool:
        bounds = {
            "include": indices_of(held),
            "exclude": indices_of(((1 << self.problem.quality.n_total) - 1) & ~allowed),
        }
        constraints = self.problem.constraints.model_copy(update=bounds)
        sizes = [k for k in self.problem.sizes if k >= held.bit_count()]
        if not sizes:
            return False
        part = replace(self.problem.of_sizes(sizes), constraints=constraints)
        solution = solve(part.without_values(), self.limits)
        if solution.status is Status.INFEASIBLE:
            self._none.append((held, allowed))
        bits = bits_of(solution.sets[0]) if solution.sets else 0
        if not solution.sets or not self.is_valid(bits):
            return False
        self.witness = bits
        return True
