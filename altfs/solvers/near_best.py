"""The sets that are nearly as good as the best one: counted, listed or drawn.

For sums of values, a set differs from the best one by exchanges. Its *loss* is that of the
features dropped plus that of the features added, each at least 0 when it is measured from the
worst feature of the best set. So the sets up to a loss are counted by a table over numbers of
exchanges and losses, without listing them. Losses are whole numbers; where the table would be
too long, they are rounded down to multiples of a step, and the number lies between two bounds.
Other problems are listed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd
from typing import Any, Literal, NamedTuple

import numpy as np

from altfs._numbers import BoolArray, FloatArray, IntArray
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import Constraints, FeatureIndices, Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear, Pairwise
from altfs.solvers.all_best import all_best
from altfs.solvers.base import Limits, solve
from altfs.solvers.every_set import every_set, number_of_sets

# So many sets are listed, and no more are looked at one by one.
_MOST_LISTED = 20_000
# The size of the table that counts, and of the tables that are kept for drawing.
_COUNTED_CELLS, _DRAWN_CELLS = 1 << 18, 1 << 23
# Whole numbers in a longer table than this take too long.
_EXACT_CELLS = 20_000
# Sums of floats are whole up to here; further ones are exact up to this part.
_WHOLE, _ROUNDING = 2.0**52, 1e-11
# The largest number of sets that are drawn for each one of a sample.
_TRIES = 50

How = Literal["all", "uniform", "some"]


@dataclass(frozen=True)
class NearBest:
    """Sets whose loss is within a limit.

    Attributes
    ----------
    sets : list of tuple of int
        In lexicographic order.
    at_least, at_most : int
        Bounds of the number of such sets.
    how : {"all", "uniform", "some"}
        Whether these are all sets, a sample drawn uniformly, or any of them.
    decided : frozenset of int, optional
        Features that all such sets hold, or that none holds; None if unknown.
    """

    sets: list[FeatureIndices]
    at_least: int
    at_most: int
    how: How
    decided: frozenset[int] | None = None


class Margin(NamedTuple):
    """The quality that a set needs to count as nearly as good as the best one."""

    #: A best set, its quality, and the lowest quality that counts.
    best: FeatureIndices
    top: float
    least: float
    #: The difference in the numbers of :meth:`altfs.quality.Quality.exact_values`.
    in_unit: Fraction


def margin_of(problem: Problem, limits: Limits, share: float, loss: float | None = None) -> Margin:
    """Find the best set of a problem of one set, and how far below it others may be.

    Parameters
    ----------
    problem : Problem
        Of one set.
    limits : Limits
    share : float
        Of the best quality, from 0 to 1.
    loss : float, optional
        A difference of qualities in place of the share.

    Raises
    ------
    AltfsError
        If there is no set, if the best one is not proven, or if too many would be evaluated.
    """
    quality = problem.quality
    if isinstance(quality, BlackBox) and number_of_sets(problem) > quality.max_evaluations:
        raise UnsupportedProblemError(
            "nearly_optimal",
            f"{number_of_sets(problem):,} sets would have to be evaluated, max_iterations is "
            f"{quality.max_evaluations:,}",
            "raise it, exclude features or use a selector that gives values to features",
        )
    best: FeatureIndices | None
    if isinstance(quality, BlackBox):
        # Its solvers climb, and all sets are evaluated anyway.
        valid = (s for s in every_set(problem) if problem.violation((s,)) is None)
        best = max(valid, key=quality.evaluate, default=None)
    else:
        solved = solve(problem, limits)
        if solved.status not in (Status.OPTIMAL, Status.INFEASIBLE):
            reason = f"the best set is not proven within {limits.work:g}"
            raise AltfsError("work", reason, "raise it")
        best = solved.sets[0] if solved.sets else None
    if best is None:
        raise AltfsError("nearly_optimal", "no set satisfies all constraints", "loosen them")
    value, top = quality.exact_values([best])[0], Fraction(quality.evaluate(best))
    lost = abs(top) * Fraction(repr(share)) if loss is None else Fraction(repr(float(loss)))
    # Solvers compare the quality in a unit of its own, which keeps 0.
    in_unit = lost * abs(value / top) if top else Fraction(0)
    return Margin(best, float(top), float(top - lost), in_unit)


def near_best(
    problem: Problem, best: FeatureIndices, loss: Fraction, work: float, sample: tuple[int, int]
) -> NearBest:
    """Count the sets whose value is that of the best one less at most `loss`.

    Parameters
    ----------
    problem : Problem
        Of one set.
    best : tuple of int
        The best set, given sets of the problem apart if that is the best set itself.
    loss : Fraction
        In the numbers of :meth:`altfs.quality.Quality.exact_values`, at least 0.
    work : float
        A count as in :class:`altfs.solvers.Limits`, for a list.
    sample : tuple of int
        The largest number of sets of a sample, and its seed.

    Examples
    --------
    >>> problem = Problem(Linear([3.0, 2.0, 2.0, 0.0]), 2, overlap=2)
    >>> near_best(problem, (0, 1), Fraction(2**38, 3), 1.0, (10, 0)).sets
    [(0, 1), (0, 2), (1, 2)]
    """
    quality = problem.quality
    if isinstance(quality, BlackBox):
        return _evaluated(problem, best, loss, sample)
    exchanges, counts = None, (0, 0)
    if isinstance(quality, Linear) and Exchanges.covers(problem, best):
        exchanges = Exchanges(problem, quality, best, floor(loss))
        counts = exchanges.count()
    if counts[0] <= _MOST_LISTED:
        factor = quality.divisor(problem.n_features) if isinstance(quality, Pairwise) else 1
        listed = all_best(problem, best, _MOST_LISTED, work, floor(loss * factor))
        if listed.complete:
            return sampled(listed.sets, quality.n_total, sample)
    if exchanges is not None:
        return NearBest(exchanges.draw(*sample), *counts, "uniform", exchanges.decided())
    # The best set may be one from which the others have to differ.
    sets = [s for s in listed.sets if problem.violation((s,)) is None]
    at_most = number_of_sets(problem)
    if isinstance(quality, Linear):
        at_most = min(at_most, _relaxed(problem, quality, best, floor(loss)).count()[1])
    return NearBest(sets, len(sets), at_most, "some")


def _relaxed(problem: Problem, quality: Linear, best: FeatureIndices, loss: int) -> Exchanges:
    """Return the exchanges without any constraint but included and excluded features."""
    include, exclude = problem.constraints.include, problem.constraints.exclude
    decided = {*include, *exclude}
    ranked = [j for j in quality.order.tolist() if j not in decided]
    top = tuple(sorted([*include, *ranked[: len(best) - len(include)]]))
    more = int(quality.weights[list(top)].sum() - quality.weights[list(best)].sum())
    only = Constraints(include=include, exclude=exclude)
    return Exchanges(replace(problem, given=(), constraints=only), quality, top, loss + more)


def sampled(sets: list[FeatureIndices], n_total: int, sample: tuple[int, int]) -> NearBest:
    """Return all sets of `n_total` features, or a sample of them if there are more."""
    limit, seed = sample
    number, counts = len(sets), Counter(j for chosen in sets for j in chosen)
    decided = frozenset(j for j in range(n_total) if counts[j] in (0, number))
    if number <= limit:
        return NearBest(sets, number, number, "all", decided)
    places = np.sort(np.random.default_rng(seed).choice(number, limit, replace=False))
    return NearBest([sets[i] for i in places], number, number, "uniform", decided)


def _evaluated(
    problem: Problem, best: FeatureIndices, loss: Fraction, sample: tuple[int, int]
) -> NearBest:
    quality = problem.quality
    valid = [s for s in every_set(problem) if problem.violation((s,)) is None]
    if isinstance(quality, BlackBox) and hasattr(quality, "evaluate_many"):
        quality.evaluate_many(valid)
    least = quality.exact_values([best])[0] - loss
    values = quality.exact_values(valid)
    near = [s for s, v in zip(valid, values, strict=True) if v >= least]
    return sampled(near, quality.n_total, sample)


class Exchanges:
    """The sets that differ from the best one by exchanges of a total loss.

    Parameters
    ----------
    problem : Problem
    quality : Linear
        That of the problem.
    best : tuple of int
        The best set, of the largest values.
    loss : int
        The largest loss, in the integers of the quality.
    """

    def __init__(self, problem: Problem, quality: Linear, best: FeatureIndices, loss: int) -> None:
        constraints = problem.constraints
        free = [j for j in best if j not in constraints.include]
        decided = {*best, *constraints.exclude}
        # Without a free feature nothing can be exchanged.
        others = [j for j in range(quality.n_total) if free and j not in decided]
        weights = quality.weights
        worst = min((int(weights[j]) for j in free), default=0)
        self.quality, self.best, self.loss = quality, best, loss
        lost = {j: int(weights[j]) - worst for j in free}
        lost |= {j: worst - int(weights[j]) for j in others}
        #: Features that can be dropped and added, and the loss of each.
        self.dropped = [j for j in free if lost[j] <= loss]
        self.added = [j for j in others if lost[j] <= loss]
        self.lost = lost
        overlap = problem.overlap(len(best), len(best)) if problem.given else len(best)
        #: The fewest exchanges that a set needs.
        self.fewest = len(best) - overlap
        self.most = min(len(self.dropped), len(self.added))

    @staticmethod
    def covers(problem: Problem, best: FeatureIndices) -> bool:
        """Return True if exchanges make the sets of a problem, and no others."""
        kinds = {*problem.kinds} - {"include", "exclude"}
        of_best = not kinds or (kinds == {"given"} and {*problem.given} == {best})
        return of_best and problem.quality.conflicts is None

    def count(self) -> tuple[int, int]:
        """Return bounds of the number of sets."""
        if self.most < self.fewest:
            return 0, 0
        step = gcd(*(self.lost[j] for j in (*self.dropped, *self.added))) or 1
        length = self.loss // step
        exact = (length + 1) * (self.most + 1) <= _COUNTED_CELLS
        if not exact:
            length = _COUNTED_CELLS // (self.most + 1) - 1
            step = ceil(Fraction(self.loss + 1, length + 1))
            length = self.loss // step
        whole = exact and (length + 1) * (self.most + 1) <= _EXACT_CELLS
        ways = self._tables(step, length, whole)[-1][0]
        # Each of the features loses less than a step more than it is counted for.
        slack = 0 if exact else 2 * self.most
        least, most = ways[: max(length + 1 - slack, 0)].sum(), ways.sum()
        if whole or most < _WHOLE:
            return int(least), int(most)
        return floor(least * (1 - _ROUNDING)), ceil(most * (1 + _ROUNDING))

    def _tables(self, step: int, length: int, whole: bool, every: bool = False) -> list[Any]:
        """Return the numbers of ways to lose 0, 1, ... steps, by exchanges that are still open.

        With `every`, there is a table before each feature; else only the last one is returned.
        """
        ways: Any = np.zeros((self.most + 1, length + 1), dtype=object if whole else np.float64)
        ways[0, 0] = 1
        tables = [ways]
        for j in self.dropped:
            ways = self._with(ways, j, step, opens=True)
            tables = [*tables, ways] if every else [ways]
        if self.fewest:
            ways = ways.copy()
            ways[: self.fewest] = 0
            tables[-1] = ways
        for j in self.added:
            ways = self._with(ways, j, step, opens=False)
            if every:
                tables.append(ways)
        return tables if every else [ways]

    def _with(self, ways: Any, j: int, step: int, opens: bool) -> Any:
        """Return the ways with one more feature, which opens an exchange or closes one."""
        after, lost = ways.copy(), self.lost[j] // step
        before = ways[:, : ways.shape[1] - lost]
        if opens:
            after[1:, lost:] += before[:-1]
        else:
            after[:-1, lost:] += before[1:]
        return after

    def draw(self, number: int, seed: int) -> list[FeatureIndices]:
        """Draw different sets, each equally likely up to rounding, in lexicographic order.

        Sets are drawn by losses in coarse steps. Those that lose too much are drawn again.
        """
        features = [*self.dropped, *self.added]
        cells = (len(features) + 1) * (self.most + 1)
        length = max(min(_DRAWN_CELLS // cells, 1024), 4 * self.most)
        step = max(ceil(Fraction(self.loss + 1, length)), 1)
        tables = self._tables(step, self.loss // step, whole=False, every=True)
        random = np.random.default_rng(seed)
        losses = np.array([self.lost[j] for j in features], dtype=np.int64)
        sets: set[FeatureIndices] = set()
        for _ in range(_TRIES):
            drawn = self._drawn(losses // step, tables, random, number)
            for exchanged in drawn[drawn @ losses <= self.loss]:
                if len(sets) == number:
                    return sorted(sets)
                chosen = {features[i] for i in np.flatnonzero(exchanged)}
                sets.add(tuple(sorted({*self.best} ^ chosen)))
        return sorted(sets)

    def _drawn(
        self, steps: IntArray, tables: list[Any], random: np.random.Generator, number: int
    ) -> BoolArray:
        """Draw the features of exchanges, from the last one back; a row has those of a set."""
        last: FloatArray = tables[-1][0].cumsum()
        lost = np.searchsorted(last, random.random(number) * last[-1], side="right")
        still_open = np.zeros(number, dtype=np.int64)
        drawn = np.zeros((number, len(steps)), dtype=np.bool_)
        for i in range(len(steps) - 1, -1, -1):
            without, ways = tables[i][still_open, lost], tables[i + 1][still_open, lost]
            drawn[:, i] = takes = random.random(number) * ways >= without
            lost = lost - takes * steps[i]
            still_open += takes if i >= len(self.dropped) else -takes.astype(np.int64)
        return drawn

    def decided(self) -> frozenset[int]:
        """Return the features that all sets hold, or that none holds."""
        number, features = max(self.fewest, 1), {*self.dropped, *self.added}
        if self.most < number:
            return frozenset(range(self.quality.n_total))
        dropped = np.sort([self.lost[j] for j in self.dropped])
        added = np.sort([self.lost[j] for j in self.added])
        decided = {*range(self.quality.n_total)} - features
        for j in features:
            # The least loss of a set that lacks a feature of the best set, or holds another one.
            same, other = (dropped, added) if j in self.best else (added, dropped)
            rest: IntArray = np.delete(same, int(np.searchsorted(same, self.lost[j])))
            least = self.lost[j] + int(rest[: number - 1].sum() + other[:number].sum())
            if least > self.loss:
                decided.add(j)
        return frozenset(decided)
