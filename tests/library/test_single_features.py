"""Features that alone tell something: rare in noise, and seldom missed."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, false_discovery_control, spearmanr

from altfs.library import single_features
from altfs.library.single_features import above_chance
from altfs.scores.base import Part

NOISE = {
    "numbers": lambda r: Part(r.normal(size=(100, 30)), r.integers(0, 2, 100), "binary", 0),
    "a rare class": lambda r: Part(
        r.normal(size=(200, 20)), (r.random(200) < 0.05).astype(int), "binary", 0
    ),
    "heavy tails": lambda r: Part(
        r.standard_cauchy((150, 20)), r.standard_cauchy(150), "regression", 0
    ),
    "categories": lambda r: Part(
        r.integers(0, 40, (150, 20)).astype(float), r.integers(0, 5, 150), "multiclass", 0,
        categorical=np.ones(20, dtype=bool),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", NOISE)
def test_they_are_rare_in_noise_however_many_columns_there_are(kind):
    tables = [NOISE[kind](np.random.default_rng(i)) for i in range(60)]
    # Of 60 tables, 3 have one in the mean, and 9 or more with a probability of .003.
    assert sum(above_chance(part).any() for part in tables) <= 8


@pytest.mark.parametrize("shape", ["line", "square", "category"])
def test_weak_ones_are_named(shape):
    named = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        X, categorical = random.normal(size=(500, 10)), np.zeros(10, dtype=bool)
        y = 0.3 * X[:, 3] + random.normal(size=500)
        if shape == "square":
            y = X[:, 3] ** 2 + random.normal(size=500)
        if shape == "category":
            X[:, 3] = random.permutation(5)[np.digitize(X[:, 3], [-1, 0, 1, 2])]
            categorical[3] = True
        named += above_chance(Part(X, y, "regression", 0, categorical=categorical))[3]
    assert named >= 9


def test_tests_of_single_columns_agree():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(400, 40)), random.normal(size=400)
    X[:, :12] += np.linspace(0.05, 0.6, 12) * y[:, None]
    p = np.array([spearmanr(x, y).pvalue for x in X.T])
    # Bonferroni's tests at a fifth of the level are stricter, those of false discoveries are not.
    named = above_chance(Part(X, y, "regression", 0))
    assert not (named < (p * len(p) < 0.01)).any()
    assert not (named > (false_discovery_control(p) < 0.2)).any()


def test_statistics_are_scipys():
    random = np.random.default_rng(1)
    x, y = random.integers(0, 4, 300), random.integers(0, 3, 300)
    chunk = x[:, None].astype(float), np.array([True])
    orders = [np.arange(300), random.permutation(300)]
    evidence = single_features._of_levels(chunk, y, orders)[0]
    tables = [np.histogram2d(x, y[order], (4, 3))[0] for order in orders]
    assert np.exp(-evidence) == pytest.approx([chi2_contingency(table)[1] for table in tables])


def test_rows_columns_and_codes_in_any_order():
    random = np.random.default_rng(2)
    X, y = random.normal(size=(200, 70)), random.integers(0, 2, 200)
    X[:, 66] += y
    rows, columns = random.permutation(200), random.permutation(70)
    named = above_chance(Part(X, y, "binary", 0))
    assert named[66]
    for other, target in ((X[rows], y[rows]), (np.exp(X), y), (X, 1 - y)):
        assert (above_chance(Part(other, target, "binary", 0)) == named).all()
    assert (above_chance(Part(X[:, columns], y, "binary", 0)) == named[columns]).all()


def test_constants_and_a_target_of_one_class_tell_nothing():
    X = np.column_stack([np.zeros(30), np.arange(30)])
    assert not above_chance(Part(X, np.zeros(30, dtype=int), "binary", 0)).any()
    assert not above_chance(Part(X[:, :1], np.arange(30.0), "regression", 0)).any()
