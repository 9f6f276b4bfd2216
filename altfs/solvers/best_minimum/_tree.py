"""The search of the pattern tree in a problem's own features, and the canonical family."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from altfs._numbers import IntArray
from altfs.problem import Family, FeatureIndices, Problem
from altfs.quality import Linear
from altfs.solvers.base import Limits, scaled_objective
from altfs.solvers.best_minimum._balance import balance
from altfs.solvers.best_minimum._gains import tail_sums
from altfs.solvers.best_minimum._patterns import Gains, TreeAnswer, TreeGoal, best_family
from altfs.solvers.cp_sat.cp_sat import canonical_optimum
from altfs.solvers.first_optimum import OutOfWorkError, first_optimum
from altfs.solvers.gain_table import IMPOSSIBLE, gain_table
from altfs.solvers.reduced import Reduced

# Nodes of a first search. Its result leaves fewer features for the second one.
_FIRST_LOOK = 1_000
# Then all sums of so many of the last features are listed, at most 2 ** 22.
_TAIL = 22
# Optimal families that are compared. With more of them the first is found in another way.
_FAMILIES = 2_000
#: Entries of the tables that are allowed, 8 bytes each.
MOST_ENTRIES = 20_000_000
#: Less than any value.
LOWEST = -(1 << 59)

_NO_SUMS = (np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.int64))


@dataclass(frozen=True)
class TreeOutcome:
    """The answer of a search: the best sets known, and True if that is proven."""

    complete: bool
    sets: Family | None
    bound: int
    nodes: int


class Tree:
    """The search on the free features, in the problem's own indices."""

    def __init__(self, problem: Problem, quality: Linear, reduced: Reduced) -> None:
        self.problem, self.quality, self.reduced = problem, quality, reduced
        self.n_sets = problem.n_sets
        self.offset = sum(quality.scaled[j] for j in reduced.include)
        ranked = self.ranked = reduced.features[reduced.best_first(quality)]
        self.useful = ranked[: self.n_sets * reduced.n_features]
        self._tables: dict[bytes, tuple[IntArray, IntArray]] = {}

    def value(self, sets: Family) -> int:
        """Return the objective, of the free features only."""
        return scaled_objective(self.problem, self.quality, sets) - self.offset

    def balanced(self, start: Family) -> Family:
        """Return a family with a better worst set, found by exchanges."""
        features = np.array(sorted({j for s in start for j in s}), dtype=np.int64)
        member = np.array([np.isin(features, s) for s in start])
        weights = self.quality.weights[features]
        # A feature that all sets include never moves.
        member = balance(weights, member, self.problem.max_overlap)
        return tuple(sorted(tuple(features[row].tolist()) for row in member))

    def search(self, start: Family | None, stop_at: int, node_limit: int) -> TreeOutcome:
        """Return the best family: `start` if none is better."""
        value = LOWEST if start is None else self.value(start)
        limit = min(node_limit, _FIRST_LOOK)
        first = self._better(value, start, stop_at, limit, 0)
        if first.complete or limit == node_limit:
            return first
        sets = first.sets
        if sets is not None:
            # Exchanges lead further from the best sum than from the best minimum.
            sets = max(sets, self.balanced(start or sets), key=self.value)
            value = self.value(sets)
            if value >= stop_at:
                return TreeOutcome(True, sets, value, first.nodes)
        # With a better value fewer features remain, and lists of sums save time.
        last = self._better(value, sets, stop_at, node_limit - first.nodes, _TAIL)
        return replace(last, bound=min(first.bound, last.bound), nodes=first.nodes + last.nodes)

    def first_of(
        self, sets: Family, value: int, node_limit: int, limits: Limits
    ) -> tuple[Family, int]:
        """Return the lexicographically first of all families of this value."""
        features = self._candidates(value)
        nodes = 0
        if entries(len(features), self.problem) <= MOST_ENTRIES:
            seen = self._run(features, value - 1, value, _FAMILIES, node_limit, _TAIL)
            nodes = seen.nodes
            if seen.complete and seen.kept and seen.n_families:
                families = seen.families[: seen.n_families]
                return min(self._decode(family, features) for family in families), nodes
            answer, more = self._first_by_questions(features, sets, value, node_limit)
            nodes += more
            if answer is not None:
                return answer, nodes
        family, more = canonical_optimum(self.problem, sorted(sets), limits)
        return tuple(family), nodes + more

    def _better(
        self, value: int, incumbent: Family | None, stop_at: int, node_limit: int, tail: int
    ) -> TreeOutcome:
        """Return the best family of more than a value; the incumbent if there is none."""
        features = self.useful
        if incumbent is not None:
            features = self._candidates(value + 1)[: len(features)]
        seen = self._run(features, value, stop_at, 0, node_limit, tail)
        sets = self._decode(seen.families[0], features) if seen.n_families else incumbent
        return TreeOutcome(seen.complete, sets, seen.bound, seen.nodes)

    def _first_by_questions(
        self,
        features: IntArray,
        sets: Family,
        value: int,
        node_limit: int,
    ) -> tuple[Family | None, int]:
        """Return the first family (None if the limit is reached), and nodes.

        A family is the sequence of the features of its sets. Feature j of set i is
        n i + j, counted in `features` by index.
        """
        n, k, T = len(features), self.reduced.n_features, self.n_sets
        by_index = np.argsort(features)
        place_of = {int(features[p]): r for r, p in enumerate(by_index)}
        nodes = 0

        def sequence(family: list[list[int]]) -> list[int]:
            return [n * i + r for i, chosen in enumerate(family) for r in chosen]

        def candidates(prefix: list[int], below: int) -> range:
            i = len(prefix) // k
            return range(prefix[-1] + 1 if len(prefix) % k else n * i, below)

        def ask(prefix: list[int]) -> list[int] | None:
            nonlocal nodes
            inside, outside = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
            for i in range((len(prefix) - 1) // k + 1):
                bit = 1 << (T - 1 - i)
                chosen = [position - n * i for position in prefix[i * k : (i + 1) * k]]
                decided = n if len(chosen) == k else chosen[-1] + 1
                outside[by_index[:decided]] |= bit
                outside[by_index[chosen]] &= ~bit
                inside[by_index[chosen]] |= bit
            duties = (inside, outside)
            left = node_limit - nodes
            seen = self._run(features, value - 1, value, 0, left, duties=duties)
            nodes += seen.nodes
            if not seen.complete:
                raise OutOfWorkError
            if seen.n_families == 0:
                return None
            patterns = seen.families[0][by_index]
            family = [np.flatnonzero(patterns >> b & 1).tolist() for b in range(T - 1, -1, -1)]
            started = (len(prefix) - 1) // k + 1
            return sequence(family[:started] + sorted(family[started:]))

        include = set(self.reduced.include)
        family = [sorted(place_of[j] for j in s if j not in include) for s in sorted(sets)]
        optimum, first = first_optimum(sequence(family), candidates, ask)
        if not first:
            return None, nodes
        held = [[features[by_index[r % n]] for r in optimum[i * k : (i + 1) * k]] for i in range(T)]
        return tuple(self._with_included(s) for s in held), nodes

    def _candidates(self, value: int) -> IntArray:
        """Return the features that a family of this value can hold, best first."""
        slots = self.n_sets * self.reduced.n_features
        tables, offsets = self._gains(self.useful)
        pairs = comb(self.n_sets, 2) * self.reduced.max_overlap
        # The best sum of all other slots, if one slot holds the feature.
        others = int(tables[offsets[self.n_sets] + (slots - 1) * (pairs + 1) + pairs])
        weights = self.quality.weights[self.ranked]
        k = self.reduced.n_features
        best = int(weights[: k - 1].sum())
        enough = np.ones(len(weights), dtype=bool)
        if others > IMPOSSIBLE // 2:
            enough &= weights + others >= value * self.n_sets
        enough &= weights + best >= value
        return np.asarray(self.ranked[enough], dtype=np.int64)

    def _decode(self, patterns: IntArray, features: IntArray) -> Family:
        bits = range(self.n_sets - 1, -1, -1)
        return tuple(sorted(self._with_included(features[(patterns >> b) & 1 == 1]) for b in bits))

    def _with_included(self, chosen: Iterable[int]) -> FeatureIndices:
        return tuple(sorted([*self.reduced.include, *(int(j) for j in chosen)]))

    def _run(
        self,
        features: IntArray,
        floor: int,
        stop_at: int,
        keep: int,
        node_limit: int,
        tail: int = 0,
        duties: tuple[IntArray, IntArray] | None = None,
    ) -> TreeAnswer:
        """Run the compiled search, with all sums of the last features if there is a `tail`."""
        tables, offsets = self._gains(features)
        weights = self.quality.weights[features]
        sums, sum_offsets = _NO_SUMS
        if tail:
            start = max(len(features) - tail, 0)
            sums, sum_offsets = tail_sums(weights, start, self.reduced.n_features)
        no_duties = (np.zeros_like(features), np.zeros_like(features))
        shape = (self.n_sets, self.reduced.n_features, self.reduced.max_overlap)
        gains = Gains(tables, offsets, sums, sum_offsets)
        goal = TreeGoal(floor, stop_at, keep, node_limit)
        return TreeAnswer(*best_family(weights, gains, duties or no_duties, shape, goal))

    def _gains(self, features: IntArray) -> tuple[IntArray, IntArray]:
        """Return the tables of gains, which are computed once for each choice of features."""
        key = features.tobytes()
        if key not in self._tables:
            weights, zeros = self.quality.weights[features], np.zeros_like(features)
            offsets = np.zeros(self.n_sets + 1, dtype=np.int64)
            parts: list[IntArray] = []
            for t in range(1, self.n_sets + 1):
                offsets[t] = sum(part.size for part in parts)
                pairs = comb(t, 2) * self.reduced.max_overlap
                slots = t * self.reduced.n_features
                parts.append(gain_table(weights, zeros, zeros, t, slots, pairs).ravel())
            self._tables[key] = (np.concatenate(parts), offsets)
        return self._tables[key]


def entries(n: int, problem: Problem) -> int:
    """Return the size of the tables for n features."""
    k, c = problem.n_features, problem.max_overlap
    return (n + 1) * sum((t * k + 1) * (comb(t, 2) * c + 1) for t in range(1, problem.n_sets + 1))
