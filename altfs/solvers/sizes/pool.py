"""Several sets at once of any of some sizes, for qualities with pair costs.

A family that is better than a known one needs sets of some value: at least the known
value less that of the best family of one set fewer. Such sets of all sizes are listed,
with values in one unit, and the best T of them are picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import lcm

import numpy as np

from altfs._numbers import Bits, IntArray
from altfs.errors import AltfsError
from altfs.problem import FeatureIndices, Problem, in_order
from altfs.problem.constraints import KINDS
from altfs.problem.results import NAN, Status
from altfs.quality.pairs import PairQuality
from altfs.solvers.base import Limits, Solution, answer, solvers
from altfs.solvers.pair_costs._first_family import best_set
from altfs.solvers.pair_costs._listing import LOWEST
from altfs.solvers.pair_costs._solver import pair_solver
from altfs.solvers.pair_costs._source import PairSource
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.sizes.candidates import candidate_families
from altfs.solvers.sizes.each_size import SizesSolver
from altfs.solvers.sizes.kernels import first_pick, pick

# Sets of each size that are listed for families of fewer sets, and of all.
_FEW_LISTED, _MOST_LISTED = 4_000, 40_000
_NODES_PER_UNIT = 50_000
# To try a set as the next one of a family is cheaper than a node.
_TRIALS_PER_UNIT = 2_000_000
# The cost of one choice of sizes, in trials.
_TRIALS_PER_KINDS = 1_000
# Values of single sets are below 2**39 times the unit.
_MOST_UNITS = 1 << 21


@solvers.register("size_pool")
class SizePool(SizesSolver):
    """Two or more sets of a quality with pair costs.

    The limits hold for each of a few lists and picks.
    """

    qualities = (PairQuality,)
    carries = frozenset(KINDS) - {"quality_floor"}

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets > 1

    def solve(self, problem: Problem, limits: Limits) -> Solution:
        # An unsupported problem is refused before the search for known families.
        pool = _Pool(problem, limits)
        solution = pool.solution(candidate_families(problem, limits))
        return replace(solution, solver=pair_solver(problem.of_size(problem.sizes[0], 1)).name)


@dataclass(frozen=True)
class _Family:
    value: int
    sets: tuple[FeatureIndices, ...]


_NONE = _Family(LOWEST, ())


@dataclass(frozen=True)
class _Listed:
    sets: list[FeatureIndices]
    values: IntArray
    kinds: IntArray
    bits: Bits
    #: Upper bound of the sets that are not listed.
    rest: int


class _Pool:
    def __init__(self, problem: Problem, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.minimum = problem.aggregation == "min"
        self.nodes = max(int(_NODES_PER_UNIT * limits.work), 1)
        self.trials = max(int(_TRIALS_PER_UNIT * limits.work), 1)
        self.work = 0
        self.table = np.array(
            [[problem.overlap(a, b) for b in problem.sizes] for a in problem.sizes], dtype=np.int64
        )
        #: For each size that has sets: their source, and the worth of its 1 in the unit of all.
        self.sources: dict[int, tuple[PairSource, int]] = {}
        sizes = problem.sizes
        # No object of the base class is made, so it may be abstract.
        quality = problem.quality_as(PairQuality)  # type: ignore[type-abstract]
        #: The factor by which the exact values of all sizes become integers.
        self.unit = lcm(*map(quality.divisor, sizes))
        if self.unit * problem.n_sets >= _MOST_UNITS:
            raise AltfsError(
                "n_features",
                f"the qualities of {problem.n_sets} sets of {sizes[0]} to {sizes[-1]} features "
                "cannot be added up exactly",
                "use a smaller range",
            )
        for k in sizes:
            single = problem.of_size(k, 1)
            source = pair_solver(single).source(single)
            if source is not None:
                self.sources[k] = source, self.unit // quality.divisor(k)

    def solution(self, families: Sequence[Sequence[FeatureIndices]]) -> Solution:
        """Return the best family, proven as far as the limits allow."""
        n_sets, top = self.problem.n_sets, self._top()
        if top is None:
            return Solution(Status.INFEASIBLE, (), NAN, self.work)
        #: Bounds of the best objective of 0, 1, ... sets.
        dolls = [0, top]
        bound = top
        for r in range(n_sets if self.minimum else 2, n_sets + 1):
            last = r == n_sets
            best = self._best_of(families, r)
            if not self.minimum:
                bound = min(dolls[-1] + top, dolls[-1] * r // (r - 1))
            if last or best.value < bound:
                threshold = self._least(best.value, dolls)
                listed = self._list(threshold, _MOST_LISTED if last else _FEW_LISTED)
                complete, best = self._pick(listed, r, best, dolls)
                if complete and not best.sets and listed.rest < threshold:
                    return Solution(Status.INFEASIBLE, (), NAN, self.work)
                beyond = listed.rest + (0 if self.minimum else dolls[-1])
                outside = LOWEST if listed.rest < threshold else beyond
                bound = min(bound, max(best.value if complete else bound, outside))
            if not last:
                dolls.append(bound)
        complete = bool(best.sets) and best.value >= bound
        sets = self._first(best, dolls) if complete else best.sets
        return answer(self.problem, sets or None, complete, self._truth(bound), self.work)

    def _top(self) -> int | None:
        """Return a bound of the best set of any size; None if there is no set."""
        tops = []
        for k, (source, unit) in list(self.sources.items()):
            chosen, _, bound, nodes = best_set(source, [], self.nodes)
            self.work += nodes
            if chosen is None and bound == LOWEST:
                del self.sources[k]
            else:
                tops.append(bound * unit)
        return max(tops, default=None)

    def _best_of(self, families: Sequence[Sequence[FeatureIndices]], n_sets: int) -> _Family:
        """Return the best sets of a known family that has enough sets."""
        best = _NONE
        for family in families:
            valued = sorted(((self._value(s), len(s), s) for s in family), reverse=True)[:n_sets]
            values = [value for value, _, _ in valued]
            worth = (min if self.minimum else sum)(values) if len(values) == n_sets else LOWEST
            if worth > best.value:
                best = _Family(worth, in_order([s for _, _, s in valued]))
        return best

    def _value(self, chosen: FeatureIndices) -> int:
        return int(self.problem.quality.exact_values([chosen])[0] * self.unit)

    def _least(self, value: int, dolls: list[int]) -> int:
        """Return the least value of a set in a family of some value."""
        return value if self.minimum else max(value - dolls[-1], LOWEST)

    def _list(self, threshold: int, most: int) -> _Listed:
        """List the sets of all sizes of at least some value, or the best of them."""
        sets: list[FeatureIndices] = []
        nothing = np.zeros((0, 1), dtype=np.int64)
        n_total, rest = self.problem.quality.n_total, 2 * LOWEST
        values, kinds, bits = [nothing[:, 0]], [nothing[:, 0]], [bits_of(nothing, n_total)]
        for kind, k in enumerate(self.problem.sizes):
            if k not in self.sources:
                continue
            source, unit = self.sources[k]
            if source.k == 0:
                chosen = [source.reduced.restore(())]
                worth = source.values(np.empty((1, 0), dtype=np.int64))
            else:
                listing = source.listing(max(-(-threshold // unit), LOWEST), most, self.nodes)
                self.work += listing.nodes
                chosen = [source.reduced.restore(row) for row in listing.sets.tolist()]
                worth = listing.values
                rest = max(rest, (int(listing.reached) - 1) * unit)
            sets += chosen
            values.append(worth * unit)
            kinds.append(np.full(len(chosen), kind, dtype=np.int64))
            bits.append(bits_of(np.array(chosen, dtype=np.int64).reshape(-1, k), n_total))
        return _Listed(
            sets, np.concatenate(values), np.concatenate(kinds), np.concatenate(bits), rest
        )

    def _pick(
        self, listed: _Listed, n_sets: int, incumbent: _Family, dolls: list[int]
    ) -> tuple[bool, _Family]:
        """Return the best family known, and whether no listed family is better."""
        order = np.argsort(-listed.values, kind="stable")
        complete, value, rows, nodes = pick(
            listed.values[order], listed.bits[order], listed.kinds[order], self.table, n_sets,
            self.minimum, np.array([*dolls, *[0] * n_sets][:n_sets], dtype=np.int64),
            incumbent.value, self.trials,
        )  # fmt: skip
        self.work += nodes
        if rows[0] < 0:
            return complete, incumbent
        return complete, _Family(value, in_order([listed.sets[i] for i in order[rows]]))

    def _first(self, best: _Family, dolls: list[int]) -> tuple[FeatureIndices, ...]:
        """Return the canonical one of the best families, as far as the limits allow."""
        n_sets, minimum, left = self.problem.n_sets, self.minimum, self.trials
        threshold = self._least(best.value, dolls)
        listed = self._list(threshold, _MOST_LISTED)
        if listed.rest >= threshold:
            return best.sets
        starts = np.searchsorted(listed.kinds, np.arange(len(self.problem.sizes) + 1))
        present = sorted(set(listed.kinds.tolist()))
        highest = {kind: int(listed.values[listed.kinds == kind].max()) for kind in present}
        for kinds in combinations_with_replacement(present, n_sets):
            if left <= _TRIALS_PER_KINDS:
                break
            left -= _TRIALS_PER_KINDS
            tops = [0]
            for j, kind in enumerate(reversed(kinds), 1):
                tops.append(min(tops[-1] + highest[kind], dolls[j] if j < len(dolls) else 1 << 61))
            if not minimum and tops[-1] < best.value:
                continue
            complete, rows, nodes = first_pick(
                listed.values, listed.bits, listed.kinds, starts, self.table,
                np.array(kinds, dtype=np.int64), minimum, np.array(tops, dtype=np.int64),
                best.value, left,
            )  # fmt: skip
            self.work += nodes
            left -= nodes
            if not complete:
                break
            if rows[0] >= 0:
                return tuple(listed.sets[i] for i in rows)
        return best.sets

    def _truth(self, bound: int) -> float:
        """Return a bound in the unit of all sizes as a bound in truth, rounding included."""
        sets = self.problem.n_counted
        # The largest sets have the coarsest values. The value of each set is rounded.
        source, unit = self.sources[max(self.sources)]
        return sets * source.truth(-(-bound // (sets * unit)))
