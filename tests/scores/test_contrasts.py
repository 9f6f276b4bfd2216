"""Contrasts by hand: a table of 12 rows, of which all slices can be listed."""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from scipy.spatial.distance import jensenshannon

from altfs.errors import DataError
from altfs.scores import Part, ScoreKey
from altfs.scores._contrast import Contrasts, SliceSettings, without_each
from altfs.scores._draws import below, draw_subsets
from altfs.scores._slices import divergence, slice_rows
from altfs.scores.subset_contrasts import Subsets

N = 12
# Two columns of numbers, the first one with ties, and one of categories.
X = np.array(
    [
        [1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9],
        [7, 2, 9, 4, 12, 1, 3, 11, 5, 10, 6, 8],
        [0, 0, 4, 4, 0, 2, 2, 4, 4, 4, 0, 2],
    ],
    dtype=float,
).T
IS_CATEGORY = np.array([False, False, True])
CLASSES = np.array([0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1])
NUMBERS = np.array([5, 3, 8, 1, 9, 2, 7, 2, 6, 4, 0, 3], dtype=float)
SETTINGS = SliceSettings(2000, 0.5)


def part(target, X=X, seed=0):
    y, kind = (CLASSES, "binary") if target == "classes" else (NUMBERS, "regression")
    return Part(X, y, kind, seed, categorical=IS_CATEGORY)


def slices_of(column, is_category, width):
    """All slices in one column, each as often as it is drawn, and how many there are."""
    if is_category:
        slices = []
        for order in permutations(np.unique(column)):
            rows = set()
            for category in order:
                if len(rows) < width:
                    rows |= set(np.flatnonzero(column == category))
            slices.append(frozenset(map(int, rows)))
        return slices
    ordered = sorted(column)
    windows = [(ordered[a], ordered[a + width - 1]) for a in range(len(column) - width + 1)]
    return [frozenset(i for i in range(N) if low <= column[i] <= high) for low, high in windows]


def listed(chosen):
    """The slices of a set of columns with their probabilities."""
    width = max(int(0.5 ** (1 / len(chosen)) * N), 5)
    each = [slices_of(X[:, j], IS_CATEGORY[j], width) for j in chosen]
    counts = Counter(frozenset.intersection(*rows) for rows in product(*each))
    total = sum(counts.values())
    return {rows: count / total for rows, count in counts.items()}


def shares(values, categories):
    counts = np.array([np.count_nonzero(values == c) for c in categories])
    return (counts + 0.001) / (len(values) + 0.001 * len(categories))


