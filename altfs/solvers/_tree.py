"""Questions to the pattern tree in a problem's own features, and the canonical family."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import comb

import numpy as np
import numpy.typing as npt

from altfs.problem import FeatureIndices, Problem
from altfs.quality import Linear
from altfs.results import NAN, Status
from altfs.solvers._balance import balance
from altfs.solvers._gains import IMPOSSIBLE
from altfs.solvers._pattern_runs import Found, Runs
from altfs.solvers._reduced import Reduced
from altfs.solvers._twins import first_family_of_twins
from altfs.solvers.base import Limits, Solution
from altfs.solvers.cp_sat import canonical_optimum

# Random changes in the search for a good family to start with.
_KICKS = 300
# Nodes of a first search, before the features that it leaves are looked at closely.
_FIRST_LOOK = 1_000
# Optimal families that are compared before another way is taken to the first of them.
_FAMILIES = 2_000
#: Entries of the tables that are allowed, 8 bytes each.
MOST_ENTRIES = 20_000_000
#: Less than any value.
LOWEST = -(1 << 59)

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """What a search found.

    Attributes
    ----------
    complete : bool
        Whether `sets` are proven to be the best.
    sets : tuple of tuple of int or None
    bound : int
    nodes : int
    first : tuple of tuple of int or None
        The lexicographically first of the best families, if that is known.
    """

    complete: bool
    sets: tuple[FeatureIndices, ...] | None
    bound: int
    nodes: int
    first: tuple[FeatureIndices, ...] | None = None


class Tree:
    """The search on the free features, in the problem's own indices."""

    def __init__(self, problem: Problem, quality: Linear, reduced: Reduced) -> None:
        self.problem, self.quality, self.reduced = problem, quality, reduced
        self.n_sets, self.minimum = problem.n_sets, problem.aggregation == "min"
        self.offset = sum(quality.scaled[j] for j in reduced.include)
        self.total_offset = self.offset if self.minimum else self.offset * problem.n_sets
        self.plain_constraints = replace(problem.constraints, quality_floor=None)
        weights = quality.weights[reduced.features]
        ranked = reduced.features[np.lexsort((reduced.features, -weights))]
        self.ranked = ranked
        if quality.conflicts is None:
            self.useful = ranked[: self.n_sets * reduced.n_features]
        else:
            self.useful = _sociable(ranked, quality.conflicts, reduced.n_features)
        # Fewer features than one set needs.
        self.hopeless = len(self.useful) < reduced.n_features
        self._runs = Runs(quality, reduced, problem.n_sets, self.minimum)

    def value(self, sets: Iterable[FeatureIndices]) -> int:
        """Of the free features."""
        totals = [sum(self.quality.scaled[j] for j in s) for s in sets]
        return (min(totals) if self.minimum else sum(totals)) - self.total_offset

    def balanced(self, start: tuple[FeatureIndices, ...]) -> tuple[FeatureIndices, ...]:
        """A family with a better worst set, by exchanges."""
        features = np.array(sorted({j for s in start for j in s}), dtype=np.int64)
        member = np.array([np.isin(features, s) for s in start])
        weights = self.quality.weights[features]
        # A feature that all sets include never moves.
        _, member = balance(weights, member, self.problem.max_overlap, _KICKS)
        return tuple(sorted(tuple(features[row].tolist()) for row in member))

    def checked(self, sets: tuple[FeatureIndices, ...], work: int) -> Solution:
        """An optimal family; none if even that one is below the quality floor."""
        lowest = self.problem.constraints.quality_floor
        if lowest is not None and not all(self.quality.reaches(s, lowest) for s in sets):
            return Solution(Status.INFEASIBLE, (), NAN, work)
        return Solution(Status.OPTIMAL, sets, self.problem.objective(sets), work)

    def search(
        self, start: tuple[FeatureIndices, ...] | None, stop_at: int, node_limit: int
    ) -> Outcome:
        """The best family: `start` if none is better."""
        if not self.minimum:
            seen = self._runs.run(self.useful, LOWEST, stop_at, 0, node_limit)
            return self._outcome(seen, self.useful, None)
        value, features, keep = LOWEST, self.useful, 0
        if start is not None:
            value = self.value(start)
            features, keep = self._with_equals(value)
        limit = min(node_limit, _FIRST_LOOK)
        seen = self._runs.run(features, value - (keep > 0), stop_at, keep, limit)
        first = self._outcome(seen, features, start)
        if first.complete or limit == node_limit:
            return first
        sets = first.sets
        if sets is not None:
            if self.quality.conflicts is None:
                # From the best sum it goes further than from the best minimum so far.
                sets = max(sets, self.balanced(start or sets), key=self.value)
            value = self.value(sets)
            if value >= stop_at:
                return Outcome(True, sets, value, first.nodes)
            # What is known now leaves fewer features, and makes listing sums worth its while.
            features, keep = self._with_equals(value)
        limit = node_limit - first.nodes
        seen = self._runs.in_stages(features, value - (keep > 0), stop_at, keep, limit)
        last = self._outcome(seen, features, sets)
        return replace(last, bound=min(first.bound, last.bound), nodes=first.nodes + last.nodes)

    def first_of(
        self, sets: tuple[FeatureIndices, ...], value: int, node_limit: int, limits: Limits
    ) -> tuple[tuple[FeatureIndices, ...], int]:
        """The lexicographically first of all families of this value."""
        features = self._candidates(value)
        nodes = 0
        if entries(len(features), self.problem) <= MOST_ENTRIES:
            seen = self._runs.in_stages(features, value - 1, value, _FAMILIES, node_limit)
            nodes = seen.nodes
            first = self._outcome(seen, features, sets).first
            if first is not None:
                return first, nodes
            answer, more = self._first_by_questions(features, sets, value, node_limit)
            nodes += more
            if answer is not None:
                return answer, nodes
        found_sets, more = canonical_optimum(self.problem, sorted(sets), limits)
        return tuple(found_sets), nodes + more

    def _with_equals(self, value: int) -> tuple[IntArray, int]:
        """Features to look at for a better family, and how many equally good ones to keep.

        That is none if these can hold more features.
        """
        features = self._candidates(value)
        if len(features) <= len(self.useful):
            return features, _FAMILIES
        return self._candidates(value + 1)[: len(self.useful)], 0

    def _outcome(
        self, seen: Found, features: IntArray, known: tuple[FeatureIndices, ...] | None
    ) -> Outcome:
        families = seen.families[: seen.found]
        sets = self._decode(families[0], features) if seen.found else known
        first = None
        if seen.complete and seen.kept and seen.found:
            first = min(self._first_twin(family, features) for family in families)
        return Outcome(seen.complete, sets, seen.bound, seen.nodes, first)

    def _first_by_questions(
        self,
        features: IntArray,
        sets: tuple[FeatureIndices, ...],
        value: int,
        node_limit: int,
    ) -> tuple[tuple[FeatureIndices, ...] | None, int]:
        """Set by set, feature by feature: can an optimum hold this one too."""
        inside, outside = np.zeros((2, len(features)), dtype=np.int64)
        place = {int(j): p for p, j in enumerate(features)}
        include = set(self.reduced.include)
        known = [set(s) - include for s in sorted(sets)]
        nodes = 0
        for i in range(self.n_sets):
            bit = 1 << (self.n_sets - 1 - i)
            taken = 0
            for j in sorted(place):
                p = place[j]
                if taken == self.reduced.n_features:
                    outside[p] |= bit
                    continue
                inside[p] |= bit
                if j not in known[i]:
                    seen = self._runs.run(
                        features, value - 1, value, 0, node_limit - nodes, 0, (inside, outside)
                    )
                    nodes += seen.nodes
                    if not seen.complete:
                        return None, nodes
                    if seen.found == 0:
                        inside[p] &= ~bit
                        outside[p] |= bit
                        continue
                    held = [
                        set(features[(seen.families[0] >> b) & 1 == 1].tolist())
                        for b in range(self.n_sets - 1, -1, -1)
                    ]
                    known = held[: i + 1] + sorted(held[i + 1 :], key=sorted)
                taken += 1
        return tuple(tuple(sorted([*self.reduced.include, *s])) for s in known), nodes

    def _candidates(self, value: int) -> IntArray:
        """Features that a family of this value can hold, best first."""
        if self.quality.conflicts is not None or not self.minimum:
            return self.useful
        slots = self.n_sets * self.reduced.n_features
        tables, offsets = self._runs.gains(self.useful)
        pairs = comb(self.n_sets, 2) * self.reduced.max_overlap
        # The best that all other slots can give, if one holds the feature.
        others = int(tables[offsets[self.n_sets] + (slots - 1) * (pairs + 1) + pairs])
        weights = self.quality.weights[self.ranked]
        k = self.reduced.n_features
        best = int(weights[: k - 1].sum())
        enough = np.ones(len(weights), dtype=bool)
        if others > IMPOSSIBLE // 2:
            enough &= weights + others >= value * self.n_sets
        enough &= weights + best >= value
        return np.asarray(self.ranked[enough], dtype=np.int64)

    def _first_twin(self, patterns: IntArray, features: IntArray) -> tuple[FeatureIndices, ...]:
        """The first of the families that differ by swapping features of equal value."""
        weights = self.quality.weights[features]
        if self.quality.conflicts is not None or not np.any(weights[1:] == weights[:-1]):
            return self._decode(patterns, features)
        groups: list[list[int]] = []
        held: list[list[int]] = []
        for i, j in enumerate(features.tolist()):
            if i == 0 or weights[i] != weights[i - 1]:
                groups.append([])
                held.append([])
            groups[-1].append(j)
            held[-1].append(int(patterns[i]))
        family = first_family_of_twins(groups, held, self.n_sets)
        return tuple(tuple(sorted([*self.reduced.include, *s])) for s in family)

    def _decode(self, patterns: IntArray, features: IntArray) -> tuple[FeatureIndices, ...]:
        bits = range(self.n_sets - 1, -1, -1)
        held = [features[(patterns >> b) & 1 == 1].tolist() for b in bits]
        return tuple(sorted(tuple(sorted([*self.reduced.include, *s])) for s in held))


def _sociable(features: IntArray, conflicts: npt.NDArray[np.bool_], k: int) -> IntArray:
    """Features that can be in a set with k - 1 others, as far as pairs tell."""
    while len(features):
        among = conflicts[np.ix_(features, features)]
        kept = features[len(features) - 1 - among.sum(axis=1) >= k - 1]
        if len(kept) == len(features):
            break
        features = kept
    return features


def entries(n: int, problem: Problem) -> int:
    """Size of the tables for n features."""
    k, c = problem.n_features, problem.max_overlap
    return (n + 1) * sum((t * k + 1) * (comb(t, 2) * c + 1) for t in range(1, problem.n_sets + 1))
