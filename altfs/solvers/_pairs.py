"""Feature sets whose members cost each other something: the best ones, one set at a time.

The value of a set is a sum of gains minus a cost for every pair in it. Depth-first
branch and bound in integers: the cost of a pair is split between its two
features, and a feature that joins pays at least its smallest shares. How the
costs are split decides how good the bound is; `split_costs` tunes it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from altfs.solvers._listing import BEST, NOT_REACHED, SOME

IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@njit(cache=True)
def split_costs(gains: IntArray, costs: IntArray, n_features: int, rounds: int) -> IntArray:
    """Split the cost of each pair so that the bound of the whole problem is small.

    Returns
    -------
    ndarray of int64 of shape (n, n)
        Entry (j, other): what j pays for other; (j, other) + (other, j) is the cost of the pair.
    """
    n = gains.size
    k = n_features
    shares = costs / 2.0
    best = shares.copy()
    best_bound = np.inf
    nearest = np.zeros((n, max(k - 1, 1)), dtype=np.int64)
    scores = np.zeros(n)
    step = 0.0
    for iteration in range(rounds):
        for j in range(n):
            filled = 0
            for other in range(n):
                if other == j:
                    continue
                if filled < k - 1:
                    p = filled
                    filled += 1
                elif k > 1 and shares[j, other] < shares[j, nearest[j, k - 2]]:
                    p = k - 2
                else:
                    continue
                while p > 0 and shares[j, nearest[j, p - 1]] > shares[j, other]:
                    nearest[j, p] = nearest[j, p - 1]
                    p -= 1
                nearest[j, p] = other
            scores[j] = gains[j]
            for p in range(k - 1):
                scores[j] -= shares[j, nearest[j, p]]
        order = np.argsort(-scores)[:k]
        bound = scores[order].sum()
        if iteration == 0:
            step = max(costs.max() * 0.25, 1.0)
        if bound < best_bound:
            best_bound = bound
            best[:] = shares
        for j in order:
            for p in range(k - 1):
                other = nearest[j, p]
                shares[j, other] += step
                shares[other, j] -= step
        step *= 0.97
    result = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        for other in range(j):
            result[j, other] = np.int64(np.round(best[j, other]))
            result[other, j] = costs[j, other] - result[j, other]
    return result


@njit(cache=True)
def good_subsets(
    gains: IntArray,
    costs: IntArray,
    shares: IntArray,
    rows: BoolArray,
    room: IntArray,
    n_features: int,
    threshold: int,
    wanted: int,
    most: int,
    node_limit: int,
) -> tuple[IntArray, IntArray, int, int]:
    """List the sets of at least some value.

    Parameters
    ----------
    gains : ndarray of int64 of shape (n,)
    costs : ndarray of int64 of shape (n, n)
        Symmetric, zero on the diagonal.
    shares : ndarray of int64 of shape (n, n)
        From `split_costs`.
    rows : ndarray of bool of shape (n_rows, n)
    room : ndarray of int64 of shape (n_rows,)
        How many features of a row a set may hold.
    n_features : int
        At least 1.
    threshold : int
    wanted : {ALL, BEST, SOME}
        With `BEST` each set found raises the threshold; `SOME` ends the search
        as soon as there are `most` sets.
    most, node_limit : int
        How many sets to list, how many partial ones to look at. Where there
        are more and `ALL` are wanted, the better half is kept and the threshold
        raised.

    Returns
    -------
    sets : ndarray of int64 of shape (n_found, n_features)
        Ascending indices; with `BEST` at most one.
    values : ndarray of int64 of shape (n_found,)
    reached : int
        All sets of at least this value are listed (with `BEST`: no other
        set has it). `threshold` if neither limit was met; `NOT_REACHED` if there
        are as many of `SOME` as wanted.
    nodes : int
    """
    n = gains.size
    k = n_features
    n_rows = rows.shape[0]
    found = np.zeros((64, k), dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    count = 0
    near = np.zeros((n, n), dtype=np.int64)
    for j in range(n):
        near[j] = np.argsort(shares[j])
    gain = np.zeros((k + 1, n), dtype=np.int64)
    gain[0] = gains
    inside = np.zeros((k + 1, n), dtype=np.bool_)
    members = np.zeros((k + 1, n), dtype=np.int64)
    scores = np.zeros((k + 1, n), dtype=np.int64)
    length = np.zeros(k + 1, dtype=np.int64)
    turn = np.zeros(k + 1, dtype=np.int64)
    value = np.zeros(k + 1, dtype=np.int64)
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
            # Features that still fit, and what each can add at best.
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
                for p in range(kept):
                    j = members[level, p]
                    score = gain[level, j]
                    need = rest - 1
                    q = 0
                    while need > 0:
                        other = near[j, q]
                        if inside[level, other] and other != j:
                            score -= shares[j, other]
                            need -= 1
                        q += 1
                    # Insertion by descending score, smaller index first.
                    place = p
                    while place > 0 and (
                        scores[level, place - 1] < score
                        or (scores[level, place - 1] == score and members[level, place - 1] > j)
                    ):
                        scores[level, place] = scores[level, place - 1]
                        members[level, place] = members[level, place - 1]
                        place -= 1
                    scores[level, place] = score
                    members[level, place] = j
        p = turn[level]
        bound = value[level]
        stop = length[level] - p < rest
        if not stop:
            for q in range(p, p + rest):
                bound += scores[level, q]
            stop = bound < threshold
        if not stop and nodes >= node_limit:
            worst = bound
            for back in range(level):
                if length[back] - turn[back] >= k - back:
                    total = value[back]
                    for q in range(turn[back], turn[back] + k - back):
                        total += scores[back, q]
                    worst = max(worst, total)
            return found[:count], values[:count], max(worst + 1, threshold), nodes
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
            # The scores are exact here.
            if count == most:
                middle = np.sort(values[:count])[count // 2]
                threshold = middle + 1
                kept = 0
                for q in range(count):
                    if values[q] >= threshold:
                        values[kept] = values[q]
                        found[kept] = found[q]
                        kept += 1
                count = kept
            if count == values.size:
                bigger = np.zeros((2 * count, k), dtype=np.int64)
                bigger[:count] = found
                found = bigger
                more = np.zeros(2 * count, dtype=np.int64)
                more[:count] = values
                values = more
            total = value[level] + gain[level, j]
            if total < threshold:
                continue
            for back in range(level):
                found[count, back] = members[back, turn[back] - 1]
            found[count, level] = j
            found[count].sort()
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
        value[level + 1] = value[level] + gain[level, j]
        kept = 0
        for q in range(p + 1, length[level]):
            other = members[level, q]
            members[level + 1, kept] = other
            gain[level + 1, other] = gain[level, other] - costs[j, other]
            kept += 1
        length[level + 1] = kept
        level += 1
        fresh = True
    return found[:count], values[:count], threshold, nodes
