"""Lists of the good feature sets if pairs of features have costs.

The search is depth-first branch and bound. It has a state for each level: the features
that can still join (`members`, best first, `length` of them), the next one to try (`turn`)
and the most that each can add (`scores`).

A set has a gain and a cost: the sums over its features, and the costs of its pairs. Its
value is the gain less the cost, in integers, or the gain over the root of the cost. The
second value is a ratio (:mod:`altfs.solvers.pair_costs._ratios`). The cost
of a feature that joins is at least its smallest shares of the costs of pairs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, IntArray
from altfs.quality.pairs import RATIO_BITS
from altfs.solvers.pair_costs._ratios import Exact, exact_value, scores_by_secant
from altfs.solvers.weighted_sums import Sums, can_satisfy, fills_of, satisfies

#: The sets wanted of a search for sets of at least some value: all of them (the better
#: half if there are too many), the best ones, or any.
ALL, BEST, SOME = 0, 1, 2
#: The value of `reached` if nothing is known to be complete.
NOT_REACHED = 1 << 61
#: Less than the value of any set.
LOWEST = -(1 << 61)


class Numbers(NamedTuple):
    """Gains of features and costs of pairs, of which the values of sets are made.

    They are integers. Some are made into floats of one unit.
    """

    #: Shape (n,).
    gains: Any
    #: Shape (n, n). Symmetric. The diagonal has the costs of single features.
    costs: Any
    #: The gain and cost that every set has besides.
    base_gain: Any
    base_cost: Any
    #: The number of features that a set takes.
    n_features: int

    def within(self, fixed: IntArray, free: IntArray) -> Numbers:
        """Return the numbers of sets of all features in `fixed` and some of `free`."""
        costs = np.ascontiguousarray(self.costs[np.ix_(free, free)])
        np.fill_diagonal(costs, costs.diagonal() + self.costs[np.ix_(free, fixed)].sum(axis=1))
        among = self.costs[np.ix_(fixed, fixed)]
        base_gain = self.base_gain + int(self.gains[fixed].sum())
        base_cost = self.base_cost + (_total(among) + _total(among.diagonal())) // 2
        n_features = self.n_features - len(fixed)
        return Numbers(self.gains[free], costs, base_gain, base_cost, n_features)


def _total(costs: IntArray) -> int:
    """Return the sum, which can have more than 63 bits."""
    high = costs >> RATIO_BITS
    return (int(high.sum()) << RATIO_BITS) + int((costs - (high << RATIO_BITS)).sum())


class ListingGoal(NamedTuple):
    """The sets that a search is to list, and its limits."""

    #: The value of a set that is good enough.
    threshold: int
    #: With `BEST` a better set empties the list, and its value is the threshold. Equal sets are no
    #: longer looked for if the list is full or they take most of the nodes. `SOME` ends the search
    #: at `most` sets. With `ALL` a full list keeps its better half, and the threshold rises.
    mode: int
    #: The numbers of sets to list and of partial sets to look at, without those of equal sets.
    most: int
    node_limit: int


class Rows(NamedTuple):
    """Limits of how many features of some rows a set may hold, `room` for each row; and sums."""

    rows: BoolArray
    room: IntArray
    sums: Sums

    def within(self, held: IntArray, rest: IntArray) -> Rows:
        """Return the limits of sets of all features in `held` and some of `rest`."""
        room = self.room - self.rows[:, held].sum(axis=1)
        return Rows(self.rows.take(rest, axis=1), room, self.sums.within(held, rest))


class Listing(NamedTuple):
    """The answer of a search."""

    #: Shape (n_found, n_features). Ascending indices; with `BEST` of sets of equal value.
    sets: IntArray
    #: Shape (n_found,).
    values: IntArray
    #: All sets of at least this value are listed. It is the threshold if no limit was met, and
    #: `NOT_REACHED` if `SOME` filled the list.
    reached: int
    nodes: int


@compiled()
def good_sets(
    numbers: Numbers, shares: Any, exact: Exact | None, limits: Rows, goal: ListingGoal
) -> tuple[IntArray, IntArray, int, int]:
    """List the sets of at least some value; the answer is that of `Listing`.

    Sets have at least one feature. Entry (j, other) of `shares` is the share of j in the cost of
    the pair. `exact` has the numbers of a ratio, and the others are then floats. It is None for
    integers, of which the value is a difference.
    """
    gains, costs, base_gain, base_cost, k = numbers
    rows, room, sums = limits
    threshold, mode, most, node_limit = goal
    n = gains.size
    # The rounding of a bound is below this part of the numbers that it is made of.
    part = 0 if exact is None else (k + 8) * 2.0**-50
    most_paid = 0 if exact is None else k * np.abs(exact.prices).max()
    sets = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    # A literal would be compiled as a type of its own.
    count: Any = np.int64(0)
    near = np.zeros(shares.shape, dtype=np.int64)
    cost_to = np.zeros((k + 1, n), dtype=costs.dtype)
    for j in range(n):
        copy_into(near[j], np.argsort(shares[j]))
        cost_to[0, j] = costs[j, j]
    inside = np.zeros(n, dtype=np.bool_)
    members = np.zeros((k + 1, n), dtype=np.int64)
    scores = np.zeros((k + 1, n), dtype=gains.dtype)
    terms = np.zeros(n, dtype=gains.dtype)
    length, turn = np.zeros(k + 1, dtype=np.int64), np.zeros(k + 1, dtype=np.int64)
    gain = np.zeros(k + 1, dtype=gains.dtype)
    cost, price, start = np.zeros_like(gain), np.zeros_like(gain), np.zeros_like(gain)
    spare = np.zeros_like(gain)
    gain[0], cost[0] = base_gain, base_cost
    used = np.zeros(len(room), dtype=np.int64)
    limited, fills = len(sums.least) > 0, fills_of(sums, k)
    copy_into(members[0], np.arange(n))
    length[0] = n
    nodes: Any = np.int64(0)
    # Those whose sets can be as good as the listed ones, and no better.
    tied: Any = np.int64(0)
    level: Any = np.int64(0)
    fresh = True
    while level >= 0:
        rest = k - level
        if fresh:
            fresh = False
            nodes += 1
            # Features that still fit, and the most that each can add.
            kept = keep_fitting(members[level], length[level], rows, room, used, inside)
            turn[level] = 0
            length[level] = kept if kept >= rest else 0
            if limited and not can_satisfy(sums, fills, chosen_by(members, turn, level), rest):
                length[level] = 0
            some = members[level, : length[level]]
            for p in range(len(some)):
                terms[p] = with_cheapest(cost_to[level], some[p], rest - 1, near, inside, shares)
            if exact is None:
                start[level] = gain[level] - cost[level]
                for p in range(len(some)):
                    terms[p] = gains[some[p]] - terms[p]
            elif len(some) > 0:
                start[level], spare[level] = scores_by_secant(
                    terms[: len(some)], gains, some, (gain[level], cost[level], price[level]),
                    exact.prices, most_paid, rest, threshold,
                )  # fmt: skip
            for p in range(len(some)):
                insert(some, scores[level], p, some[p], terms[p], exact is None)
        p = turn[level]
        stop, ties = length[level] - p < rest, False
        if not stop:
            bound = bound_of(start[level], scores[level], p, rest, part, spare[level])
            ties = mode == BEST and count > 0 and threshold <= bound < values[0] + 1
            if ties and 2 * tied > nodes:
                threshold = values[0] + 1
            stop = bound < threshold
        if not stop and nodes - tied >= node_limit and not ties:
            worst = largest_open_bound(level, start, scores, turn, length, part, spare)
            return sets[:count], values[:count], max(int(worst // 1) + 1, threshold), nodes
        if stop:
            level -= 1
            if level >= 0:
                use_rows(used, rows, members[level, turn[level] - 1], -1)
            continue
        turn[level] += 1
        j = members[level, p]
        if rest == 1:
            total_gain, total_cost = gain[level] + gains[j], cost[level] + cost_to[level, j]
            if exact is None:
                chosen = chosen_by(members, turn, k)
                # Without `int` numba takes values and thresholds of ratios for floats, too.
                value = int(total_gain - total_cost)
            else:
                ratio = total_gain / np.sqrt(total_cost)
                if ratio - price[level] - exact.prices[j] < threshold - part * spare[level]:
                    continue
                chosen = chosen_by(members, turn, k)
                value = exact_value(chosen, exact, ratio, part)
            if value < threshold or (limited and not satisfies(sums, chosen)):
                continue
            sets, values, count, threshold = record(
                sets, values, count, chosen, value, threshold, mode, most
            )
            if mode == SOME and count == most:
                return sets[:count], values[:count], NOT_REACHED, nodes
            continue
        use_rows(used, rows, j, 1)
        gain[level + 1] = gain[level] + gains[j]
        cost[level + 1] = cost[level] + cost_to[level, j]
        if exact is not None:
            price[level + 1] = price[level] + exact.prices[j]
        later = members[level, turn[level] : length[level]]
        length[level + 1] = len(later)
        copy_into(members[level + 1], later)
        for other in later:
            cost_to[level + 1, other] = cost_to[level, other] + costs[j, other]
        level += 1
        fresh = True
        tied += ties
    return sets[:count], values[:count], threshold, nodes


@compiled()
def keep_fitting(
    members: IntArray, length: int, rows: BoolArray, room: IntArray, used: IntArray, inside: Any
) -> int:
    """Keep the members that rows have room for, mark them, and return their number."""
    inside[:] = False
    kept = 0
    for p in range(length):
        j = members[p]
        fits = True
        for i in range(len(room)):
            if rows[i, j] and used[i] >= room[i]:
                fits = False
                break
        if fits:
            members[kept] = j
            inside[j] = True
            kept += 1
    return kept


@compiled()
def with_cheapest(
    cost_to: Any, j: int, need: int, near: IntArray, inside: BoolArray, shares: Any
) -> Any:
    """Return the cost of a feature with its smallest shares in pairs with other members."""
    cost = cost_to[j]
    q = 0
    while need > 0:
        other = near[j, q]
        if inside[other] and other != j:
            cost += shares[j, other]
            need -= 1
        q += 1
    return cost


@compiled()
def insert(members: IntArray, scores: Any, p: int, j: int, score: Any, by_index: bool) -> None:
    """Insert a feature among the first p by descending score, then as they come or by index."""
    while p > 0 and (
        scores[p - 1] < score or (by_index and scores[p - 1] == score and members[p - 1] > j)
    ):
        scores[p] = scores[p - 1]
        members[p] = members[p - 1]
        p -= 1
    scores[p] = score
    members[p] = j


@compiled()
def bound_of(start: Any, scores: Any, p: int, rest: int, part: Any, spare: Any) -> Any:
    """Bound a partial set with the `rest` best features from p on, rounding included."""
    for q in range(p, p + rest):
        start += scores[q]
    return start + part * (spare + abs(start))


@compiled()
def largest_open_bound(
    level: int, start: Any, scores: Any, turn: IntArray, length: IntArray, part: Any, spare: Any
) -> Any:
    """Return the largest bound of what is open, on some level and those above it."""
    k = len(start) - 1
    worst = bound_of(start[level], scores[level], turn[level], k - level, part, spare[level])
    for back in range(level):
        p, rest = turn[back], k - back
        if length[back] - p >= rest:
            bound = bound_of(start[back], scores[back], p, rest, part, spare[back])
            worst = max(worst, bound)
    return worst


@compiled()
def use_rows(used: IntArray, rows: BoolArray, j: int, by: int) -> None:
    """Count a feature in its rows."""
    for i in range(len(used)):
        if rows[i, j]:
            used[i] += by


@compiled()
def chosen_by(members: IntArray, turn: IntArray, n_features: int) -> IntArray:
    """Return the set that the last choices of all levels make, ascending."""
    chosen = np.zeros(n_features, dtype=np.int64)
    for level in range(n_features):
        chosen[level] = members[level, turn[level] - 1]
    chosen.sort()
    return chosen


@compiled()
def record(
    sets: IntArray, values: IntArray, count: int, chosen: IntArray, value: int, threshold: int,
    mode: int, most: int,
) -> tuple[IntArray, IntArray, int, int]:  # fmt: skip
    """List a set of at least the threshold; return the list, its length and the threshold."""
    if mode == BEST:
        if count == most and value == values[0]:
            return sets, values, count, value + 1
        threshold = value
        if count > 0 and value > values[0]:
            count = 0
    elif count == most:
        threshold = np.sort(values[:count])[count // 2] + 1
        kept = 0
        for q in range(count):
            if values[q] >= threshold:
                values[kept] = values[q]
                copy_into(sets[kept], sets[q])
                kept += 1
        count = kept
        if value < threshold:
            return sets, values, count, threshold
    if count == len(values):
        sets = np.concatenate((sets, np.zeros_like(sets)))
        values = np.concatenate((values, np.zeros_like(values)))
    copy_into(sets[count], chosen)
    values[count] = value
    return sets, values, count + 1, threshold
