"""Forward selection and exchanges, for black boxes that evaluate many sets at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from math import comb

from altfs.problem import Family, FeatureIndices, Problem
from altfs.quality import BatchedBox
from altfs.solvers.base import Limits, solvers
from altfs.solvers.by_name._completions import Completions, indices_of
from altfs.solvers.by_name._evaluations import Evaluations, NamedSolver
from altfs.solvers.first_optimum import OutOfWorkError

# The part of the evaluations that one more feature, or one round of exchanges for each feature
# of a set, may take; and the most features that may enter. Beside 60, 250 took three to five times
# as long, for at most 0.02 more on the rows that they learned from.
_PART, _MOST_CANDIDATES = 4, 50
# It begins again with so many parts of given sets, if a set has at most so many of a size.
_AGAIN, _MOST_PARTS = 2, 300
# The share of the evaluations that pairs may take, and how many that tell together may enter.
_PAIRS, _MOST_TOGETHER = 2 / 3, 5


@solvers.register("forward_exchange")
class ForwardExchange(NamedSolver):
    """Forward selection, then the best exchange of one feature as long as it helps.

    It begins with the best pair, as two features may tell only together what the target is. In the
    end the five pairs that tell most in addition to their two features alone may enter, too. It
    begins again with the best parts of the sets from which it has to differ, as large as they may
    be, and the best set that is reached is the answer.

    Each feature is evaluated alone. Of many features the 50 best by themselves may enter, or
    fewer, so that the `max_iterations` of the quality allow about three rounds of exchanges. Each
    move keeps a set from which a valid one can be reached.

    The status is at best ``feasible``. The bound is the upper bound of the quality.
    """

    by_name_only = False
    averages = False
    rank = 1
    qualities = (BatchedBox,)

    def supports(self, problem: Problem) -> bool:
        return len(problem.sizes) == 1 and not problem.average and super().supports(problem)

    def handles(self, problem: Problem) -> bool:
        return problem.n_sets == 1

    def best(
        self, problem: Problem, first: Family, evaluations: Evaluations, limits: Limits
    ) -> Family:
        walk = _Exchanging(problem, Completions(problem, first[0], limits), evaluations)
        with suppress(OutOfWorkError):
            walk.grow()
            walk.exchange()
            walk.exchange_pairs()
            walk.begin_again()
        return (walk.result(),)


class _Exchanging:
    """A set that grows, and then changes feature by feature. Sets are integers of bits."""

    def __init__(
        self, problem: Problem, completions: Completions, evaluations: Evaluations
    ) -> None:
        self.quality, self.size = problem.quality_as(BatchedBox), problem.n_features
        self.completions, self.evaluations = completions, evaluations
        self.given = problem.given
        allowed = indices_of(completions.allowed)
        alone = dict(zip(allowed, self.quality.evaluate_many([(j,) for j in allowed]), strict=True))
        self.alone, self.together = alone, list[int]()
        most = min(_MOST_CANDIDATES, evaluations.most // (_PART * self.size))
        best_first = sorted(allowed, key=lambda j: (-alone[j], self.quality.place((j,))))
        self.candidates = sorted(best_first[: max(self.size, most)])
        self.rest = [j for j in allowed if j not in {*self.candidates}]
        self.bits = completions.include

    def grow(self) -> None:
        """Add the best pair, then the best feature, until the set has its size."""
        if pairs := self._pairs():
            self.bits = self._best(pairs)
            self.together = self._together(pairs)
            self.candidates = sorted({*self.candidates, *indices_of(self.bits)})
            self.rest = [j for j in self.rest if j not in {*self.candidates}]
        self._add_features()

    def _add_features(self) -> None:
        while self.bits.bit_count() < self.size:
            moves: list[int] = []
            for features in (self.candidates, self.rest):
                larger = [self.bits | 1 << j for j in features if not self.bits >> j & 1]
                moves = [b for b in larger if self.completions.exists(b, self.completions.allowed)]
                if moves:
                    break
            if not moves:
                raise OutOfWorkError
            self.bits = self._best(moves)

    def begin_again(self) -> None:
        """Grow and exchange from parts of given sets, and keep the best set."""
        best = self.bits
        try:
            for part in self._parts():
                self.bits = part
                self._add_features()
                self.exchange()
                if self._values([self.bits])[0] > self._values([best])[0]:
                    best = self.bits
        finally:
            self.bits = best

    def _parts(self) -> list[int]:
        """Return the best ones of the largest parts of given sets that a valid set may hold."""
        allowed, parts = self.completions.allowed, set()
        for given in self.given:
            for size in range(len(given) - 1, 0, -1):
                if comb(len(given), size) > _MOST_PARTS:
                    break
                held = [sum(1 << j for j in part) for part in combinations(given, size)]
                every = sum(1 << j for j in given)
                valid = [
                    part | self.completions.include
                    for part in held
                    if self.completions.exists(part, allowed & ~(every & ~part))
                ]
                if valid:
                    parts.update(valid)
                    break
        ordered = sorted(parts)
        values = dict(zip(ordered, self._values(ordered), strict=True))
        return sorted(ordered, key=lambda part: (-values[part], self._place(part)))[:_AGAIN]

    def _pairs(self) -> list[int]:
        """Return the set with each two features, of all or else of the candidates, if few."""
        if self.size - self.bits.bit_count() < 2:
            return []
        for features in (sorted([*self.candidates, *self.rest]), self.candidates):
            free = [j for j in features if not self.bits >> j & 1]
            if comb(len(free), 2) <= _PAIRS * self.evaluations.most:
                pairs = (self.bits | 1 << i | 1 << j for i, j in combinations(free, 2))
                allowed = self.completions.allowed
                return [bits for bits in pairs if self.completions.exists(bits, allowed)]
        return []

    def exchange(self) -> None:
        """Make the best exchange of a feature as long as the set gets better."""
        value = self._values([self.bits])[0]
        while True:
            leaving = indices_of(self.bits & ~self.completions.include)
            entering = [j for j in self.candidates if not self.bits >> j & 1]
            moves = [self.bits ^ 1 << i ^ 1 << j for i in leaving for j in entering]
            moves = [bits for bits in moves if self.completions.is_valid(bits)]
            before, self.bits = self.bits, self._best(moves) if moves else self.bits
            reached = self._values([self.bits])[0]
            if reached <= value:
                self.bits = before
                return
            value = reached

    def exchange_pairs(self) -> None:
        """Let pairs that tell together enter, the best exchange first, as long as it helps.

        No exchange of single features reaches a pair whose features tell nothing alone.
        """
        value = self._values([self.bits])[0]
        while True:
            moves = []
            for pair in self.together:
                more = self.bits | pair
                leaving = indices_of(more & ~pair & ~self.completions.include)
                out = combinations(leaving, more.bit_count() - self.size)
                moves += [more & ~sum(1 << j for j in features) for features in out]
            moves = [bits for bits in dict.fromkeys(moves) if self.completions.is_valid(bits)]
            before, self.bits = self.bits, self._best(moves) if moves else self.bits
            reached = self._values([self.bits])[0]
            if reached <= value:
                self.bits = before
                return
            self.exchange()
            value = self._values([self.bits])[0]

    def _together(self, pairs: Sequence[int]) -> list[int]:
        """Return the pairs that tell most in addition to their features alone, best first."""
        fixed = self.completions.include
        values = dict(zip(pairs, self._values(pairs), strict=True))

        def excess(bits: int) -> float:
            return values[bits] - sum(self.alone[j] for j in indices_of(bits & ~fixed))

        ordered = sorted(pairs, key=lambda bits: (-excess(bits), self._place(bits)))
        return [bits & ~fixed for bits in ordered[:_MOST_TOGETHER]]

    def result(self) -> FeatureIndices:
        """Return the set that is reached, or a valid one that can be reached from it."""
        grown = self.bits.bit_count() == self.size
        chosen = indices_of(self.bits if grown else self.completions.witness)
        # A walk that ends early needs one evaluation more.
        self.evaluations.values[chosen] = self.quality.evaluate(chosen)
        return chosen

    def _best(self, moves: Sequence[int]) -> int:
        """Return the best of some sets."""
        values = dict(zip(moves, self._values(moves), strict=True))
        best = min(moves, key=lambda bits: (-values[bits], self._place(bits)))
        self.evaluations.note((indices_of(best),), values[best])
        return best

    def _place(self, bits: int) -> tuple[int, ...]:
        return self.quality.place(indices_of(bits))

    def _values(self, moves: Sequence[int]) -> list[float]:
        """Return the qualities of sets; OutOfWorkError if they are too many."""
        sets = [indices_of(bits) for bits in moves]
        new = [chosen for chosen in sets if chosen not in self.evaluations.values]
        if self.evaluations.count + len(new) > self.evaluations.most:
            raise OutOfWorkError
        self.quality.evaluate_many(new)
        return [self.evaluations(chosen) for chosen in sets]