def by_hand(column, rows, how, is_category, is_target):
    inside = column[sorted(rows)]
    if is_category:
        categories = np.unique(column)
        p, q = shares(inside, categories), shares(column, categories)
        if how.divergence == 2:
            return jensenshannon(p, q, base=2) ** 2
        if how.divergence == 1:
            p, q = q, p
        divergence = float((p * np.log(p / q)).sum())
        return divergence if is_target else 1 - np.exp(-divergence)
    distances = [abs((inside <= v).mean() - (column <= v).mean()) for v in column]
    scaled = (max(distances) - how.low) / (how.high - how.low)
    return min(1.0, max(0.0, scaled))


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("kind", ["slice", "all", "jensen_shannon"])
@pytest.mark.parametrize("chosen", [(0,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_contrasts_of_twelve_rows_agree_with_those_by_hand(target, chosen, kind):
    contrasts = Contrasts(part(target), SliceSettings(2000, 0.5, kind))
    how, expected = contrasts.slicing, listed(chosen)
    columns = [*X.T, CLASSES if target == "classes" else NUMBERS]
    nominal = [*IS_CATEGORY, target == "classes"]
    work = np.zeros(N, dtype=np.int32)
    for rows in expected:
        for j, column in enumerate(columns):
            if rows:
                array = np.array(sorted(rows), dtype=np.int32)
                value = divergence(j, array, contrasts.table, how, work)
                truth = by_hand(column, rows, how, nominal[j], j == 3)
                assert value == pytest.approx(truth, abs=1e-12)
                assert not work.any()
    # The slices that are drawn are those of the list, as often as they should be.
    state, taken = np.array([7], dtype=np.uint64), np.zeros((2, N), dtype=np.int32)
    perm, drawn = np.tile(np.arange(3, dtype=np.int32), (3, 1)), Counter()
    for _ in range(2000):
        width = how.widths[len(chosen)]
        size = slice_rows(np.array(chosen), state, contrasts.table, width, taken, perm)
        drawn[frozenset(map(int, taken[0, :size]))] += 1
    assert set(drawn) <= set(expected)
    for rows, probability in expected.items():
        spread = np.sqrt(2000 * probability * (1 - probability))
        assert abs(drawn[rows] - 2000 * probability) <= 5 * spread
    filled = {rows: p for rows, p in expected.items() if rows}
    values = [by_hand(columns[3], rows, how, nominal[3], True) for rows in filled]
    weights = np.array(list(filled.values())) / sum(filled.values())
    mean = float(weights @ values)
    spread = np.sqrt(weights @ (np.array(values) - mean) ** 2 / (2000 * sum(filled.values())))
    assert abs(contrasts.of_set(chosen) - mean) <= 5 * spread + 1e-12


def test_the_distances_that_become_0_and_1():
    how = Contrasts(part("numbers"), SETTINGS).slicing
    m = 6
    assert how.widths.tolist() == [12, 6, 8, 9]
    ranks = np.arange(N)

    def distance(rows):
        return max(abs((np.array(rows) <= v).mean() - (v + 1) / N) for v in ranks)

    windows = [distance(range(a, a + m)) for a in range(N - m + 1)]
    assert how.high == pytest.approx(np.mean(windows))
    drawn = [distance(rows) for rows in combinations(ranks, m)]
    assert abs(how.low - np.mean(drawn)) < 5 * np.std(drawn) / 10


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_no_value_changes_with_monotone_transformations_and_new_names(target):
    names = {0: 11.0, 2: -1.0, 4: 5.0}
    other = np.column_stack([np.exp(X[:, 0]), -(X[:, 1] ** 3), [names[v] for v in X[:, 2]]])
    for kind in ("subset_contrasts", "pair_contrasts"):
        first, second = (part(target, table).score(ScoreKey(kind)) for table in (X, other))
        assert np.array_equal(first, second, equal_nan=True)


@given(st.integers(1, 9), st.data())
@examples(100)
def test_subsets_are_drawn_without_repetition(n_total, data):
    most = data.draw(st.integers(1, n_total))
    least = data.draw(st.integers(1, most))
    numbers = np.arange(40)
    sets = draw_subsets(numbers, 3, n_total, least, most)
    for row in sets.tolist():
        features = [j for j in row if j >= 0]
        assert least <= len(features) <= most
        assert features == sorted(set(features))
        assert row[len(features) :] == [-1] * (most - len(features))
        assert max(features) < n_total
    # A subset depends on its number alone.
    assert draw_subsets(numbers[5:6], 3, n_total, least, most)[0].tolist() == sets[5].tolist()


def test_draws_are_uniform():
    sizes = (draw_subsets(np.arange(6000), 0, 5, 1, 3) >= 0).sum(axis=1)
    assert np.abs(np.bincount(sizes)[1:] - 2000).max() < 200
    pairs = Counter(map(tuple, draw_subsets(np.arange(6000), 0, 4, 2, 2).tolist()))
    assert len(pairs) == 6
    assert max(abs(count - 1000) for count in pairs.values()) < 150
    state = np.array([1], dtype=np.uint64)
    drawn = np.bincount([below(state, 7) for _ in range(7000)])
    assert len(drawn) == 7
    assert np.abs(drawn - 1000).max() < 150


def test_left_out_features_are_judged_on_the_rest():
    subsets, rows = Subsets(30, left_out=True, sizes=(1, 2)), part("classes")
    key = ScoreKey("subset_contrasts", subsets.text)
    values = subsets.by_subset(rows.score(key))
    sets = subsets.drawn(np.arange(30), 0, 3)
    assert set((sets >= 0).sum(axis=1)) == {2, 3}
    assert values.shape == (30, 6)
    assert (np.isnan(values.reshape(30, 3, 2)).all(axis=2) == (sets < 0)).all()
    assert without_each(sets)[0].tolist() == [
        [j for j in sets[0] if j >= 0 and j != out] + [-1] * (3 - (sets[0] >= 0).sum() + (out >= 0))
        for out in sets[0]
    ]
    # All that is recorded is a mean of divergences of the target, or of a scaled one.
    assert (values[~np.isnan(values)] >= 0).all()
    assert np.nanmax(values[:, 1::2]) <= 1


def test_a_feature_shares_all_with_a_copy_and_little_with_noise():
    rng = np.random.default_rng(0)
    a, category = rng.random(300), rng.integers(0, 4, 300)
    X = np.column_stack([a, np.exp(3 * a), rng.random(300), category, 7 - category])
    is_category = np.array([False, False, False, True, True])
    rows = Part(X, (a > 0.5).astype(int), "binary", 0, categorical=is_category)
    shared = rows.score(ScoreKey("pair_contrasts"))
    assert min(shared[0, 1], shared[1, 0]) > 0.8
    assert min(shared[3, 4], shared[4, 3]) > 0.6
    assert max(shared[0, 2], shared[2, 0], shared[3, 2]) < 0.3
    assert (np.diag(shared) == 0).all()


def test_too_few_rows_are_refused():
    small = Part(X[:9], CLASSES[:9], "binary", 0)
    with pytest.raises(DataError, match=r"^9 rows are too few for contrasts, 10 are needed\.$"):
        small.score(ScoreKey("subset_contrasts"))
