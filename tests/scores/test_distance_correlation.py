"""Distance correlation, judged by its definition with all distances written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from altfs import AlternativeFeatures
from altfs.errors import DataError
from altfs.quality import Linear, Pairwise, Ratio
from altfs.scores.base import ScoreKey
from altfs.scores.dependences._distances import covariance
from altfs.selectors import Part

RNG = np.random.default_rng(4)
N = 60
X = RNG.normal(size=(N, 5)).round(1)
X[:, 1] = X[:, 0] ** 2 + RNG.normal(size=N) / 10
X[:, 3] = RNG.integers(0, 4, N)
X[:, 4] = 7.0
CATEGORICAL = np.array([False, False, False, True, False])
Y = np.where(X[:, 0] > 0.5, "a", np.where(X[:, 3] > 1, "b", "c"))


def distances(x, is_category):
    apart = np.abs(np.subtract.outer(x, x)) if not is_category else None
    return (x[:, None] != x).astype(float) if is_category else apart


def centred(d):
    n = len(d)
    sums = d.sum(axis=0)
    u = d - sums / (n - 2) - sums[:, None] / (n - 2) + d.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(u, 0)
    return u


def judged(x, y, x_category=False, y_category=False):
    a, b = centred(distances(x, x_category)), centred(distances(y, y_category))
    both, alone = (a * b).sum(), (a * a).sum() * (b * b).sum()
    return np.sqrt(max(0, both / np.sqrt(alone))) if alone > 1e-9 else 0.0


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=4, max_size=12),
)
def test_the_covariance_is_that_of_all_distances(rows):
    x, y = np.array(rows, dtype=float).T
    n = len(x)
    expected = (centred(distances(x, False)) * centred(distances(y, False))).sum() / (n * (n - 3))
    assert covariance(x, y) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("target_type", ["multiclass", "regression"])
def test_values_are_those_of_the_definition(target_type):
    is_class = target_type == "multiclass"
    y = Y if is_class else X[:, 1] + X[:, 3]
    part = Part(X, y, target_type, 0, categorical=CATEGORICAL)
    shared = part.score(ScoreKey("redundancy", "distance_correlation"))
    relevance = part.score(ScoreKey("relevance", "distance_correlation"))
    for i in range(5):
        expected = judged(X[:, i], y, CATEGORICAL[i], is_class)
        assert relevance[i] == pytest.approx(expected, abs=1e-7)
        for j in range(5):
            expected = judged(X[:, i], X[:, j], CATEGORICAL[i], CATEGORICAL[j])
            assert shared[i, j] == pytest.approx(expected, abs=1e-7)
    assert (shared == shared.T).all()
    assert shared[4].tolist() == [0] * 5


def test_it_sees_a_parabola_and_is_near_zero_for_independent_columns():
    part = Part(X, Y, "multiclass", 0, categorical=CATEGORICAL)
    shared = part.score(ScoreKey("redundancy", "distance_correlation"))
    assert shared[0, 1] > 0.4 > abs(np.corrcoef(X[:, 0], X[:, 1])[0, 1])
    rng = np.random.default_rng(0)
    squares = [judged(*rng.normal(size=(2, 30))) ** 2 for _ in range(200)]
    assert np.mean(squares) < 0.05


@pytest.mark.parametrize(("name", "kind"), [
    ("mutual_information", Linear), ("fcbf", Linear), ("mrmr", Pairwise), ("cfs", Ratio),
])  # fmt: skip
@pytest.mark.parametrize("measure", ["distance_correlation", "relief"])
def test_selectors_take_the_measure(name, kind, measure):
    selector = {"type": name, "options": {"measure": measure}}
    afs = AlternativeFeatures(selector, n_features=2, n_alternatives=1).fit(X, Y)
    assert isinstance(afs.quality_, kind)
    assert [s.status for s in afs.feature_sets_] == ["optimal", "optimal"]


def test_three_rows_are_refused():
    part = Part(X[:3], np.arange(3.0), "regression", 0)
    with pytest.raises(DataError, match="4"):
        part.score(ScoreKey("relevance", "distance_correlation"))


def test_reliefs_weight_is_that_of_its_definition():
    part = Part(X[:, 3:], Y, "multiclass", 0, categorical=np.array([True, False]))
    relevance = part.score(ScoreKey("relevance", "relief"))
    shares = np.array([[np.mean((X[:, 3] == x) & (c == Y)) for c in "abc"] for x in range(4)])

    def weight(joint):
        of_x, of_c = joint.sum(axis=1), joint.sum(axis=0)
        given_x = joint / of_x[:, None]
        after = (of_x**2 / (of_x**2).sum() * (given_x * (1 - given_x)).sum(axis=1)).sum()
        gini = (of_c * (1 - of_c)).sum() - after
        return gini * (of_x**2).sum() / ((1 - (of_c**2).sum()) * (of_c**2).sum())

    assert relevance[0] == pytest.approx((weight(shares) + weight(shares.T)) / 2)
    assert relevance[1] == 0
    copies = Part(X[:, [3, 3]], X[:, 3].astype(int), "multiclass", 0, categorical=np.ones(2, bool))
    assert copies.score(ScoreKey("redundancy", "relief")) == pytest.approx(np.ones((2, 2)))
