"""JMI: pairs that tell together, maximised exactly."""

from itertools import combinations

import numpy as np
import pytest
from marks import exhaustive

from altfs import AlternativeFeatures
from altfs.datasets import make_dataset, sources
from altfs.scores.base import ScoreKey
from altfs.selectors import Part
from altfs.selectors.jmi import Jmi, JmiOptions

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 7))
Y = ((X[:, 1] * X[:, 4] > 0) ^ (RNG.random(400) < 0.1)).astype(int)
PART = Part(X, Y, "binary", 0)


@pytest.mark.parametrize("bins", [2, 5])
def test_a_set_has_half_the_mean_of_its_pairs_in_bits(bins):
    selector = Jmi(JmiOptions(bins=bins))
    quality = selector.quality(PART)
    joint = PART.score(ScoreKey("joint_relevance", "auto" if bins == 5 else str(bins)))
    for size in (1, 2, 3, 7):
        for chosen in combinations(range(7), size):
            pairs = [joint[i, j] for i, j in combinations(chosen, 2)] or [2 * joint[chosen * 2]]
            bits = np.mean(pairs) / 2 / np.log(2)
            assert quality.evaluate(chosen) * quality.measure.size == pytest.approx(bits)


@pytest.mark.parametrize("size", [2, *exhaustive(3, 4)])
def test_sets_are_proven_best(size):
    afs = AlternativeFeatures("jmi", n_features=size, n_alternatives=2, tau=0.5).fit(X, Y)
    assert [one.status for one in afs.feature_sets_] == ["optimal"] * 3
    quality, best = Jmi().quality(PART), afs.feature_sets_[0]
    assert {1, 4} <= set(best.indices)
    of_all = max(map(quality.evaluate, combinations(range(7), size)))
    assert quality.evaluate(best.indices) == pytest.approx(of_all)


def test_a_pair_of_genes_that_acts_together_is_the_best(pmlb_cache):
    source = sources.get("pmlb")
    options = source.Options(dataset="GAMETES_Epistasis_2_Way_20atts_0.1H_EDM_1_1")
    data = make_dataset("genes", source("genes", options, pmlb_cache).load())
    afs = AlternativeFeatures("jmi", n_features=2, n_alternatives=0).fit(data.X, data.y)
    names = [data.feature_names[j] for j in afs.feature_sets_[0].indices]
    assert names == ["P1", "P2"]


def test_useless_features_have_no_quality():
    rng = np.random.default_rng(1)
    quality = Jmi().quality(Part(rng.normal(size=(300, 4)), rng.integers(0, 2, 300), "binary", 0))
    assert quality.measure.size < 0.05
