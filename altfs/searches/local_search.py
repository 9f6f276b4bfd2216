"""Local search: families get better step by step, and are repaired if a step breaks them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from altfs._clock import work_clock
from altfs.problem import Family, FeatureIndices, Problem
from altfs.problem.results import SearchResult, Status
from altfs.quality import Linear
from altfs.searches._drawing import DeadEndError, OutOfDrawsError, SetSampler
from altfs.searches.base import SeededSearch, family_result, searches
from altfs.solvers import Limits, Solution, solve

# The numbers of evaluated families and of repaired sets in a unit of work.
_FAMILIES, _REPAIRS = 500, 25
# The number of families to start from: the first valid one, and others that are drawn.
_STARTS = 3
_DRAWS = 500
# The limits of a solver for one repair.
_REPAIRING = Limits(work=1.0)

# The number of sets that reach the floor, the objective, and the sum of the qualities.
_Rank = tuple[int, float, float]


@searches.register("local_search")
class LocalSearch(SeededSearch):
    """A hill climber for any quality and any constraint, without proofs of optimality.

    1. Start from the first valid family, of any quality.
    2. Exchange one feature of one set, in an order drawn with the seed. Continue from the
       first valid family that is better.
    3. If no exchange helps, put a feature into a set and *repair* the set. It becomes
       the nearest valid set with this feature, which keeps as many other features as
       possible. If that does not help, the other sets are repaired as well, one after the
       other. Exact solvers find the nearest sets.
    4. If nothing helps, start from a family that is drawn. The result is the best of three
       climbs.

    A family is better if its objective is larger, or if the objective is equal and the sum
    of qualities is larger. The result is never worse than the first valid family. Its
    status is ``feasible``, or ``infeasible`` if it is proven that no family exists. In
    a unit of `Limits.work`, 500 families are evaluated and 25 sets are repaired. Of black boxes
    at most `max_iterations` families are evaluated.
    """

    claims = "bound"
    proof = "best together"
    statuses = frozenset(set(Status) - {Status.OPTIMAL})

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = work_clock()
        climbing = _Climbing(problem, self.seed, limits)
        status, family = climbing.best()
        bound = problem.n_counted * problem.quality.bound(problem.n_features)
        work = climbing.evaluated + climbing.repaired
        solver = self.name if family else ""
        solution = Solution(status, tuple(sorted(family)), bound, work, solver)
        return family_result(problem, solution, work_clock() - start)


class _Climbing:
    """Steps from family to better family, until nothing helps or a limit is reached."""

    def __init__(self, problem: Problem, seed: int, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.chance = random.Random(seed)
        self.seed = seed
        self.evaluated = self.repaired = 0
        self.most = max(1, int(_FAMILIES * limits.work))
        self.most_repairs = int(_REPAIRS * limits.work)
        quality = problem.quality
        if quality.max_evaluations is not None:
            self.most = min(self.most, quality.max_evaluations)
        # Repairs cannot see the quality, so its floor is a part of the rank.
        self.floor = problem.constraints.quality_floor
        self.plain = problem.constraints.model_copy(update={"quality_floor": None})
        self.bare = replace(problem, n_sets=1, aggregation="sum", constraints=self.plain)
        self.features = [j for j in range(quality.n_total) if j not in self.plain.exclude]

    def best(self) -> tuple[Status, Family]:
        """Return the status, and the best family that was found; empty without one."""
        best: tuple[_Rank, Family] | None = None
        for family in self._starts():
            if family is None:
                return Status.INFEASIBLE, ()
            climbed = self._climbed(family)
            if best is None or climbed[0] > best[0]:
                best = climbed
            if self.evaluated >= self.most:
                break
        if best is None or best[0][0] < self.problem.n_sets:
            return Status.UNKNOWN, ()
        return Status.FEASIBLE, best[1]

    def _starts(self) -> Iterator[Family | None]:
        """Yield valid families; None if it is proven that there is none."""
        problem = self.problem.without_values()
        floor = problem.constraints.quality_floor is not None
        first = solve(replace(problem, aggregation="min" if floor else "sum"), self.limits)
        if first.sets:
            yield first.sets
        elif first.status is Status.INFEASIBLE:
            yield None
        sampler = SetSampler(self.bare, self.seed, _DRAWS)
        for _ in range(_STARTS - 1):
            family: list[FeatureIndices] = []
            try:
                while len(family) < self.problem.n_sets:
                    family.append(sampler.draw(tuple(family), sampler.draws))
            except DeadEndError:
                continue
            except OutOfDrawsError:
                return
            yield tuple(family)

    def _climbed(self, family: Family) -> tuple[_Rank, Family]:
        rank = self._rank(family)
        while True:
            for candidate in self._near(family):
                if self.evaluated >= self.most:
                    return rank, family
                if (reached := self._rank(candidate)) > rank:
                    rank, family = reached, candidate
                    break
            else:
                return rank, family

    def _rank(self, family: Family) -> _Rank:
        self.evaluated += 1
        quality, floor = self.problem.quality, self.floor
        values = [quality.evaluate(s) for s in family]
        reaching = sum(1 for s in family if floor is None or quality.reaches(s, floor))
        return reaching, self.problem.aggregate(values), sum(values)

    def _near(self, family: Family) -> Iterator[Family]:
        """Yield valid families near to one: first exchanges, then repairs around a new feature."""
        size = self.problem.n_features
        others = [(*self.bare.given, *family[:i], *family[i + 1 :]) for i in range(len(family))]
        beside = [replace(self.bare, given=given) for given in others]
        for move in _shuffled(len(family) * size * len(self.features), self.chance):
            which, into = divmod(move, len(self.features))
            i, out = divmod(which, size)
            feature = self.features[into]
            if feature in family[i]:
                continue
            changed = tuple(sorted((*family[i][:out], *family[i][out + 1 :], feature)))
            if beside[i].violation((changed,)) is None:
                yield _with(family, i, changed)
        for move in _shuffled(len(family) * len(self.features), self.chance):
            i, into = divmod(move, len(self.features))
            feature = self.features[into]
            if feature in family[i]:
                continue
            nearest = self._nearest(family[i], (feature,), beside[i].given)
            if nearest is not None:
                yield _with(family, i, nearest)
            if len(family) > 1 and (pushed := self._pushed(family, i, feature)) is not None:
                yield pushed

    def _pushed(self, family: Family, i: int, feature: int) -> Family | None:
        """Return the family in which set i has a feature, and the other sets make room."""
        given = self.bare.given
        for h in sorted(range(len(family)), key=lambda h: h != i):
            chosen = self._nearest(family[h], (feature,) if h == i else (), given)
            if chosen is None:
                return None
            family = _with(family, h, chosen)
            given = (*given, chosen)
        return family

    def _nearest(
        self, chosen: FeatureIndices, held: FeatureIndices, given: tuple[FeatureIndices, ...]
    ) -> FeatureIndices | None:
        """Return the valid set that has most in common with one, and holds some features."""
        include = tuple(sorted({*self.plain.include, *held}))
        quality = self.problem.quality
        marks = np.zeros(quality.n_total)
        marks[list(chosen)] = 1.0
        problem = replace(
            self.bare,
            quality=Linear(marks, quality.conflicts),
            given=given,
            constraints=self.plain.model_copy(update={"include": include}),
        )
        if not held and problem.violation((chosen,)) is None:
            return chosen
        if self.repaired >= self.most_repairs:
            return None
        self.repaired += 1
        solution = solve(problem, _REPAIRING)
        return solution.sets[0] if solution.sets else None


def _with(family: Family, i: int, chosen: FeatureIndices) -> Family:
    return (*family[:i], chosen, *family[i + 1 :])


def _shuffled(count: int, chance: random.Random) -> Iterator[int]:
    """Yield the numbers from 0 to `count` - 1 in an order that is drawn step by step."""
    moved: dict[int, int] = {}
    for i in range(count):
        j = i + chance.randrange(count - i)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)
