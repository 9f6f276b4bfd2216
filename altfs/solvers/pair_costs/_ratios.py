"""Feature sets of a good ratio: sum of gains over the root of a sum of costs.

A set beats the ratio v iff gain - v sqrt(cost) > 0. In a node the cost lies in a known
interval, in which the root is at least its secant. With the secant the condition has gains
and pair costs only, and is bounded accordingly. Bounds are floats with room for their
rounding. The value of a set is an exact integer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altfs._compiled import compiled
from altfs._numbers import BoolArray, IntArray
from altfs.quality.pairs import MORE_BITS, RATIO_BITS
from altfs.solvers.listed.listing import (
    NOT_REACHED,
    SOME,
    bound_of,
    chosen_by,
    descend,
    insert,
    keep_fitting,
    largest_open_bound,
    nearest_first,
    record,
    use_rows,
    with_cheapest,
)

# Exact ratios are integers in limbs of 30 bits, for cases that floats cannot decide.
_LIMB = 30
_MASK = (1 << _LIMB) - 1
# gain**2 times this, in limbs of 0 and 2**_REST, over the cost: the square of the ratio.
_REST = RATIO_BITS + 2 * MORE_BITS - _LIMB

_ONE = 1 << RATIO_BITS


@compiled()
def good_ratios(
    gains: IntArray,
    costs: IntArray,
    base_gain: int,
    base_cost: IntArray,
    prices: IntArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    threshold: int,
    wanted: int,
    most: int,
    node_limit: int,
) -> tuple[IntArray, IntArray, int, int]:
    """List the sets of at least some ratio.

    Parameters
    ----------
    gains : ndarray of int64 of shape (n,)
        At least 0.
    costs : ndarray of int64 of shape (n, n)
        Symmetric, at least 0, in multiples of 2**-30. The diagonal has the costs of
        single features.
    base_gain : int
        The gain that every set has besides.
    base_cost : ndarray of int64 of shape (2,)
        The cost that every set has besides. The second number counts 2**30 times.
    prices : ndarray of int64 of shape (n,)
        Deducted from the ratio for each feature; of any sign.
    rows, room, n_features, threshold, wanted, most, node_limit
        As in `good_subsets`.

    Returns
    -------
    sets, values, reached, nodes
        As in `Found`. A value is a ratio, with 8 more bits than the gains and rounded
        down, less the prices.
    """
    n, k = gains.size, n_features
    worth, pairs = gains * 2.0**MORE_BITS, costs / _ONE
    halves = pairs / 2
    # The rounding of a bound is below this part of the numbers that it is made of.
    part = (k + 8) * 2.0**-50
    most_paid = k * np.abs(prices).max()
    sets = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    count = 0
    near = nearest_first(pairs)
    cost_to = np.zeros((k + 1, n))
    for j in range(n):
        cost_to[0, j] = pairs[j, j]
    inside = np.zeros(n, dtype=np.bool_)
    members = np.zeros((k + 1, n), dtype=np.int64)
    scores = np.zeros((k + 1, n))
    length = np.zeros(k + 1, dtype=np.int64)
    turn = np.zeros(k + 1, dtype=np.int64)
    gain = np.zeros(k + 1)
    cost = np.zeros(k + 1)
    price = np.zeros(k + 1)
    offset = np.zeros(k + 1)
    spare = np.zeros(k + 1)
    gain[0], cost[0] = base_gain * 2.0**MORE_BITS, base_cost[0] / _ONE + base_cost[1]
    own = np.zeros(n)
    used = np.zeros(len(room), dtype=np.int64)
    members[0, :n] = np.arange(n)
    length[0] = n
    nodes = level = 0
    fresh = True
    while level >= 0:
        rest = k - level
        if fresh:
            fresh = False
            nodes += 1
            kept = keep_fitting(members[level], length[level], rows, room, used, inside)
            turn[level] = 0
            length[level] = kept if kept >= rest else 0
            if kept >= rest:
                some = members[level, :kept]
                # The least cost of a feature: to the chosen, and half of its cheapest pairs.
                for p in range(kept):
                    j = some[p]
                    own[p] = with_cheapest(cost_to[level, j], j, rest - 1, near, inside, halves)
                low = cost[level] + np.sort(own[:kept])[:rest].sum()
                high_gain = gain[level] + _largest(worth[some], rest)
                refund = _largest(-1.0 * prices[some], rest) - price[level]
                # The ratio needed if prices cost as little as possible.
                v = threshold - refund
                start = np.sqrt(low)
                spare[level] = 2 * (max(v, 0.0) + high_gain / start + most_paid)
                if v <= 0:
                    # Any cost is low enough: the root is at least that of the lowest.
                    for p in range(kept):
                        own[p] = worth[some[p]] / start - prices[some[p]]
                    offset[level] = gain[level] / start - price[level]
                else:
                    high = max((high_gain / v) ** 2, low)
                    slope = 1.0 / (np.sqrt(low) + np.sqrt(high))
                    # ratio <= v + (gain - v root) / root_low where that is positive.
                    for p in range(kept):
                        j = some[p]
                        own[p] = (worth[j] - v * slope * own[p]) / start - prices[j]
                    offset[level] = (
                        v
                        + (gain[level] - v * (slope * (cost[level] - low) + start)) / start
                        - price[level]
                    )
                for p in range(kept):
                    insert(some, scores[level], p, some[p], own[p], False)
        p = turn[level]
        stop = length[level] - p < rest
        if not stop:
            stop = bound_of(offset[level], scores[level], p, rest, part, spare[level]) < threshold
        if not stop and nodes >= node_limit:
            worst = largest_open_bound(level, offset, scores, turn, length, part, spare)
            return sets[:count], values[:count], max(int(np.floor(worst)) + 1, threshold), nodes
        if stop:
            level -= 1
            if level >= 0:
                use_rows(used, rows, members[level, turn[level] - 1], -1)
            continue
        turn[level] += 1
        j = members[level, p]
        if rest == 1:
            root = np.sqrt(cost[level] + cost_to[level, j])
            ratio = (gain[level] + worth[j]) / root
            if ratio - price[level] - prices[j] < threshold - part * spare[level]:
                continue
            chosen = chosen_by(members, turn, k)
            total = int(ratio)
            if abs(ratio - np.rint(ratio)) <= part * ratio:
                # Rounding decides, so the ratio is computed exactly.
                total = _exact(chosen, gains, costs, base_gain, base_cost, total)
            total -= prices[chosen].sum()
            if total < threshold:
                continue
            sets, values, count, threshold = record(
                sets, values, count, chosen, total, threshold, wanted, most
            )
            if wanted == SOME and count == most:
                return sets[:count], values[:count], NOT_REACHED, nodes
            continue
        use_rows(used, rows, j, 1)
        gain[level + 1] = gain[level] + worth[j]
        cost[level + 1] = cost[level] + cost_to[level, j]
        price[level + 1] = price[level] + prices[j]
        descend(level, members, turn, length, cost_to, pairs[j])
        level += 1
        fresh = True
    return sets[:count], values[:count], threshold, nodes


@compiled()
def _largest(numbers: Any, count: int) -> float:
    """Return the sum of the largest numbers."""
    ordered = np.sort(numbers)
    return float(ordered[len(ordered) - count :].sum())


@compiled()
def _exact(
    chosen: IntArray,
    gains: IntArray,
    costs: IntArray,
    base_gain: int,
    base_cost: IntArray,
    guess: int,
) -> int:
    """Return the ratio of a set, rounded down."""
    gain, cost, more = base_gain, base_cost[0], base_cost[1]
    for p in range(len(chosen)):
        i = chosen[p]
        gain += gains[i]
        for q in range(p + 1):
            cost += costs[i, chosen[q]] & (_ONE - 1)
            more += costs[i, chosen[q]] >> RATIO_BITS
    return ratio_floor(gain, cost, more, guess)


@compiled()
def ratio_floor(gain: int, cost: int, more: int, guess: int) -> int:
    """Return the largest m such that m / 2**MORE_BITS is at most the ratio.

    Parameters
    ----------
    gain : int
        From 0 to 2**60.
    cost, more : int
        The cost is cost + more * 2**30, above 0; both at least 0.
    guess : int
        A number close to m. The search takes longer from further away.

    Examples
    --------
    >>> ratio_floor(3, 4 << 30, 0, 300), 3 * 2**8 // 2
    (384, 384)
    """
    square = np.zeros(8, dtype=np.int64)
    _multiply(_limbs(gain), _limbs(gain), square)
    target = np.zeros(8, dtype=np.int64)
    shift = np.zeros(2, dtype=np.int64)
    shift[1] = 1 << _REST
    _multiply(square[:4], shift, target)
    costs = np.zeros(4, dtype=np.int64)
    costs[0] = cost & _MASK
    carry = (cost >> _LIMB) + (more & _MASK)
    costs[1] = carry & _MASK
    carry = (carry >> _LIMB) + (more >> _LIMB)
    costs[2] = carry & _MASK
    costs[3] = carry >> _LIMB
    m = max(guess, 0)
    while m > 0 and not _is_below(m, costs, target):
        m -= 1
    while _is_below(m + 1, costs, target):
        m += 1
    return m


@compiled()
def _limbs(x: int) -> IntArray:
    limbs = np.zeros(2, dtype=np.int64)
    limbs[0] = x & _MASK
    limbs[1] = x >> _LIMB
    return limbs


@compiled()
def _multiply(a: IntArray, b: IntArray, product: IntArray) -> None:
    """Multiply two numbers of few limbs."""
    product[:] = 0
    for i in range(len(a)):
        carry = 0
        for j in range(len(b)):
            now = product[i + j] + a[i] * b[j] + carry
            product[i + j] = now & _MASK
            carry = now >> _LIMB
        if carry > 0:
            product[i + len(b)] += carry


@compiled()
def _is_below(m: int, costs: IntArray, target: IntArray) -> bool:
    """Return True if m**2 times the cost is at most the target."""
    square = np.zeros(4, dtype=np.int64)
    _multiply(_limbs(m), _limbs(m), square)
    product = np.zeros(8, dtype=np.int64)
    _multiply(square, costs, product)
    for p in range(7, -1, -1):
        if product[p] != target[p]:
            return bool(product[p] < target[p])
    return True
