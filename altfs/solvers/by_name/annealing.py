"""Simulated annealing: exchanges that may make a family worse, ever less often."""

from __future__ import annotations

import random
from math import exp
from typing import Annotated, Self

from pydantic import Field, model_validator

from altfs.errors import AltfsError
from altfs.problem import Family, Problem
from altfs.solvers.base import Limits, SolverOptions, solvers
from altfs.solvers.by_name._completions import indices_of
from altfs.solvers.by_name._evaluations import Evaluations, NamedSolver
from altfs.solvers.by_name._families import Bits, Families, Rank
from altfs.solvers.first_optimum import OutOfWorkError

Temperature = Annotated[float, Field(gt=0, allow_inf_nan=False)]

# Steps for each evaluation that is allowed; most steps of small problems are no new sets.
_STEPS = 20
# Steps without a new set after which it starts anew, and that end the search.
_ANEW, _STALE = 100, 1000


class AnnealingOptions(SolverOptions):
    """start, end: the first and the last temperature, in units of the objective."""

    start: Temperature = 0.1
    end: Temperature = 0.002

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if self.end > self.start:
            reason = f"{self.end} is above the start {self.start}"
            raise AltfsError("end", reason, "use a number from 0 to the start")
        return self


@solvers.register("annealing")
class Annealing(NamedSolver):
    """Simulated annealing, for one set and for families.

    A step exchanges one feature of one set, and repairs the set. A worse family is taken with
    the probability exp(difference / temperature). The temperature falls geometrically over
    the evaluations that are allowed. After 100 steps without a new set, a random family is the
    next one, and after 1,000 the search ends. The result is the best family of all.
    """

    Options = AnnealingOptions

    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        chance = random.Random(self.seed)
        families = Families(problem, first, evaluations, limits, chance)
        best = current = families.first
        try:
            reached = rank = families.rank(current)
            steps = _STEPS * evaluations.most
            stale, count = 0, evaluations.count
            for step in range(steps):
                stale = stale + 1 if evaluations.count == count else 0
                count = evaluations.count
                if stale == _STALE:
                    break
                anew = stale > 0 and stale % _ANEW == 0
                changed = families.drawn() if anew else self._changed(families, current, chance)
                if changed is None or changed == current:
                    continue
                new: Rank = families.rank(changed)
                done = max(evaluations.count / evaluations.most, step / steps)
                heat = self.options.start * (self.options.end / self.options.start) ** done
                if anew or new >= rank or chance.random() < exp((new[0] - rank[0]) / heat):
                    current, rank = changed, new
                    evaluations.note(tuple(map(indices_of, current)), rank[0])
                if rank > reached:
                    best, reached = current, rank
        except OutOfWorkError:
            pass
        return tuple(map(indices_of, best))

    def _changed(self, families: Families, current: Bits, chance: random.Random) -> Bits | None:
        i = chance.randrange(len(current))
        others = (*current[:i], *current[i + 1 :])
        return families.repaired([families.exchanged(current[i])], others)
