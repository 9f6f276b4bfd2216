"""The moves of greedy solvers: features that enter or leave one set, best first."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from math import ceil, inf
from typing import Annotated, ClassVar

from pydantic import Field

from altfs.errors import AltfsError
from altfs.problem import Family, FeatureIndices, Problem
from altfs.solvers.base import Limits, SolverOptions
from altfs.solvers.by_name._completions import Completions, indices_of
from altfs.solvers.by_name._evaluations import Evaluations, NamedSolver
from altfs.solvers.first_optimum import OutOfWorkError


class GreedyOptions(SolverOptions):
    """Options of greedy solvers.

    step: the number of features that enter, or leave, together. candidates: the share of the
    moves that is drawn and evaluated. tolerance: a set of an allowed size is the last one if
    the next move loses more quality than this; without it the walk goes on.
    """

    step: Annotated[int, Field(ge=1)] = 1
    candidates: Annotated[float, Field(gt=0, le=1)] = 1.0
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class GreedySolver(NamedSolver):
    """The base class of greedy solvers of one set.

    A set is evaluated only if it can still become a valid one: by more features if the walk
    goes `upwards`, else by fewer.
    """

    Options = GreedyOptions
    upwards: ClassVar[bool] = True

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1

    def check_sizes(self, sizes: Sequence[int]) -> None:
        if self.options.step > sizes[-1]:
            reason = f"{self.options.step} is more than the size {sizes[-1]}"
            raise AltfsError("solver.options.step", reason, f"use a number from 1 to {sizes[-1]}")

    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        walk = Walk(self, Completions(problem, first[0], limits), evaluations)
        with suppress(OutOfWorkError):
            if walk.completions.is_valid(walk.start):
                walk.value(walk.start)
            self.walk(walk)
        return (walk.result(),)

    @abstractmethod
    def walk(self, walk: Walk) -> None:
        """Go from set to set; every valid set that is evaluated counts."""


#: From a set to the best set with so many more, or fewer, features.
Move = Callable[[int, int], "int | None"]


class Walk:
    """A walk from set to set that can end in a valid set at any time.

    The result is the best valid set that was evaluated, the smaller of equals, else the first.
    Sets are integers, in which feature j is bit j.

    Attributes
    ----------
    least, most : int
        The set of the features that have to be included, and of those that may be.
    start : int
        The one of the two from which the walk starts.
    """

    def __init__(
        self, solver: GreedySolver, completions: Completions, evaluations: Evaluations
    ) -> None:
        self.options, self.upwards = solver.options, solver.upwards
        self.chance = random.Random(solver.seed)
        self.completions, self.evaluations = completions, evaluations
        self.sizes = completions.problem.sizes
        self.least, self.most = completions.include, completions.allowed
        self.start = self.least if self.upwards else self.most
        self._values: dict[int, float] = {}
        self._best: tuple[float, int] | None = None
        self._result = 0

    def value(self, bits: int) -> float:
        """Return the quality of a set; OutOfWorkError if the walk has to end."""
        if bits not in self._values:
            valid = bits.bit_count() in self.sizes and self.completions.is_valid(bits)
            # A walk that ends before any valid set needs one evaluation for it.
            kept = 1 if self._best is None and not valid else 0
            if self.evaluations.count + kept >= self.evaluations.most:
                raise OutOfWorkError
            value = self._values[bits] = self.evaluations(indices_of(bits))
            rank = value, -bits.bit_count()
            if valid and (self._best is None or rank > self._best):
                self._best, self._result = rank, bits
        return self._values[bits]

    def result(self) -> FeatureIndices:
        """Return the best valid set; the one nearest to the walk if none was evaluated."""
        if self._best is None:
            self.value(self.completions.witness)
        return indices_of(self._result)

    def at(self, bits: int) -> int:
        """Note that the walk is at a set, if its quality is known, and return it."""
        if bits in self._values:
            self.evaluations.note((indices_of(bits),), self._values[bits])
        return bits

    def larger(self, bits: int, step: int = 1, seen: Container[int] = ()) -> int | None:
        """Return the best set with more features; None if no valid set has more of them.

        A set that is `seen` is passed over. With several features in a step, those that are
        best by themselves enter together, as far as a valid set still holds all of them.
        """
        room = self.sizes[-1] - bits.bit_count() if self.upwards else step
        return self._moved(bits, self.most & ~bits, min(step, room), seen) if room > 0 else None

    def smaller(self, bits: int, step: int = 1, seen: Container[int] = ()) -> int | None:
        """Return the best set with fewer features; None if no valid set has fewer of them."""
        room = bits.bit_count() - (1 if self.upwards else self.sizes[0])
        return self._moved(bits, bits & ~self.least, min(step, room), seen) if room > 0 else None

    def greedy(self, move: Move) -> None:
        """Move on until nothing is left to move."""
        bits = self.start
        while (moved := move(bits, self.options.step)) is not None and not self.ends(bits, moved):
            bits = self.at(moved)

    def floating(self, move: Move, back: Move) -> None:
        """Move on, and after each move back, as long as sets beat all of their size before."""
        bits = self.start
        best = {bits.bit_count(): self.value(bits)} if bits else {}
        moved = move(bits, self.options.step)
        while moved is not None and not self.ends(bits, moved):
            while moved is not None:
                bits, size = self.at(moved), moved.bit_count()
                best[size] = max(self.value(bits), best.get(size, -inf))
                moved = back(bits, 1)
                if moved is not None and self.value(moved) <= best.get(moved.bit_count(), -inf):
                    moved = None
            moved = move(bits, self.options.step)

    def ends(self, bits: int, moved: int) -> bool:
        """Return True if a move loses more than the tolerance, or leads downwards below the floor.

        A walk ends at a set of an allowed size only.
        """
        tolerance, floor = self.options.tolerance, None if self.upwards else self.evaluations.floor
        if (tolerance is None and floor is None) or not self.completions.is_valid(bits):
            return False
        if floor is not None and self.value(moved) < floor <= self.value(bits):
            return True
        return tolerance is not None and self.value(moved) < self.value(bits) - tolerance

    def _moved(self, bits: int, features: int, step: int, seen: Container[int]) -> int | None:
        moves = [
            j
            for j in indices_of(features)
            if bits ^ 1 << j not in seen and self._possible(bits ^ 1 << j)
        ]
        drawn = ceil(len(moves) * self.options.candidates)
        if drawn < len(moves):
            moves = sorted(_some(moves, drawn, self.chance))
        # The first of equals has the smallest index.
        ranked = sorted(moves, key=lambda j: -self.value(bits ^ 1 << j))
        moved = bits
        for j in ranked[:step]:
            if self._possible(moved ^ 1 << j):
                moved ^= 1 << j
        if self.completions.is_valid(moved):
            self.value(moved)
        return None if moved == bits else moved

    def _possible(self, bits: int) -> bool:
        """Return True if a set can still become a valid one."""
        if self.upwards:
            return self.completions.exists(bits, self.most)
        return self.completions.exists(self.least, bits)


def _some(items: list[int], size: int, chance: random.Random) -> list[int]:
    """Draw some of the items; `random.sample` may differ between versions of Python."""
    pool = list(items)
    for i in range(size):
        j = i + chance.randrange(len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:size]
