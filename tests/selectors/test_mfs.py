"""MFS, judged by its definition state by state, for all sets of features."""

import pickle
from itertools import combinations
from math import exp, sqrt

import numpy as np
import pytest

from altfs import AlternativeFeatures, search_sequentially
from altfs.errors import DataError
from altfs.problem.results import Status
from altfs.selectors import Part, selectors


def quality_of(X, y, categorical, **options):
    kind = "binary" if len(np.unique(y)) == 2 else "multiclass"
    part = Part(X, y, kind, 0, categorical=np.asarray(categorical))
    return selectors.make("mfs", options).quality(part)


def by_definition(X, y, categorical, chosen):
    """The share of the bound that a set removes, one state and one pair of classes at a time."""
    names = [j for j in chosen if categorical[j]]
    numbers = [j for j in chosen if not categorical[j]]
    classes = sorted(set(y))
    share = {c: np.mean(y == c) for c in classes}
    keys = [tuple(row) for row in X[:, names]]
    states = {key: np.array([k == key for k in keys]) for key in set(keys)}
    chi_square = sum(
        (np.sum(y[rows] == c) - rows.sum() * share[c]) ** 2 / (rows.sum() * share[c])
        for rows in states.values()
        for c in classes
    )
    by_chance = (len(states) - 1) * (len(classes) - 1)
    told = max(0, 1 - by_chance / chi_square) if len(states) > 1 else 0
    left = 0
    for rows in states.values():
        A, b = X[rows][:, numbers], y[rows]
        p = {c: share[c] + sqrt(told) * (np.mean(b == c) - share[c]) for c in classes}
        for c, d in combinations(classes, 2):
            distance = unbiased_distance(A, b, c, d) if numbers else 0
            left += rows.mean() * sqrt(p[c] * p[d]) * exp(-distance / 8)
    return 1 - left / sum(sqrt(share[c] * share[d]) for c, d in combinations(classes, 2))


def unbiased_distance(A, b, c, d):
    k, free = A.shape[1], len(b) - len(set(b))
    if not {c, d} <= set(b) or free <= k + 1:
        return 0
    rest = np.vstack([A[b == e] - A[b == e].mean(axis=0) for e in set(b)])
    apart = A[b == c].mean(axis=0) - A[b == d].mean(axis=0)
    square = apart @ np.linalg.solve(rest.T @ rest / free, apart)
    return square * (free - k - 1) / free - k * (1 / np.sum(b == c) + 1 / np.sum(b == d))


