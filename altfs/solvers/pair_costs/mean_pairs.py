"""The exact solver of qualities with pair costs if the mean overlap is limited.

Features that two sets share have whole numbers as costs (:mod:`altfs.problem.mean_costs`). For one
set and a Dice dissimilarity, the sum over the sets before it is a sum of weights of its features,
which the search for single sets keeps within its limit. A family is looked for among single sets
that are listed from the best down: every set of a better family than a known one is at least as
good as its value less that of the best family with one set less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import FeatureIndices, Overlap, Problem
from altfs.problem.conditions import Inequality
from altfs.problem.constraints import KINDS
from altfs.problem.mean_costs import MeanCosts, mean_costs
from altfs.problem.results import NAN, Status
from altfs.quality import Pairwise, Ratio
from altfs.solvers.base import Limits, Solution, Solver, answer, solve, solvers
from altfs.solvers.pair_costs._first_family import best_set
from altfs.solvers.pair_costs._listing import LOWEST, Listing
from altfs.solvers.pair_costs._solver import NODES_PER_UNIT
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.pairwise import PairwiseSource
from altfs.solvers.pair_costs.ratio import RatioSource
from altfs.solvers.reduced import Reduced, reduce_problem

# The largest numbers of listed sets, of which the first one counts for smaller families; and that
# of partial families, as a multiple of the node limit.
_MOST_LISTED, _FAMILY_NODES = (4_000, 40_000, 400_000), 20
# Sums of costs have fewer bits, so that integers of 64 bits hold them.
_MOST_COST = 1 << 60
_SOURCES: dict[type, type[PairSource]] = {Pairwise: PairwiseSource, Ratio: RatioSource}


def _limit(problem: Problem, costs: MeanCosts, every: bool) -> list[Inequality]:
    """Return the limit of what a set shares with the given ones, as a sum over its features.

    `every` set that the problem allows is within it, else only such sets are. Both are the same
    if each shared feature costs as much as the first one.
    """
    weights = Counter[int]()
    for members, each in zip(problem.given, costs.given, strict=True):
        slopes = [Fraction(cost, c) for c, cost in enumerate(each) if c]
        slope = floor(min(slopes, default=0)) if every else ceil(max(slopes, default=0))
        weights.update(dict.fromkeys(members, slope))
    return [Inequality("overlap", weights, (), None, costs.room)] if problem.given else []


@solvers.register("mean_pairs")
class MeanPairs(Solver):
    """One set by branch and bound, several by listing good sets and picking the best T.

    It proves its answer, or ends at its limit with a bound.
    """

    proves = True
    averages = True
    qualities = (Pairwise, Ratio)
    rank = 30
    carries = frozenset(KINDS) - {"quality_floor"}

    def handles(self, problem: Problem) -> bool:
        if not problem.average:
            return False
        among, given, _ = mean_costs(problem)
        largest = max(map(max, (among, *given)), default=0)
        return largest * problem.n_sets * (problem.n_sets + len(given)) < _MOST_COST

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        among, given, room = mean_costs(problem)
        if room < min((each[1] for each in (among, *given) if any(each)), default=1):
            # No two sets may share a feature.
            disjoint = Overlap(max_overlap=0)
            return solve(replace(problem, average=False, overlap=disjoint), limits)
        alone = replace(
            problem, average=False, given=(), overlap=Overlap(max_overlap=problem.n_features)
        )
        reduced = reduce_problem(alone)
        if reduced is None:
            return Solution(Status.INFEASIBLE, (), NAN, 1)
        return _MeanSearch(problem, alone, reduced, limits).solution()


class _MeanSearch:
    def __init__(self, problem: Problem, alone: Problem, reduced: Reduced, limits: Limits) -> None:
        self.problem, self.alone, self.reduced, self.limits = problem, alone, reduced, limits
        self.costs = mean_costs(problem)
        self.node_limit = max(int(NODES_PER_UNIT * limits.work), 1)
        self.nodes = 0
        self.source = self._source(_limit(problem, self.costs, every=True))

    def _source(self, more: Sequence[Inequality]) -> PairSource:
        source_type = next(_SOURCES[kind] for kind in _SOURCES if isinstance(self.quality, kind))
        return source_type(self.alone, self.reduced, more)

    @property
    def quality(self) -> Pairwise | Ratio:
        quality = self.problem.quality
        assert isinstance(quality, Pairwise | Ratio)
        return quality

    def solution(self) -> Solution:
        """Return the best family as far as the limits allow."""
        problem, minimum = self.problem, self.problem.aggregation == "min"
        single, value, top, more = best_set(self.source, [], self.node_limit)
        self.nodes += more
        if single is None and top == LOWEST:
            return Solution(Status.INFEASIBLE, (), NAN, self.nodes)
        straight = all(
            cost == c * each[1] for each in self.costs.given for c, cost in enumerate(each) if c
        )
        if self.source.k == 0 or (problem.n_sets == 1 and straight and single is not None):
            chosen = self.reduced.restore(() if single is None else single)
            family = (chosen,) * problem.n_sets
            sets = family if problem.violation(family) is None else None
            proven, bound = sets is None or value >= top, self.source.truth(top)
            return answer(problem, sets, proven, bound, self.nodes)
        start = self._one_after_the_other()
        if start is None:
            anything = solve(problem.without_values(), self.limits)
            self.nodes += anything.work
            if not anything.sets:
                proven, bound = anything.status is Status.INFEASIBLE, problem.n_counted * top
                return answer(problem, None, proven, self.source.truth(bound), self.nodes)
            start = [*anything.sets]
        # Bounds of the best objective of 0, 1, ... sets within the same mean.
        bounds, best, lower = [0, top], start, LOWEST
        for r in range(problem.n_sets if minimum else min(2, problem.n_sets), problem.n_sets + 1):
            best, lower, most = self._family(start[:r], bounds, minimum)
            bounds.append(most)
        sets, bound = tuple(sorted(best)), self.source.truth(bounds[-1])
        return answer(problem, sets, lower >= bounds[-1], bound, self.nodes)

    def _one_after_the_other(self) -> list[FeatureIndices] | None:
        """Return sets of which each is the best one after those before, if there are any."""
        sets: list[FeatureIndices] = []
        while len(sets) < self.problem.n_sets:
            one = replace(self.problem, n_sets=1, given=(*self.problem.given, *sets))
            source = self._source(_limit(one, mean_costs(one), every=False))
            chosen, _, _, more = best_set(source, [], self.node_limit)
            self.nodes += more
            if chosen is None:
                return None
            sets.append(self.reduced.restore(chosen))
        return sets

    def _family(
        self, start: list[FeatureIndices], bounds: list[int], minimum: bool
    ) -> tuple[list[FeatureIndices], int, int]:
        """Return the best family of so many sets, its value and a bound, from a known one."""
        r, free = len(start), {j: p for p, j in enumerate(self.reduced.features.tolist())}
        positions = np.array([[free[j] for j in s if j in free] for s in start], dtype=np.int64)
        values = self.source.values(positions)
        lower = int(values.min() if minimum else values.sum())
        before = 0 if minimum or r == 1 else bounds[-1]
        bound = before + bounds[1]
        if before and r > 2:
            bound = min(bound, before * r // (r - 1))
        best = start
        for most in _MOST_LISTED if r == self.problem.n_sets else _MOST_LISTED[:1]:
            threshold = max(lower - before, LOWEST)
            listing = self.source.listing(threshold, most, self.node_limit)
            self.nodes += listing.nodes
            complete = not len(listing.sets)
            if not complete:
                rows, lower, complete = self._pick(listing, r, lower, bounds, minimum)
                picked = listing.sets[rows].tolist() if rows is not None else []
                best = [self.reduced.restore(s) for s in picked] or best
            if complete:
                others = lower if listing.reached <= threshold else listing.reached - 1 + before
                bound = min(bound, max(lower, others))
            if bound <= lower or listing.reached <= threshold:
                break
        return best, lower, max(bound, lower)

    def _pick(
        self, listing: Listing, r: int, lower: int, bounds: list[int], minimum: bool
    ) -> tuple[IntArray | None, int, bool]:
        """Return the rows of the best family, its value, and whether that is proven.

        It is the first one in the order of rows, as far as the limit allows. The rows are None if
        no family of listed sets is as good as `lower`.
        """
        # Compiled code is slow to import.
        from altfs.solvers.pair_costs.listed._within_mean import pick

        values, include = listing.values, self.reduced.include
        alone = np.zeros(len(values), dtype=np.int64)
        for members, each in zip(self.problem.given, self.costs.given, strict=True):
            shared = np.isin(self.reduced.features, members)[listing.sets].sum(axis=1)
            alone += np.array(each)[shared + len({*members} & {*include})]
        bits = bits_of(listing.sets, self.source.n)
        among = np.array(self.costs.among[len(include) :], dtype=np.int64)
        dolls, limit = np.array(bounds, dtype=np.int64), self.node_limit * _FAMILY_NODES
        best: IntArray | None = None
        complete = False
        # The first one of equal families is looked for when the best value is known.
        for first in (False, True):
            order = np.arange(len(values)) if first else np.argsort(-values, kind="stable")
            places, value, done, nodes = pick(
                values[order], bits[order], alone[order], among, dolls, r, self.costs.room,
                (minimum, first), lower + (not first), limit,
            )  # fmt: skip
            self.nodes += nodes
            complete = complete or (done and not first)
            if places[0] >= 0:
                best, lower = np.sort(order[places]), int(value)
        return best, lower, complete
