"""Absolute correlations as measures of dependence, judged by SciPy and by other selectors."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.quality import Linear, Pairwise, Ratio
from altfs.scores.base import ScoreKey
from altfs.selectors import Part, selectors

RNG = np.random.default_rng(0)
N = 80
X = RNG.normal(size=(N, 6)).round(1)
X[:, 1] = np.exp(X[:, 0]) + RNG.normal(size=N) / 4
X[:, 3] = RNG.integers(0, 4, N)
X[:, 4] = (X[:, 3] > 1) ^ (RNG.random(N) < 0.2)
X[:, 5] = 2.0
CATEGORICAL = np.array([False, False, False, True, True, False])
Y = (X[:, 0] + X[:, 3] > 1).astype(int)


def part(target_type="binary", categorical=CATEGORICAL):
    y = Y if target_type == "binary" else Y + X[:, 1]
    return Part(X, y, target_type, 0, categorical=categorical)


@pytest.mark.parametrize(("measure", "judge"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_numbers_have_the_correlation_of_scipy(measure, judge):
    shared = part().score(ScoreKey("redundancy", measure))
    for i in range(3):
        for j in range(3):
            expected = abs(judge(X[:, i], X[:, j]).statistic)
            assert shared[i, j] == pytest.approx(expected)
    numbers = part("regression")
    relevance = numbers.score(ScoreKey("relevance", measure))
    for j in range(3):
        assert relevance[j] == pytest.approx(abs(judge(X[:, j], numbers.y).statistic))
    assert shared[5, :5].tolist() == [0] * 5 and relevance[5] == 0
    assert (shared == shared.T).all()


@pytest.mark.parametrize("target_type", ["binary", "regression"])
def test_with_the_target_they_are_those_of_the_selector_correlation(target_type):
    of_target = part(target_type).score(ScoreKey("relevance", "pearson"))
    values = selectors.make("correlation").quality(part(target_type)).values
    assert of_target / of_target.sum() == pytest.approx(values)


def test_pairs_with_categories_are_those_of_a_category_as_target():
    shared = part().score(ScoreKey("redundancy", "pearson"))
    for j in (3, 4):
        as_target = Part(X, X[:, j].astype(int), "multiclass", 0, categorical=CATEGORICAL)
        expected = as_target.score(ScoreKey("relevance", "pearson"))
        assert shared[:, j] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("mutual_information", Linear), ("fcbf", Linear), ("mrmr", Pairwise), ("cfs", Ratio)],
)
@pytest.mark.parametrize("measure", ["pearson", "spearman"])
def test_selectors_take_them(name, kind, measure):
    selector = selectors.make(name, {"measure": measure})
    quality = selector.quality(part())
    assert type(quality) is kind and quality.measure is None
    text = {"type": name, "options": {"measure": measure}}
    afs = AlternativeFeatures(text, n_features=2, n_alternatives=1, tau=0.5, categorical=[3, 4])
    assert [one.status for one in afs.fit(X, Y).feature_sets_] == ["optimal"] * 2


def test_cfs_with_correlations_is_that_of_hall():
    shared = part().score(ScoreKey("redundancy", "pearson"))
    relevance = part().score(ScoreKey("relevance", "pearson"))
    quality = selectors.make("cfs", {"measure": "pearson"}).quality(part())
    merit = relevance[[0, 3]].sum() / np.sqrt(2 + 2 * shared[0, 3])
    assert quality.evaluate((0, 3)) == pytest.approx(merit)


def test_an_unknown_measure_is_refused():
    with pytest.raises(AltfsError, match="'pearsen' is not a measure, did you mean 'pearson'"):
        selectors.make("mrmr", {"measure": "pearsen"})
