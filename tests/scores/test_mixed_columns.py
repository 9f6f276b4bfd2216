"""Information of mixed columns, judged by sums over all rows and by scikit-learn."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma
from scipy.stats import rankdata
from sklearn.metrics import mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from altfs.scores._levels import Levels
from altfs.scores.base import Part, ScoreKey
from altfs.scores.mixed._estimate import NEIGHBOURS, chance, information

RELEVANCE = ScoreKey("relevance")


def as_near(distance, in_both, last, needed):
    """Return the mean number of rows before the last neighbour if ties are broken at random."""
    tied = in_both == last
    here = (tied & (distance == last)).sum()
    others = (distance == last).sum() - here
    return (
        (distance < last).sum()
        + (needed - 1) * here / tied.sum()
        + others * needed / (tied.sum() + 1)
    )


def terms_of_numbers(x, y):
    for i in range(len(x)):
        dx, dy = abs(x - x[i]), abs(y - y[i])
        both = np.maximum(dx, dy)
        last = np.sort(both)[NEIGHBOURS]
        if last == 0:
            k, nx, ny = (both == 0).sum(), (dx == 0).sum(), (dy == 0).sum()
        else:
            k, needed = NEIGHBOURS, NEIGHBOURS + 1 - (both < last).sum()
            nx, ny = as_near(dx, both, last, needed), as_near(dy, both, last, needed)
        yield digamma(len(x)) + digamma(k) - digamma(nx) - digamma(ny)


def terms_with_classes(x, classes):
    for i in range(len(x)):
        same = classes == classes[i]
        k = min(NEIGHBOURS, same.sum() - 1)
        if k < 1:
            continue
        distance = abs(x - x[i])
        last = np.sort(distance[same])[k]
        if last == 0:
            k, m = (same & (distance == 0)).sum(), (distance == 0).sum()
        else:
            needed = k + 1 - (distance[same] < last).sum()
            in_both = np.where(same, distance, np.inf)
            m = as_near(distance, in_both, last, needed)
        yield digamma(len(x)) + digamma(k) - digamma(same.sum()) - digamma(m)


def columns(kind, random, n=120):
    mixture = np.where(random.random(n) < 0.6, 0, random.normal(size=n))
    return {"distinct": random.normal(size=n), "ties": random.integers(0, 30, n), "mix": mixture}[
        kind
    ]


@pytest.mark.parametrize("kind", ["distinct", "ties", "mix"])
@pytest.mark.parametrize("other", ["distinct", "ties", "mix"])
def test_information_of_numbers_is_the_sum_over_all_rows(kind, other):
    random = np.random.default_rng(7)
    x = columns(kind, random)
    y = columns(other, random) + (x if other != "mix" else 0)
    expected = sum(terms_of_numbers(2 * rankdata(x), 2 * rankdata(y))) / len(x)
    levels = [Levels(a.codes, a.counts, False) for a in (Levels.of(x, False), Levels.of(y, False))]
    assert information(*levels) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60)
@given(
    x=st.lists(st.integers(0, 12), min_size=6, max_size=40),
    seed=st.integers(0, 1000),
    n_classes=st.integers(1, 9),
)
def test_information_with_classes_is_the_sum_over_all_rows(x, seed, n_classes):
    numbers = np.array(x, dtype=float)
    classes = np.random.default_rng(seed).integers(0, n_classes, len(x))
    a, b = Levels.of(numbers, False), Levels.of(classes, True)
    if min(len(a.counts), len(b.counts)) < 2:
        assert information(a, b) == 0
        return
    expected = sum(terms_with_classes(2 * rankdata(numbers), classes)) / len(x)
    numbers_only = Levels(a.codes, a.counts, False)
    assert information(numbers_only, b) == pytest.approx(expected, abs=1e-12)
    assert information(b, numbers_only) == information(numbers_only, b)


def test_information_of_normal_numbers_is_near_the_truth():
    random = np.random.default_rng(0)
    x = random.normal(size=5000)
    y = x + random.normal(size=5000)
    for column in (x, np.round(x, 2), np.round(x * 30)):
        value = information(Levels.of(column, False), Levels.of(y, False))
        assert value == pytest.approx(math.log(2) / 2, abs=0.02)


@pytest.mark.exhaustive
def test_chance_of_frequencies_is_the_mean_over_all_permutations():
    x, y = np.array([0, 0, 1, 1, 1, 2]), np.array([0, 1, 0, 1, 1, 1])
    exact = np.mean([mutual_info_score(x, order) for order in permutations(y)])
    a, b = Levels.of(x, True), Levels.of(y, True)
    assert chance(a, b) == pytest.approx(exact, abs=1e-12)
    table = contingency_matrix(x, y, sparse=True)
    assert chance(a, b) == pytest.approx(expected_mutual_information(table, 6), abs=1e-12)


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_columns_that_know_nothing_have_about_0_whatever_their_number_of_values(target_type):
    random = np.random.default_rng(1)
    n = 400
    y = random.integers(0, 2, n) if target_type == "binary" else random.normal(size=n)
    few, many = random.integers(0, 3, n), random.integers(0, 150, n)
    X = np.column_stack([random.normal(size=n), few, many, np.arange(n), np.ones(n)]).astype(float)
    part = Part(X, y, target_type, 0, categorical=np.array([False, True, True, True, False]))
    assert np.abs(part.score(RELEVANCE)) == pytest.approx(0, abs=0.06)
    assert part.score(RELEVANCE)[4] == 0


@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("n", [150, 3000])
def test_relevance_is_the_same_in_any_order_and_coding(target_type, n):
    random = np.random.default_rng(2)
    X = np.column_stack(
        [random.normal(size=n), random.integers(0, 40, n), random.exponential(size=n)]
    )
    y = X[:, 0] + random.normal(size=n)
    y = {"binary": (y > 0).astype(int), "multiclass": np.digitize(y, [-1, 1]), "regression": y}[
        target_type
    ]
    expected = Part(X, y, target_type, 0).score(RELEVANCE)
    rows = random.permutation(n)
    other_y = y if target_type == "regression" else np.max(y) - y
    changed = np.column_stack([np.exp(X[:, 0]), -(X[:, 1] ** 3), X[:, 2] * 5])
    for other in (
        Part(X[rows], y[rows], target_type, 0),
        Part(X, other_y, target_type, 0),
        Part(X, y, target_type, 99),
        Part(changed, y, target_type, 0),
    ):
        assert other.score(RELEVANCE) == pytest.approx(expected, abs=1e-12)
    reverse = Part(X[:, ::-1], y, target_type, 0).score(RELEVANCE)
    assert reverse[::-1].tolist() == expected.tolist()


def test_redundancy_is_symmetric_and_needs_no_noise():
    random = np.random.default_rng(3)
    X = np.column_stack([random.normal(size=90), random.integers(0, 5, 90), random.normal(size=90)])
    X = np.column_stack([X, X[:, 0] * 2])
    y = random.integers(0, 2, 90)
    values = [Part(X, y, "binary", seed).score(ScoreKey("redundancy")) for seed in (0, 1)]
    assert values[0].tolist() == values[1].tolist() == values[0].T.tolist()
    assert values[0][0, 3] > 1 > values[0][0, 2]
