"""Local search: families get better step by step, and are repaired where a step breaks them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from altfs.problem import Family, FeatureIndices, Problem
from altfs.problem.results import SearchResult, Status
from altfs.quality import Linear
from altfs.searches._drawing import DeadEndError, Drawing, OutOfDrawsError
from altfs.searches.base import SeededSearch, family_result, searches
from altfs.solvers import Limits, solve

# Families that a unit of work may evaluate, and the sets that it may repair.
_FAMILIES, _REPAIRS = 500, 25
# Families that are begun with: the first one there is, and others that are drawn.
_STARTS = 3
_DRAWS = 500
# What a solver may spend on a repair.
_REPAIRING = Limits(work=1.0)

# Sets that reach the floor, the objective, and the sum of the qualities.
_Rank = tuple[int, float, float]


@searches.register("local_search")
class LocalSearch(SeededSearch):
    """Families for any quality and any constraint; proves nothing.

    1. Begin with the first valid family there is, whatever its quality.
    2. Exchange one feature of one set, in an order drawn with the seed, and stay
       with the first valid family that is better.
    3. Where no exchange helps, put a feature into a set and *repair*: the
       set becomes the nearest valid one that holds the feature, which keeps as
       many of the others as possible; if that does not help, the sets that are
       in its way give in, each becoming the nearest set that is valid
       beside those already repaired. Exact solvers find the nearest sets.
    4. Where nothing helps, begin again with a family that is drawn, three
       families in all; the best one found stands.

    A family with a larger objective is better; of equals the one with the larger
    sum of qualities. The result is never worse than the first valid family.
    It is ``feasible`` at best; ``infeasible`` only where no family exists, which
    is proven. A unit of `Limits.work` is 500 families evaluated and 25 sets
    repaired; of black boxes no more than `max_iterations` families are evaluated.
    """

    statuses = frozenset(set(Status) - {Status.OPTIMAL})

    def find(self, problem: Problem, limits: Limits) -> SearchResult:
        start = perf_counter()
        climbing = _Climbing(problem, self.seed, limits)
        status, family = climbing.best()
        bound = problem.n_counted * problem.quality.bound(problem.n_features)
        return family_result(
            problem, tuple(sorted(family)), status, solver=self.name if family else "",
            work=climbing.evaluated + climbing.repaired, seconds=perf_counter() - start,
            bound=bound,
        )  # fmt: skip


class _Climbing:
    """From family to better family, until nothing helps or a limit is reached."""

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
        # A floor is about the quality itself: it is judged with it, not by repairs.
        self.floor = problem.constraints.quality_floor
        self.plain = replace(problem.constraints, quality_floor=None)
        self.bare = replace(problem, n_sets=1, aggregation="sum", constraints=self.plain)
        self.features = [j for j in range(quality.n_total) if j not in self.plain.exclude]

    def best(self) -> tuple[Status, Family]:
        """Return the status, and the best family that was found; empty without one."""
        best: tuple[_Rank, Family] | None = None
        for family in self._starts():
            if family is None:
                return Status.INFEASIBLE, ()
            found = self._climbed(family)
            if best is None or found[0] > best[0]:
                best = found
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
        drawing = Drawing(self.bare, self.seed, _DRAWS)
        for _ in range(_STARTS - 1):
            family: list[FeatureIndices] = []
            try:
                while len(family) < self.problem.n_sets:
                    family.append(drawing.draw(tuple(family), drawing.draws))
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
        beside = [self._beside(family, i) for i in range(len(family))]
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

    def _beside(self, family: Family, i: int) -> Problem:
        """Return the problem of a set in place of set i."""
        others = family[:i] + family[i + 1 :]
        return replace(self.bare, given=(*self.bare.given, *others))

    def _pushed(self, family: Family, i: int, feature: int) -> Family | None:
        """Return the family in which set i has a feature, and the other sets make room."""
        given = self.bare.given
        placed = self._nearest(family[i], (feature,), given)
        if placed is None:
            return None
        made = _with(family, i, placed)
        given = (*given, placed)
        for h in range(len(family)):
            if h != i:
                chosen = self._nearest(made[h], (), given)
                if chosen is None:
                    return None
                made = _with(made, h, chosen)
                given = (*given, chosen)
        return made

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
            constraints=replace(self.plain, include=include),
        )
        if not held and problem.violation((chosen,)) is None:
            return chosen
        if self.repaired >= self.most_repairs:
            return None
        self.repaired += 1
        found = solve(problem, _REPAIRING)
        return found.sets[0] if found.sets else None


def _with(family: Family, i: int, chosen: FeatureIndices) -> Family:
    return (*family[:i], chosen, *family[i + 1 :])


def _shuffled(count: int, chance: random.Random) -> Iterator[int]:
    """Yield the numbers from 0 to `count` - 1 in an order that is drawn step by step."""
    moved: dict[int, int] = {}
    for i in range(count):
        j = i + chance.randrange(count - i)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)
