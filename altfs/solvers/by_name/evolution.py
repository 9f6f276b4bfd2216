"""Evolution: a population of families, of which the best survive."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Literal

from pydantic import Field

from altfs.problem import Family, Problem
from altfs.solvers.base import Limits, SolverOptions, solvers
from altfs.solvers.by_name._completions import indices_of
from altfs.solvers.by_name._evaluations import Evaluations, NamedSolver
from altfs.solvers.by_name._families import Bits, Families, Rank
from altfs.solvers.first_optimum import OutOfWorkError

Share = Annotated[float, Field(ge=0, le=1)]

# Exchanges until an offspring differs from all families before it.
_EXCHANGES = 8
# Generations without a new family that end the search.
_STALE = 10


class EvolutionOptions(SolverOptions):
    """Options of evolution.

    parents, offspring: mu and lambda. crossover: the share of offspring that have two parents.
    mutation: the probability with which each feature of a set is exchanged. invalid: what
    happens to an offspring whose sets overlap too much. weight: what a penalty takes off the
    objective for each feature over a limit; by default the range of the first parents.
    """

    parents: Annotated[int, Field(ge=1)] = 10
    offspring: Annotated[int, Field(ge=1)] = 10
    crossover: Share = 0.8
    mutation: Share = 0.2
    invalid: Literal["repair", "penalty", "reject"] = "repair"
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


@solvers.register("evolution")
class Evolution(NamedSolver):
    """The (mu + lambda) evolutionary strategy, for one set and for families.

    The first valid family and random ones are the first parents. Offspring take features that
    one of two parents has at random, and exchange some of them. The best of parents and
    offspring are the next parents. Only new families are evaluated.
    """

    Options = EvolutionOptions

    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        chance = random.Random(self.seed)
        population = _Population(
            Families(problem, first, evaluations, limits, chance), self.options, chance
        )
        with suppress(OutOfWorkError):
            population.evolve()
        return tuple(map(indices_of, population.best))


class _Population:
    """Families with their fitness, the best first."""

    def __init__(self, families: Families, options: EvolutionOptions, chance: random.Random):
        self.families, self.options, self.chance = families, options, chance
        self.best, self.best_rank = families.first, (float("-inf"), float("-inf"))
        self.seen: set[Bits] = set()
        self.members: list[tuple[Rank, Bits]] = []
        self.weight = options.weight or 0.0

    def evolve(self) -> None:
        """Make generation after generation, until no new family comes."""
        self._add(self.families.first)
        for _ in range(self.options.parents - 1):
            drawn = self.families.drawn()
            if drawn is not None and drawn not in self.seen:
                self._add(drawn)
        if self.options.weight is None:
            ranks = [rank[0] for rank, _ in self.members]
            self.weight = max(ranks) - min(ranks)
        stale = 0
        while stale < _STALE:
            born = [*self._born()]
            stale = 0 if born else stale + 1
            for family in born:
                self._add(family)
            # Of equal families the first one in canonical order survives.
            self.members.sort(key=lambda m: (-m[0][0], -m[0][1], [*map(indices_of, m[1])]))
            del self.members[self.options.parents :]

    def _add(self, family: Bits) -> None:
        self.seen.add(family)
        rank = self.families.rank(family)
        excess = self.families.excess(family)
        if not excess and rank > self.best_rank:
            self.best, self.best_rank = family, rank
            self.families.evaluations.note(tuple(map(indices_of, family)), rank[0])
        loss = self.weight * excess
        self.members.append(((rank[0] - loss, rank[1] - loss), family))

    def _born(self) -> Iterator[Bits]:
        parents = [family for _, family in self.members]
        new: set[Bits] = set()
        for _ in range(self.options.offspring):
            family = self._parent(parents)
            i = self.chance.randrange(len(family)) if len(family) > 1 else 0
            # The other sets stay, so that one set of a family has to be evaluated.
            child, others = family[i], (*family[:i], *family[i + 1 :])
            if self.chance.random() < self.options.crossover:
                child = self._crossed(child, self._parent(parents))
            child = self._mutated(child)
            valid = self._valid(child, others)
            for _ in range(_EXCHANGES):
                if valid is not None and valid not in self.seen and valid not in new:
                    new.add(valid)
                    yield valid
                    break
                child = self.families.exchanged(child)
                valid = self._valid(child, others)

    def _parent(self, parents: list[Bits]) -> Bits:
        return parents[self.chance.randrange(len(parents))]

    def _crossed(self, a: int, other: Bits) -> int:
        """Return a set of another family; of single sets, what both have and some of the rest.

        Each feature of one of two single sets is in the result by chance.
        """
        if len(other) > 1:
            return other[self.chance.randrange(len(other))]
        child = a & other[0]
        for j in indices_of(a ^ other[0]):
            if self.chance.random() < 0.5:
                child |= 1 << j
        return child

    def _mutated(self, bits: int) -> int:
        for _ in range(bits.bit_count()):
            if self.chance.random() < self.options.mutation:
                bits = self.families.exchanged(bits)
        return bits

    def _valid(self, child: int, others: Bits) -> Bits | None:
        """Return a family that may be evaluated; None if there is none."""
        if self.options.invalid == "repair":
            return self.families.repaired([child], others)
        family = self.families.ordered([self.families.sized(child), *others])
        if self.families.is_valid(family):
            return family
        if self.options.invalid == "reject":
            return None
        # A penalty is for overlaps only; other conditions are met by a repair.
        alone = self.families.alone(self.families.sized(child))
        return None if alone is None else self.families.ordered([alone, *others])
