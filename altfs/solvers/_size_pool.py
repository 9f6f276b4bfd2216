"""Several sets at once of any of some sizes, for qualities with pair costs.

As for sets of one size: a set of a family that is better than a known one is worth
at least what that one has more than the best family of one set fewer. Such sets of
all sizes are listed, with values in one unit, and the best T of them are picked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import lcm

import numpy as np
import numpy.typing as npt

from altfs.errors import AltfsError
from altfs.problem import FeatureIndices
from altfs.quality import Pairwise, Ratio
from altfs.results import NAN, Status
from altfs.sized_problem import RangeProblem
from altfs.solvers._all_best import exact_value
from altfs.solvers._listing import bits_of
from altfs.solvers._size_kernels import first_pick, pick
from altfs.solvers._source import LOWEST, PairSource
from altfs.solvers.base import Limits, Solution, solvers_for
from altfs.solvers.pairwise import PairwiseSearch
from altfs.solvers.ratio import RatioSearch

IntArray = npt.NDArray[np.int64]
# Sets of each size that are listed for families of fewer sets, and of all.
_FEW_LISTED, _MOST_LISTED = 4_000, 40_000
_NODES_PER_UNIT = 50_000
# Sets that are tried as a family's next one are cheaper than nodes.
_TRIALS_PER_UNIT = 2_000_000
# What it costs in trials to look at one way to share out sizes.
_TRIALS_PER_KINDS = 1_000
# Values of single sets are below 2**39 times the unit.
_MOST_UNITS = 1 << 21


def best_of_pool(
    problem: RangeProblem, limits: Limits, known: Callable[[], Sequence[Sequence[FeatureIndices]]]
) -> Solution:
    """The canonical best family of sets of any of some sizes.

    Parameters
    ----------
    problem : RangeProblem
        Of a pairwise or ratio quality.
    limits : Limits
        For each of the lists and picks, of which there are a few.
    known : callable
        Returns valid families of any number of sets: the better they are, the less is
        to be listed. Called when the problem is known to be one that can be solved.

    Raises
    ------
    UnsupportedProblemError
        If no solver for single sets carries the constraints.
    AltfsError
        If the values of sets of these sizes cannot be compared exactly.
    """
    pool = _Pool(problem, limits)
    return pool.solution(known())


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
    bits: npt.NDArray[np.uint64]
    #: No set that is not listed is worth more.
    rest: int


class _Pool:
    def __init__(self, problem: RangeProblem, limits: Limits) -> None:
        self.problem, self.limits = problem, limits
        self.minimum = problem.aggregation == "min"
        self.nodes = max(int(_NODES_PER_UNIT * limits.work), 1)
        self.trials = max(int(_TRIALS_PER_UNIT * limits.work), 1)
        self.work = 0
        self.table = np.array(
            [[problem.overlap(a, b) for b in problem.sizes] for a in problem.sizes], dtype=np.int64
        )
        #: Of each size that has sets: where they come from, and what 1 of theirs is in all.
        self.sources: dict[int, tuple[PairSource, int]] = {}
        units = _units(problem)
        #: What exact values are multiplied by.
        self.unit = 1
        if isinstance(problem.quality, Pairwise):
            self.unit = units[0] * problem.quality.divisor(problem.sizes[0])
        for k, unit in zip(problem.sizes, units, strict=True):
            single = problem.of_size(k, 1)
            solvers_for(single)
            solver = PairwiseSearch if isinstance(problem.quality, Pairwise) else RatioSearch
            source = solver.source(single)
            if source is not None:
                self.sources[k] = source, unit

    def solution(self, known: Sequence[Sequence[FeatureIndices]]) -> Solution:
        """The best family, as far as the limits let prove it."""
        n_sets, top = self.problem.n_sets, self._top()
        if top is None:
            return Solution(Status.INFEASIBLE, (), NAN, self.work)
        #: Bounds of the best objective of 0, 1, ... sets.
        dolls = [0, top]
        best, bound = self._known(known, n_sets), top
        for r in range(n_sets if self.minimum else 2, n_sets + 1):
            last = r == n_sets
            best = self._known(known, r)
            if not self.minimum:
                bound = min(dolls[-1] + top, dolls[-1] * r // (r - 1))
            if last or best.value < bound:
                wanted = self._least(best.value, dolls)
                listed = self._list(wanted, _MOST_LISTED if last else _FEW_LISTED)
                complete, best = self._pick(listed, r, best, dolls)
                if complete and not best.sets and listed.rest < wanted:
                    return Solution(Status.INFEASIBLE, (), NAN, self.work)
                beyond = listed.rest + (0 if self.minimum else dolls[-1])
                outside = LOWEST if listed.rest < wanted else beyond
                bound = min(bound, max(best.value if complete else bound, outside))
            if not last:
                dolls.append(bound)
        if not best.sets:
            return Solution(Status.UNKNOWN, (), self._truth(bound), self.work)
        if best.value < bound:
            return Solution(Status.FEASIBLE, best.sets, self._truth(bound), self.work)
        sets = self._first(best, dolls)
        objective = self.problem.of_sizes(tuple(map(len, sets))).objective(sets)
        return Solution(Status.OPTIMAL, sets, objective, self.work)

    def _top(self) -> int | None:
        """A bound of the best set of any size; None if there is no set."""
        tops = []
        for k, (source, unit) in list(self.sources.items()):
            chosen, _, bound, nodes = source.best([], self.nodes)
            self.work += nodes
            if chosen is None and bound == LOWEST:
                del self.sources[k]
            else:
                tops.append(bound * unit)
        return max(tops, default=None)

    def _known(self, known: Sequence[Sequence[FeatureIndices]], n_sets: int) -> _Family:
        """The best sets of a known family of enough sets."""
        best = _NONE
        for family in known:
            valued = sorted(((self._value(s), len(s), s) for s in family), reverse=True)[:n_sets]
            values = [value for value, _, _ in valued]
            worth = (min if self.minimum else sum)(values) if len(values) == n_sets else LOWEST
            if worth > best.value:
                best = _Family(worth, _ordered([s for _, _, s in valued]))
        return best

    def _value(self, chosen: FeatureIndices) -> int:
        single = self.problem.of_size(len(chosen), 1)
        return int(exact_value(single, chosen) * self.unit)

    def _least(self, value: int, dolls: list[int]) -> int:
        """What every set of a family that is worth so much is worth at least."""
        return value if self.minimum else max(value - dolls[-1], LOWEST)

    def _list(self, wanted: int, most: int) -> _Listed:
        """The sets of any size that are worth so much, or the best of them."""
        sets: list[FeatureIndices] = []
        values, kinds, bits, rest = [], [], [], 2 * LOWEST
        for kind, k in enumerate(self.problem.sizes):
            if k not in self.sources:
                continue
            source, unit = self.sources[k]
            if source.k == 0:
                found, worth = [source.reduced.restore(())], np.array([source.value_of_nothing()])
            else:
                listing = source.listing(max(-(-wanted // unit), LOWEST), most, self.nodes)
                self.work += listing.nodes
                found = [source.reduced.restore(row) for row in listing.sets.tolist()]
                worth = listing.values
                rest = max(rest, (int(listing.reached) - 1) * unit)
            if found:
                sets += found
                values.append(worth * unit)
                kinds.append(np.full(len(found), kind, dtype=np.int64))
                bits.append(bits_of(np.array(found, dtype=np.int64), self.problem.quality.n_total))
        if not sets:
            nothing = np.zeros(0, dtype=np.int64)
            return _Listed([], nothing, nothing, np.zeros((0, 1), dtype=np.uint64), rest)
        return _Listed(
            sets, np.concatenate(values), np.concatenate(kinds), np.concatenate(bits), rest
        )

    def _pick(
        self, listed: _Listed, n_sets: int, known: _Family, dolls: list[int]
    ) -> tuple[bool, _Family]:
        """Whether no listed family is better than the one returned, the best one known."""
        order = np.argsort(-listed.values, kind="stable")
        complete, value, rows, nodes = pick(
            listed.values[order], listed.bits[order], listed.kinds[order], self.table, n_sets,
            self.minimum, np.array([*dolls, *[0] * n_sets][:n_sets], dtype=np.int64), known.value,
            self.trials,
        )  # fmt: skip
        self.work += nodes
        if rows[0] < 0:
            return complete, known
        return complete, _Family(value, _ordered([listed.sets[i] for i in order[rows]]))

    def _first(self, best: _Family, dolls: list[int]) -> tuple[FeatureIndices, ...]:
        """The canonical one of the families that are as good, as far as the limits let."""
        n_sets, minimum, left = self.problem.n_sets, self.minimum, self.trials
        wanted = self._least(best.value, dolls)
        listed = self._list(wanted, _MOST_LISTED)
        if listed.rest >= wanted:
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
        """A bound in the unit of all sizes as a bound in truth, rounding included."""
        sets = 1 if self.minimum else self.problem.n_sets
        # The largest sets have the coarsest values; what is rounded is that of each set.
        source, unit = self.sources[max(self.sources)]
        return sets * source.truth(-(-bound // (sets * unit)))


def _units(problem: RangeProblem) -> list[int]:
    """What the integer 1 of each size is worth in integers that all sizes share."""
    quality = problem.quality
    if isinstance(quality, Ratio):
        return [1] * len(problem.sizes)
    assert isinstance(quality, Pairwise)
    divisors = [quality.divisor(k) for k in problem.sizes]
    common = lcm(*divisors)
    if common * problem.n_sets >= _MOST_UNITS:
        raise AltfsError(
            f"n_features: the qualities of {problem.n_sets} sets of {problem.sizes[0]} to "
            f"{problem.sizes[-1]} features cannot be added up exactly, use a smaller range."
        )
    return [common // divisor for divisor in divisors]


def _ordered(sets: Sequence[FeatureIndices]) -> tuple[FeatureIndices, ...]:
    return tuple(sorted(sets, key=lambda s: (len(s), s)))
