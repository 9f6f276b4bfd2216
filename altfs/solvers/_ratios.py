"""Feature sets of a good ratio: sum of gains over the root of a sum of costs.

A set beats the ratio v iff gain - v sqrt(cost) > 0. In a node the cost lies in
a known interval, where the root is at least its secant: with it the question
is one of gains and pair costs, and bounded like one. Bounds are floats with
room for their rounding; what a set is worth is an integer, and exact.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs._pair_quality import RATIO_BITS
from altfs.solvers._exact_ratios import MORE_BITS, ratio_floor
from altfs.solvers._listing import BEST, NOT_REACHED, SOME

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

_ONE = 1 << RATIO_BITS


@njit(cache=True)
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
        Symmetric, at least 0, in multiples of 2**-30; the diagonal is what a
        feature alone costs.
    base_gain : int
        What every set has besides.
    base_cost : ndarray of int64 of shape (2,)
        The same of the costs; the second number counts 2**30 times.
    prices : ndarray of int64 of shape (n,)
        Taken from the ratio for each feature; all 0 or of any sign.
    rows, room, n_features, threshold, wanted, most, node_limit
        As in `good_subsets`.

    Returns
    -------
    sets : ndarray of int64 of shape (n_found, n_features)
    values : ndarray of int64 of shape (n_found,)
        Ratios, with 8 more bits than the gains and rounded down, less prices.
    reached, nodes : int
        As in `good_subsets`.
    """
    n = gains.size
    k = n_features
    n_rows = rows.shape[0]
    worth, pairs = gains * 2.0**MORE_BITS, costs / _ONE
    # Of the numbers that a bound is made of; its rounding is below this part of them.
    part = (k + 8) * 2.0**-50
    most_paid = k * np.abs(prices).max()
    found = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    count = 0
    near = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        near[j] = np.argsort(pairs[j])
    cost_to = np.zeros((k + 1, n))
    for j in range(n):
        cost_to[0, j] = pairs[j, j]
    inside = np.zeros((k + 1, n), dtype=np.bool_)
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
    chosen = np.zeros(k, dtype=np.int64)
    own = np.zeros(n)
    ordered = np.zeros(n)
    used = np.zeros(n_rows, dtype=np.int64)
    members[0, :n] = np.arange(n)
    length[0] = n
    nodes = 0
    level = 0
    fresh = True
    while level >= 0:
        rest = k - level
        if fresh:
            fresh = False
            nodes += 1
            kept = 0
            for p in range(length[level]):
                j = members[level, p]
                fits = True
                for i in range(n_rows):
                    if rows[i, j] and used[i] >= room[i]:
                        fits = False
                        break
                if fits:
                    members[level, kept] = j
                    kept += 1
            length[level] = kept
            turn[level] = 0
            if kept < rest:
                length[level] = 0
            else:
                for j in range(n):
                    inside[level, j] = False
                for p in range(kept):
                    inside[level, members[level, p]] = True
                # Each feature's least cost: to the chosen, and half of its cheapest pairs.
                for p in range(kept):
                    j = members[level, p]
                    own[p] = cost_to[level, j]
                    need = rest - 1
                    q = 0
                    while need > 0:
                        other = near[j, q]
                        if inside[level, other] and other != j:
                            own[p] += pairs[j, other] / 2
                            need -= 1
                        q += 1
                ordered[:kept] = np.sort(own[:kept])
                low = cost[level] + ordered[:rest].sum()
                for p in range(kept):
                    ordered[p] = worth[members[level, p]]
                ordered[:kept] = np.sort(ordered[:kept])
                high_gain = gain[level] + ordered[kept - rest : kept].sum()
                for p in range(kept):
                    ordered[p] = -prices[members[level, p]]
                ordered[:kept] = np.sort(ordered[:kept])
                refund = ordered[kept - rest : kept].sum() - price[level]
                # The ratio that is needed if prices cost as little as they can.
                v = threshold - refund
                start = np.sqrt(low)
                spare[level] = 2 * (max(v, 0.0) + high_gain / start + most_paid)
                if v <= 0:
                    # Any cost will do: the root is at least that of the lowest.
                    for p in range(kept):
                        j = members[level, p]
                        own[p] = worth[j] / start - prices[j]
                    constant = gain[level] / start - price[level]
                else:
                    high = max((high_gain / v) ** 2, low)
                    slope = 1.0 / (np.sqrt(low) + np.sqrt(high))
                    # ratio <= v + (gain - v root) / root_low where that is positive.
                    for p in range(kept):
                        j = members[level, p]
                        own[p] = (worth[j] - v * slope * own[p]) / start - prices[j]
                    constant = (
                        v
                        + (gain[level] - v * (slope * (cost[level] - low) + start)) / start
                        - price[level]
                    )
                offset[level] = constant
                for p in range(kept):
                    j = members[level, p]
                    score = own[p]
                    place = p
                    while place > 0 and scores[level, place - 1] < score:
                        scores[level, place] = scores[level, place - 1]
                        members[level, place] = members[level, place - 1]
                        place -= 1
                    scores[level, place] = score
                    members[level, place] = j
        p = turn[level]
        stop = length[level] - p < rest
        bound = offset[level]
        if not stop:
            for q in range(p, p + rest):
                bound += scores[level, q]
            bound += part * (spare[level] + abs(bound))
            stop = bound < threshold
        if not stop and nodes >= node_limit:
            worst = bound
            for back in range(level):
                if length[back] - turn[back] >= k - back:
                    total = offset[back]
                    for q in range(turn[back], turn[back] + k - back):
                        total += scores[back, q]
                    worst = max(worst, total + part * (spare[back] + abs(total)))
            reached = int(np.floor(worst)) + 1
            return found[:count], values[:count], max(reached, threshold), nodes
        if stop:
            level -= 1
            if level >= 0:
                j = members[level, turn[level] - 1]
                for i in range(n_rows):
                    if rows[i, j]:
                        used[i] -= 1
            continue
        turn[level] += 1
        j = members[level, p]
        if rest == 1:
            root = np.sqrt(cost[level] + cost_to[level, j])
            ratio = (gain[level] + worth[j]) / root
            if ratio - price[level] - prices[j] < threshold - part * spare[level]:
                continue
            for back in range(level):
                chosen[back] = members[back, turn[back] - 1]
            chosen[level] = j
            total = int(ratio)
            near_whole = abs(ratio - np.rint(ratio))
            if near_whole <= part * ratio:
                # Rounding decides: once more, exactly.
                total = _exact(chosen, gains, costs, base_gain, base_cost, total)
            for f in chosen:
                total -= prices[f]
            if total < threshold:
                continue
            if count == most:
                threshold = np.sort(values[:count])[count // 2] + 1
                kept = 0
                for q in range(count):
                    if values[q] >= threshold:
                        values[kept] = values[q]
                        found[kept] = found[q]
                        kept += 1
                count = kept
                if total < threshold:
                    continue
            if count == values.size:
                bigger = np.zeros((2 * count, k), dtype=np.int64)
                bigger[:count] = found
                found = bigger
                more = np.zeros(2 * count, dtype=np.int64)
                more[:count] = values
                values = more
            found[count] = np.sort(chosen)
            values[count] = total
            count += 1
            if wanted == SOME and count == most:
                return found[:count], values[:count], NOT_REACHED, nodes
            if wanted == BEST:
                threshold = total + 1
                found[0] = found[count - 1]
                values[0] = total
                count = 1
            continue
        for i in range(n_rows):
            if rows[i, j]:
                used[i] += 1
        gain[level + 1] = gain[level] + worth[j]
        cost[level + 1] = cost[level] + cost_to[level, j]
        price[level + 1] = price[level] + prices[j]
        kept = 0
        for q in range(p + 1, length[level]):
            other = members[level, q]
            members[level + 1, kept] = other
            cost_to[level + 1, other] = cost_to[level, other] + pairs[j, other]
            kept += 1
        length[level + 1] = kept
        level += 1
        fresh = True
    return found[:count], values[:count], threshold, nodes


@njit(cache=True)
def _exact(
    chosen: IntArray,
    gains: IntArray,
    costs: IntArray,
    base_gain: int,
    base_cost: IntArray,
    guess: int,
) -> int:
    """The ratio of a set, rounded down."""
    gain, cost, more = base_gain, base_cost[0], base_cost[1]
    for p in range(len(chosen)):
        i = chosen[p]
        gain += gains[i]
        for q in range(p + 1):
            cost += costs[i, chosen[q]] & (_ONE - 1)
            more += costs[i, chosen[q]] >> RATIO_BITS
    return ratio_floor(gain, cost, more, guess)
