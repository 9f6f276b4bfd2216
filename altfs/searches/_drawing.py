"""Drawing feature sets one after the other, each uniformly among those that fit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from altfs.problem import FeatureIndices, Problem
from altfs.searches._counted import CountedSets, Row, TooManyStatesError

# The number of steps of counting or listing that take about as long as drawing a set.
_STEPS_PER_DRAW = 100
_MOST_STEPS = 50_000


class DeadEndError(Exception):
    """No feature set fits the ones before it."""


class OutOfDrawsError(Exception):
    """The limit was reached."""


class SetSampler:
    """Random feature sets that satisfy the constraints of a problem with one size.

    If features exclude each other, or sets have a budget or a floor, the valid sets are
    listed if they are few enough. Else sets are drawn by counting until one satisfies
    the other constraints, too. `used` counts the draws, with those that counting and listing
    are worth; at most `draws` are allowed.
    """

    def __init__(self, problem: Problem, seed: int, draws: int) -> None:
        self.problem = replace(problem, n_sets=1)
        self.chance = random.Random(seed)
        self.draws = draws
        self.used = 0
        self.listed = self._list() if self.rejects else None
        self._counted: tuple[tuple[FeatureIndices, ...], CountedSets] | None = None

    @property
    def rejects(self) -> bool:
        """True if there are constraints that counting does not cover."""
        constraints = self.problem.constraints
        limited = self.problem.quality.conflicts, constraints.quality_floor
        by_sums = next(constraints.inequalities(groups=False), None) is not None
        return by_sums or any(limit is not None for limit in limited)

    def draw(self, before: tuple[FeatureIndices, ...], most: int) -> FeatureIndices:
        """Draw a set uniformly from those that fit the previous ones.

        It is a DeadEndError if there is none, which is proven. It is an OutOfDrawsError if
        `most` draws in all did not find one.
        """
        if self.listed is not None:
            overlap = self.problem.max_overlap
            fitting = [s for s in self.listed if all(len(s & set(b)) <= overlap for b in before)]
            self._use(1, most)
            if not fitting:
                raise DeadEndError
            return tuple(sorted(fitting[self.chance.randrange(len(fitting))]))
        problem = replace(self.problem, given=(*self.problem.given, *before))
        counted = self._count(before, most)
        if counted.total == 0:
            raise DeadEndError
        while True:
            self._use(1, most)
            chosen = counted.draw(self.chance)
            if problem.violation((chosen,)) is None:
                return chosen

    def _use(self, draws: int, most: int) -> None:
        if self.used >= most:
            raise OutOfDrawsError
        self.used += draws

    def _count(self, before: tuple[FeatureIndices, ...], most: int) -> CountedSets:
        if self._counted is not None and self._counted[0] == before:
            return self._counted[1]
        problem, constraints = self.problem, self.problem.constraints
        limits = [*problem.given_limits, *((frozenset(s), problem.max_overlap) for s in before)]
        rows: list[Row] = [(given, range(most + 1)) for given, most in limits]
        for group in constraints.groups:
            largest = len(group.features) if group.at_most is None else group.at_most
            numbers = set(range(group.at_least, largest + 1))
            if group.all_or_none:
                numbers &= {0, len(group.features)}
            rows.append((group.features, numbers))
        fixed = (problem.quality.n_total, problem.n_features)
        named = (constraints.include, constraints.exclude)
        try:
            counted = CountedSets(*fixed, *named, rows, _MOST_STEPS)
            self._use(counted.steps // _STEPS_PER_DRAW, most)
        except TooManyStatesError:
            self._use(_MOST_STEPS // _STEPS_PER_DRAW, most)
            counted = CountedSets(*fixed, *named, (), _MOST_STEPS * problem.quality.n_total)
        self._counted = (before, counted)
        return counted

    def _list(self) -> list[frozenset[int]] | None:
        """Return all valid sets in lexicographic order; None if there are too many."""
        if self.problem.quality.max_evaluations is not None:
            # Every set would have to be evaluated for its floor.
            return None
        sets = []
        for steps, chosen in enumerate(self._prefixes()):
            if steps >= _MOST_STEPS:
                self.used += _MOST_STEPS // _STEPS_PER_DRAW
                return None
            whole = len(chosen) == self.problem.n_features
            if whole and self.problem.violation((chosen,)) is None:
                sets.append(frozenset(chosen))
        return sets

    def _prefixes(self) -> Iterator[FeatureIndices]:
        """Yield index tuples of increasing length without a conflict or an excluded feature."""
        quality, size = self.problem.quality, self.problem.n_features
        excluded = set(self.problem.constraints.exclude)
        pending: list[FeatureIndices] = [()]
        while pending:
            chosen = pending.pop()
            yield chosen
            if len(chosen) == size:
                continue
            first = chosen[-1] + 1 if chosen else 0
            last = quality.n_total - (size - len(chosen))
            for j in range(last, first - 1, -1):
                if j not in excluded and quality.allows((*chosen, j)):
                    pending.append((*chosen, j))
