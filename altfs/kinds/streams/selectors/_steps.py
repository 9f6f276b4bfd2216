"""Compiled steps of learners: they see a row, change their weights and keep the best features."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from altfs._compiled import compiled, copy_into
from altfs._numbers import BoolArray, FloatArray
from altfs.kinds.streams.online_selector import EntriesOfRows
from altfs.kinds.streams.selectors._heap import sift

Integers = npt.NDArray[Any]
# The weights of the learners, of shape (n_sets, n_vectors, room); which columns they hold; their
# mistakes; the largest number of features of each, and that of two of them.
Learners = tuple[FloatArray, BoolArray, Integers, int, int]


@compiled()
def _best(keys: FloatArray, number: int) -> Integers:
    """Return the places of the smallest keys in their order; of equal ones, the first."""
    size = len(keys)
    heap = np.arange(size)
    for start in range(size // 2 - 1, -1, -1):
        sift(heap, keys, start, size)
    best = np.empty(min(number, size), dtype=np.int64)
    for n in range(len(best)):
        best[n] = heap[0]
        size -= 1
        heap[0] = heap[size]
        sift(heap, keys, 0, size)
    return best


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
        if n == size:
            break
        fits = True
        for h in range(i):
            if held[h, j] and common[h] >= shared:
                fits = False
        if fits:
            n += 1
            for h in range(i):
                common[h] += held[h, j]
            for c in range(len(w)):
                kept[j] |= w[c, j] != 0.0
    changed = False
    for place, j in enumerate(candidates):
        changed |= kept[j] != before[place]
        if not kept[j]:
            for c in range(len(w)):
                w[c, j] = 0.0
    return changed


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
    best = 0
    for c in range(len(scores)):
        if scores[c] > scores[best]:
            best = c
    if len(scores) > 1:
        return bool(signs[best] < 0)
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


@compiled()
def _only(row: Integers, x: FloatArray, shown: Integers, is_shown: BoolArray) -> Any:
    """Return copies of those columns of a row that are shown, and of their values."""
    for j in shown:
        is_shown[j] = True
    seen, step, n = np.empty_like(row), np.empty_like(x), 0
    for place, j in enumerate(row):
        if is_shown[j]:
            seen[n], step[n] = j, x[place]
            n += 1
    for j in shown:
        is_shown[j] = False
    return seen[:n], step[:n]


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
    features, numbers = np.empty((n_sets, size), dtype=np.int64), np.zeros(n_sets, dtype=np.int64)
    for i in range(n_sets):
        for j in range(n_columns):
            if held[i, j]:
                features[i, numbers[i]] = j
                numbers[i] += 1
    updates = 0
    for t in range(len(starts) - 1):
        changed = False
        row, x = columns[starts[t] : starts[t + 1]], values[starts[t] : starts[t + 1]]
        for i in range(n_sets):
            w, before = weights[i], features[i, : numbers[i]].copy()
            seen, step = row, x
            if len(drawn):
                seen, step = _only(row, x, before if drawn[t, 0] < 0 else drawn[t], is_shown)
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
                square = 0.0
                for j in candidates:
                    square += w[c, j] ** 2
                if square > radius**2:
                    for j in candidates:
                        w[c, j] *= radius / np.sqrt(square)
            if hit or changed:
                keys = np.zeros(len(candidates))
                for place, j in enumerate(candidates):
                    for c in range(n_vectors):
                        keys[place] -= abs(w[c, j])
                ranked = candidates[_best(keys, (i + 1) * size)]
                changed |= _cut(w, ranked, candidates, learners, i)
                numbers[i] = 0
                for j in candidates:
                    if held[i, j]:
                        features[i, numbers[i]] = j
                        numbers[i] += 1
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
                keys = np.zeros(len(candidates))
                for place, j in enumerate(candidates):
                    for c in range(n_vectors):
                        keys[place] += sigma[c, j]
                places = _best(keys, (i + 1) * size)
                numbers[i] = len(places)
                changed |= _cut(w, candidates[places], candidates, learners, i)
                copy_into(best[i], candidates[np.sort(places)])
    return updates
