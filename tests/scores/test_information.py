"""Scores of features, some of which are categories, judged by scikit-learn's functions."""

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.metrics import mutual_info_score

from altfs.scores.base import Part, ScoreKey

RNG = np.random.default_rng(3)
N = 60
CLASSES = np.arange(N) % 3
X = np.column_stack(
    [
        RNG.random(N) + CLASSES,
        RNG.integers(0, 4, N),
        np.where(RNG.random(N) < 0.7, CLASSES, 7) / 2,
        RNG.random(N),
    ]
)
CATEGORICAL = np.array([False, True, True, False])


def part(y, target_type, columns=slice(None)):
    return Part(X[:, columns], y, target_type, 5, categorical=CATEGORICAL[columns])


@pytest.mark.parametrize("target_type", ["binary", "multiclass", "regression"])
def test_relevance_of_numbers_and_categories(target_type):
    y = {"binary": CLASSES > 0, "multiclass": CLASSES, "regression": X[:, 0] ** 2}[target_type]
    y = y.astype(float if target_type == "regression" else int)
    relevance = part(y, target_type).score(ScoreKey("relevance", "sklearn"))
    only_numbers = Part(X[:, ~CATEGORICAL], y, target_type, 5).score(
        ScoreKey("relevance", "sklearn")
    )
    assert relevance[~CATEGORICAL].tolist() == only_numbers.tolist()
    for j in (1, 2):
        codes = np.unique(X[:, j], return_inverse=True)[1]
        if target_type == "regression":
            options = {"discrete_features": True, "random_state": 5}
            expected = mutual_info_regression(X[:, [1, 2]] * 2, y, **options)[j - 1]
        else:
            expected = mutual_info_score(codes, y)
        assert relevance[j] == pytest.approx(expected, abs=1e-12)


def test_redundancy_of_numbers_and_categories():
    rows = part(CLASSES, "multiclass")
    redundancy = rows.score(ScoreKey("redundancy", "sklearn"))
    numbers = Part(X[:, ~CATEGORICAL], CLASSES, "multiclass", 5).score(
        ScoreKey("redundancy", "sklearn")
    )
    assert redundancy[np.ix_(~CATEGORICAL, ~CATEGORICAL)].tolist() == numbers.tolist()
    for j in (1, 2):
        target = np.unique(X[:, j], return_inverse=True)[1]
        expected = mutual_info_classif(X, target, discrete_features=CATEGORICAL, random_state=5)
        assert redundancy[~CATEGORICAL, j].tolist() == expected[~CATEGORICAL].tolist()
        assert redundancy[CATEGORICAL, j] == pytest.approx(expected[CATEGORICAL], abs=1e-12)
    # The other direction is the same information, estimated with other noise.
    assert redundancy == pytest.approx(redundancy.T, abs=1e-6)


@pytest.mark.parametrize("kind", ["redundancy", "conflicts"])
def test_scores_of_pairs_do_not_depend_on_how_they_are_divided(kind):
    rows, key = part(CLASSES, "multiclass"), ScoreKey(kind)
    rows.score(ScoreKey("relevance", "sklearn"))
    joined = np.column_stack([rows.compute(key, range(j, j + 1)) for j in range(4)])
    assert np.array_equal(key.score.whole(joined), part(CLASSES, "multiclass").score(key))


def test_other_codes_of_the_same_categories_change_nothing():
    y = CLASSES
    for kind in ("relevance", "redundancy", "conflicts"):
        recoded = X.copy()
        recoded[:, 1] = 10 - recoded[:, 1] ** 2
        other = Part(recoded, y, "multiclass", 5, categorical=CATEGORICAL)
        values = part(y, "multiclass").score(ScoreKey(kind))
        assert other.score(ScoreKey(kind)) == pytest.approx(values, abs=1e-12)