def mixed_table(seed, n_rows=90, n_classes=2):
    """Return five numbers and three categories of which some tell the class, also together."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_rows)
    X = rng.normal(size=(n_rows, 8)) * 10.0 ** rng.integers(-3, 4, 8)
    X[:, 5:] = rng.integers(0, [2, 3, 6], (n_rows, 3))
    X[:, 0] *= 1 + y
    X[:, 1] += y * np.where(X[:, 5] == 1, 1, -1) * X[:, 1].std()
    X[:, 2] += y * X[:, 2].std()
    X[:, 6] = np.where(rng.random(n_rows) < 0.3, y, X[:, 6])
    return X, y, np.arange(8) > 4


@pytest.mark.parametrize(("seed", "n_rows", "n_classes"), [(0, 90, 2), (1, 90, 4), (2, 25, 3)])
def test_all_sets_have_the_value_of_the_definition_and_the_best_is_proven(seed, n_rows, n_classes):
    X, y, categorical = mixed_table(seed, n_rows, n_classes)
    quality = quality_of(X, y, categorical)
    for k in range(1, 9):
        values = {s: by_definition(X, y, categorical, s) for s in combinations(range(8), k)}
        found = dict(zip(values, quality.evaluate_many(list(values)), strict=True))
        assert found == pytest.approx(values, abs=1e-7)
        result = search_sequentially(quality, n_features=k, n_alternatives=0, tau=1)
        assert result.status == [Status.OPTIMAL]
        assert result.objectives[0] == pytest.approx(max(values.values()), abs=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_orders_and_codes_do_not_matter(n_classes):
    X, y, categorical = mixed_table(3, 120, n_classes)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(y)), rng.permutation(8)
    recoded = X.copy()
    recoded[:, 5:] = 7 - X[:, 5:] ** 2
    recoded[:, 7] = rng.permutation(6)[X[:, 7].astype(int)]
    recoded[:, :5] = 3 + 4 * X[:, :5]
    first = quality_of(X, y, categorical)
    names = rng.permutation(["a", "b", "c"])[y]
    second = quality_of(recoded[rows][:, columns], names[rows], categorical[columns])
    place = np.argsort(columns)
    for k in (1, 2, 3, 5):
        for chosen in combinations(range(8), k):
            assert first.evaluate(chosen) == second.evaluate(sorted(place[list(chosen)].tolist()))
    assert [first.place((j,)) for j in range(8)] == [second.place((place[j],)) for j in range(8)]


def test_a_number_that_tells_the_class_in_each_state_only_is_found_with_its_category():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 8))
    X[:, 3] = rng.integers(0, 3, 400)
    X[:, 6] = rng.integers(0, 4, 400)
    y = (X[:, 1] * np.array([1, -1, 1])[X[:, 3].astype(int)] > 0.4 * rng.normal(size=400)) * 1
    # What is left of the number alone is taken away.
    y = np.where((X[:, 3] == 2) & (rng.random(400) < 0.9), rng.integers(0, 2, 400), y)
    X[:, 0] += 0.6 * y
    X[:, 2] += 0.5 * y
    categorical = np.isin(np.arange(8), [3, 6])
    part = Part(X, y, "binary", 0, categorical=categorical)
    asked = {"n_features": 2, "n_alternatives": 0, "tau": 1}
    mfs, single = selectors.make("mfs"), selectors.make("mutual_information")
    assert search_sequentially(mfs.quality(part), **asked).sets == [(1, 3)]
    assert search_sequentially(single.quality(part), **asked).sets != [(1, 3)]
    both, parts = mfs.quality(part).evaluate((1, 3)), [(1,), (3,)]
    assert both > 0.25 > 0.05 > sum(mfs.quality(part).evaluate(s) for s in parts)


def test_features_without_use_have_no_value_on_average_whatever_their_states():
    values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=(60, 2)), rng.integers(0, [2, 8, 20], (60, 3))])
        quality = quality_of(X, rng.integers(0, 2, 60), np.arange(5) > 1)
        sets = [(0,), (2,), (3,), (4,), (0, 1), (0, 2), (0, 3), (2, 3), (2, 3, 4)]
        values.append(quality.evaluate_many(sets))
    means = np.mean(values, axis=0)
    assert (np.abs(means) < 0.03).all(), means


def test_states_of_one_row_tell_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([np.arange(80), rng.normal(size=80) + 2 * y, rng.integers(0, 2, 80)])
    quality = quality_of(X, y, [True, False, True])
    assert abs(quality.evaluate((0,))) < 0.01
    assert quality.evaluate((0, 1)) == quality.evaluate((0,))
    assert quality.evaluate((1, 2)) > 0.25


def test_constants_and_copies_add_nothing():
    X, y, categorical = mixed_table(4)
    X = np.column_stack([X, np.full(90, 0.1), np.zeros(90), -7 * X[:, 2], 9 - X[:, 6]])
    categorical = np.append(categorical, [False, True, False, True])
    quality = quality_of(X, y, categorical)
    assert quality.evaluate_many([(8,), (9,), (8, 9)]) == [0, 0, 0]
    for chosen in [(2,), (6,), (1, 2, 5, 6)]:
        value = quality.evaluate(chosen)
        assert value != 0
        for useless in (8, 9):
            assert quality.evaluate((*chosen, useless)) == value
    assert quality.evaluate((2, 10)) == quality.evaluate((2,)) == quality.evaluate((10,))
    assert quality.evaluate((6, 11)) == quality.evaluate((6,))


def test_classes_that_a_set_separates_are_told_apart():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1, 2], 40)
    X = np.column_stack([y, y == 1, y, y > 0, rng.integers(0, 2, 120)]).astype(float)
    X[:, 0] += 0.01 * rng.random(120)
    quality = quality_of(X, y, [False, True, True, False, True])
    assert quality.evaluate((0,)) == 1
    # A number without any variance within the classes leaves two classes as they are.
    assert quality.evaluate((3,)) == pytest.approx(2 / 3, abs=0.02)
    assert quality.evaluate((2,)) > 0.85
    assert quality.evaluate((1, 3)) > 0.85 > quality.evaluate((1,)) > 0.5 > quality.evaluate((4,))


@pytest.mark.parametrize("n_rows", [1, 2, 3, 5, 8])
def test_few_rows_have_values_and_one_class_tells_nothing(n_rows):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(n_rows, 2)), np.arange(n_rows) % 2])
    categorical = [False, False, True]
    sets = [s for k in (1, 2, 3) for s in combinations(range(3), k)]
    values = quality_of(X, np.arange(n_rows) % 3 > 1, categorical).evaluate_many(sets)
    assert np.isfinite(values).all() and max(values) <= 1
    assert quality_of(X, np.zeros(n_rows), categorical).evaluate_many(sets) == [0.0] * len(sets)


def test_huge_and_tiny_numbers_are_judged_as_others():
    X, y, categorical = mixed_table(6)
    value = quality_of(X, y, categorical).evaluate((0, 1, 2, 5))
    for factor in (1e-300, 1e300):
        scaled = X / np.abs(X).max(axis=0) * np.where(categorical, 1, factor)
        assert quality_of(scaled, y, categorical).evaluate((0, 1, 2, 5)) == pytest.approx(value)


def test_with_fewer_evaluations_nothing_is_proven_and_a_quality_can_be_pickled():
    X, y, categorical = mixed_table(0)
    quality = quality_of(X, y, categorical, max_iterations=10)
    result = search_sequentially(quality, n_features=3, n_alternatives=1, tau=0.5)
    assert result.status == [Status.FEASIBLE] * 2
    assert pickle.loads(pickle.dumps(quality)).evaluate((0, 5)) == quality.evaluate((0, 5))


def test_the_library_finds_alternatives_and_numbers_are_refused():
    X, y, _ = mixed_table(0)
    afs = AlternativeFeatures("mfs", n_features=2, n_alternatives=2, tau=1).fit(X, y)
    assert [s.status for s in afs.feature_sets_] == [Status.OPTIMAL] * 3
    with pytest.raises(DataError, match=r"'mfs' is for classes, the target has numbers"):
        AlternativeFeatures("mfs", n_features=2).fit(X[:, 1:], X[:, 0])
