"""Compiled steps of learners: they see a row, change their weights and keep the best features."""

from __future__ import annotations

from heapq import nsmallest
from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, FloatArray
from altfs.kinds.streams.online_selector import EntriesOfRows

Integers = npt.NDArray[Any]
# The weights of the learners, of shape (n_sets, n_vectors, room); which columns they hold; their
# mistakes; the largest number of features of each, and that of two of them.
Learners = tuple[FloatArray, BoolArray, Integers, int, int]


@compiled()
def _best(keys: FloatArray, number: int) -> Integers:
    """Return the places of the smallest keys in their order; of equal ones, the first."""
    best = nsmallest(number, [(key, place) for place, key in enumerate(keys)])
    return np.array([place for _, place in best])


@compiled()
def _cut(w: FloatArray, ranked: Integers, candidates: Integers, learners: Learners, i: int) -> bool:
    """Remove the weights of candidates that learner i may not keep; tell if its features changed.

    `ranked` are its best candidates in their order. The learners before it hold at most
    ``i * size`` columns, so ``(i + 1) * size`` of them are enough.
    """
    _, held, _, size, shared = learners
    kept, common, n = held[i], np.zeros(i, dtype=np.int64), 0
    before = kept[candidates]
    for j in candidates:
        kept[j] = False
    for j in ranked:
        inside = held[:i, j]
        if n < size and not (inside & (common >= shared)).any():
            n += 1
            common += inside
            kept[j] = w[:, j].any()
    for j in candidates:
        if not kept[j]:
            w[:, j] = 0.0
    return bool((kept[candidates] != before).any())


@compiled()
def _scores(weights: FloatArray, columns: Integers, values: FloatArray, scores: FloatArray) -> None:
    """Compute the product of a row and each vector of weights."""
    for c in range(len(weights)):
        scores[c] = 0.0
        for place, j in enumerate(columns):
            scores[c] += weights[c, j] * values[place]


@compiled()
def _is_wrong(scores: FloatArray, signs: FloatArray) -> bool:
    """Tell whether the class with the largest score is not that of the row."""
    if len(scores) > 1:
        return bool(signs[scores.argmax()] < 0)
    return bool((scores[0] > 0) != (signs[0] > 0))


@compiled()
def _joined(some: Integers, others: Integers) -> Integers:
    """Return the columns in any of two ascending lists, in ascending order."""
    joined = np.empty(len(some) + len(others), dtype=np.int64)
    a = b = n = 0
    while a < len(some) or b < len(others):
        if b == len(others) or (a < len(some) and some[a] <= others[b]):
            # A column in both comes once.
            b += b < len(others) and some[a] == others[b]
            joined[n] = some[a]
            a += 1
        else:
            joined[n] = others[b]
            b += 1
        n += 1
    return joined[:n]


@compiled(error_model="numpy")
def learn_ofs(
    rows: EntriesOfRows,
    signs: FloatArray,
    drawn: Integers,
    learners: Learners,
    n_columns: int,
    rule: tuple[float, float, float, float, float, float],
) -> int:
    """Let all learners learn rows by OFS, and return the number of changes of a vector.

    `drawn` has the columns that are seen of each row: if the first one is -1, those that a learner
    holds; all if it has no rows. `rule` has the largest margin of a change, the size of a step, the
    share of the weights that stays after a change and without one, the largest norm, and the share
    of rows for which columns are drawn.
    """
    starts, columns, values = rows
    weights, held, mistakes, size, _ = learners
    most, eta, stays, rests, radius, epsilon = rule
    n_sets, n_vectors, _ = weights.shape
    scores = np.empty(n_vectors)
    is_shown = np.zeros(n_columns, dtype=np.bool_)
    features = [np.flatnonzero(held[i]) for i in range(n_sets)]
    updates = 0
    for t in range(len(starts) - 1):
        changed = False
        row, x = columns[starts[t] : starts[t + 1]], values[starts[t] : starts[t + 1]]
        for i in range(n_sets):
            w, before = weights[i], features[i]
            seen, step = row, x
            if len(drawn):
                shown = before if drawn[t, 0] < 0 else drawn[t]
                is_shown[shown] = True
                seen, step = row[is_shown[row]], x[is_shown[row]]
                is_shown[shown] = False
            _scores(w, seen, step, scores)
            mistakes[i] += _is_wrong(scores, signs[t])
            if len(drawn):
                for place, j in enumerate(seen):
                    # Divided by the probability that the column is seen.
                    chance = drawn.shape[1] * epsilon / n_columns
                    step[place] /= chance + (1 - epsilon if held[i, j] else 0.0)
            candidates, hit = before, False
            for c in range(n_vectors):
                falls_short = signs[t, c] * scores[c] <= most
                for j in before:
                    w[c, j] *= stays if falls_short else rests
                if not falls_short:
                    continue
                if not hit:
                    candidates, hit = _joined(before, seen), True
                updates += 1
                for place, j in enumerate(seen):
                    w[c, j] += eta * signs[t, c] * step[place]
                square = (w[c][candidates] ** 2).sum()
                if square > radius**2:
                    for j in candidates:
                        w[c, j] *= radius / np.sqrt(square)
            if hit or changed:
                keys = -np.abs(w[:, candidates]).sum(axis=0)
                ranked = candidates[_best(keys, (i + 1) * size)]
                changed |= _cut(w, ranked, candidates, learners, i)
                features[i] = candidates[held[i][candidates]]
    return updates


# More arguments than usual: rows and the state of all learners are plain arrays.
@compiled(error_model="numpy")
def learn_sofs(
    rows: EntriesOfRows,
    signs: FloatArray,
    learners: Learners,
    variances: FloatArray,
    best: Integers,
    numbers: Integers,
    r: float,
) -> int:
    """Let all learners learn rows by SOFS, and return the number of changes of a vector.

    `best` has the ``(i + 1) * size`` columns of smallest variance of learner i, or as many as
    `numbers` says. So the work for a row is that of its entries.
    """
    starts, columns, values = rows
    weights, _, mistakes, size, _ = learners
    n_sets, n_vectors, _ = weights.shape
    scores = np.empty(n_vectors)
    updates = 0
    for t in range(len(starts) - 1):
        changed = False
        row, x = columns[starts[t] : starts[t + 1]], values[starts[t] : starts[t + 1]]
        for i in range(n_sets):
            w, sigma = weights[i], variances[i]
            candidates, hit = best[i, : numbers[i]], False
            _scores(w, row, x, scores)
            mistakes[i] += _is_wrong(scores, signs[t])
            for c in range(n_vectors):
                margin = signs[t, c] * scores[c]
                if margin >= 1:
                    continue
                if not hit:
                    candidates, hit = _joined(candidates, row), True
                updates += 1
                spread = 0.0
                for place, j in enumerate(row):
                    spread += sigma[c, j] * x[place] ** 2
                step = (1 - margin) / (spread + r) * signs[t, c]
                for place, j in enumerate(row):
                    w[c, j] += step * sigma[c, j] * x[place]
                    sigma[c, j] /= 1 + sigma[c, j] * x[place] ** 2 / r
            if hit or changed:
                places = _best(sigma[:, candidates].sum(axis=0), (i + 1) * size)
                numbers[i] = len(places)
                changed |= _cut(w, candidates[places], candidates, learners, i)
                copy_into(best[i], candidates[np.sort(places)])
    return updates
