"""Feature sets of a good ratio: sum of gains over the root of a sum of costs.

A set beats the ratio v iff gain - v sqrt(cost) > 0. In a node the cost lies in
a known interval, where the root is at least its secant: with it the question
is one of gains and pair costs, and bounded like one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@njit(cache=True)
def good_ratios(
    gains: FloatArray,
    costs: FloatArray,
    base_gain: float,
    base_cost: float,
    prices: FloatArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    threshold: float,
    improve: bool,
    most: int,
    node_limit: int,
) -> tuple[IntArray, FloatArray, float, int]:
    """List the sets of at least some ratio.

    Parameters
    ----------
    gains : ndarray of float64 of shape (n,)
        At least 0.
    costs : ndarray of float64 of shape (n, n)
        Symmetric, at least 0; the diagonal is what a feature alone costs.
    base_gain, base_cost : float
        What every set has besides.
    prices : ndarray of float64 of shape (n,)
        Taken from the ratio for each feature; all 0 or of any sign.
    rows, room, n_features, threshold, improve, most, node_limit
        As in `good_subsets`.

    Returns
    -------
    sets : ndarray of int64 of shape (n_found, n_features)
    values : ndarray of float64 of shape (n_found,)
        Ratios less prices.
    reached : float
        All sets of at least this value are listed.
    nodes : int
    """
    n = gains.size
    k = n_features
    n_rows = rows.shape[0]
    found = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64)
    count = 0
    near = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        near[j] = np.argsort(costs[j])
    cost_to = np.zeros((k + 1, n))
    for j in range(n):
        cost_to[0, j] = costs[j, j]
    inside = np.zeros((k + 1, n), dtype=np.bool_)
    members = np.zeros((k + 1, n), dtype=np.int64)
    scores = np.zeros((k + 1, n))
    length = np.zeros(k + 1, dtype=np.int64)
    turn = np.zeros(k + 1, dtype=np.int64)
    gain = np.zeros(k + 1)
    cost = np.zeros(k + 1)
    price = np.zeros(k + 1)
    offset = np.zeros(k + 1)
    gain[0], cost[0] = base_gain, base_cost
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
                            own[p] += costs[j, other] / 2
                            need -= 1
                        q += 1
                ordered[:kept] = np.sort(own[:kept])
                low = cost[level] + ordered[:rest].sum()
                for p in range(kept):
                    ordered[p] = gains[members[level, p]]
                ordered[:kept] = np.sort(ordered[:kept])
                high_gain = gain[level] + ordered[kept - rest : kept].sum()
                for p in range(kept):
                    ordered[p] = -prices[members[level, p]]
                ordered[:kept] = np.sort(ordered[:kept])
                refund = ordered[kept - rest : kept].sum() - price[level]
                # The ratio that is needed if prices cost as little as they can.
                v = threshold - refund
                low = max(low, 1e-300)
                if v <= 0:
                    # Any cost will do: the root is at least that of the lowest.
                    slope, start = 0.0, np.sqrt(low)
                    for p in range(kept):
                        own[p] = gains[members[level, p]] / start - prices[members[level, p]]
                    constant = gain[level] / start - price[level]
                else:
                    high = max((high_gain / v) ** 2, low)
                    slope = 1.0 / (np.sqrt(low) + np.sqrt(high))
                    start = np.sqrt(low)
                    # ratio <= v + (gain - v root) / root_low where that is positive.
                    for p in range(kept):
                        j = members[level, p]
                        own[p] = (gains[j] - v * slope * own[p]) / start - prices[j]
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
            stop = bound < threshold - 1e-9 * max(abs(threshold), abs(bound))
        if not stop and nodes >= node_limit:
            worst = bound
            for back in range(level):
                if length[back] - turn[back] >= k - back:
                    total = offset[back]
                    for q in range(turn[back], turn[back] + k - back):
                        total += scores[back, q]
                    worst = max(worst, total)
            worst += 1e-9 * abs(worst)
            return found[:count], values[:count], max(worst, threshold), nodes
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
            total = (gain[level] + gains[j]) / np.sqrt(cost[level] + cost_to[level, j])
            total -= price[level] + prices[j]
            if total < threshold:
                continue
            if count == most and improve:
                # As good as one another up to rounding: some of them will do.
                count = most // 2
            if count == most:
                middle = np.sort(values[:count])[count // 2]
                threshold = middle + 1e-12 * abs(middle)
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
                more = np.zeros(2 * count)
                more[:count] = values
                values = more
            for back in range(level):
                found[count, back] = members[back, turn[back] - 1]
            found[count, level] = j
            found[count].sort()
            values[count] = total
            count += 1
            if improve:
                # Sets as good as this one up to rounding stay in the list.
                threshold = total - 1e-9 * abs(total)
                kept = 0
                for q in range(count):
                    if values[q] >= threshold:
                        values[kept] = values[q]
                        found[kept] = found[q]
                        kept += 1
                count = kept
            continue
        for i in range(n_rows):
            if rows[i, j]:
                used[i] += 1
        gain[level + 1] = gain[level] + gains[j]
        cost[level + 1] = cost[level] + cost_to[level, j]
        price[level + 1] = price[level] + prices[j]
        kept = 0
        for q in range(p + 1, length[level]):
            other = members[level, q]
            members[level + 1, kept] = other
            cost_to[level + 1, other] = cost_to[level, other] + costs[j, other]
            kept += 1
        length[level + 1] = kept
        level += 1
        fresh = True
    return found[:count], values[:count], threshold, nodes
