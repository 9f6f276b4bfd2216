"""Symmetric uncertainty and the cuts of Fayyad and Irani, by their definitions."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from scipy.sparse import csc_matrix

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, DataError
from altfs.quality import Linear, Pairwise, Ratio
from altfs.scores import ScoreKey
from altfs.scores.dependences._mdl_levels import mdl_levels
from altfs.selectors import Part, selectors
from altfs.selectors.mutual_information import MeasureOptions

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 150)
X = np.column_stack(
    [Y + RNG.normal(0, 0.3, 150), Y // 2 + RNG.normal(0, 0.4, 150), RNG.random(150), Y % 2 + 5.0]
)
PART = Part(X, Y, "multiclass", 0, categorical=np.array([False, False, False, True]))
MEASURE = {"measure": "symmetric_uncertainty"}


def entropy(*columns):
    counts = np.unique(np.column_stack(columns), axis=0, return_counts=True)[1]
    shares = counts / counts.sum()
    return -(shares * np.log2(shares)).sum()


def uncertainty(a, b):
    total = entropy(a) + entropy(b)
    return 2 * (total - entropy(a, b)) / total if total > 1e-12 else 0.0


def plain_levels(x, y):
    """The cuts by recursion, one candidate after the other."""
    values = np.unique(x)
    best, chosen = np.inf, None
    for low, high in pairwise(values):
        left = x <= low
        rest = (left.sum() * entropy(y[left]) + (~left).sum() * entropy(y[~left])) / len(x)
        if rest < best - 1e-12:
            best, chosen = rest, (low + high) / 2
    if chosen is None or len(np.unique(y)) < 2:
        return []
    left = x <= chosen
    k, k1, k2 = (len(np.unique(part)) for part in (y, y[left], y[~left]))
    delta = np.log2(3**k - 2) - (k * entropy(y) - k1 * entropy(y[left]) - k2 * entropy(y[~left]))
    if entropy(y) - best <= (np.log2(len(values) - 1) + delta) / len(x):
        return []
    return [*plain_levels(x[left], y[left]), chosen, *plain_levels(x[~left], y[~left])]


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 2)), min_size=2, max_size=60))
@examples(100)
def test_cuts_follow_their_definition(rows):
    x, y = np.array(rows).T
    expected = np.searchsorted(plain_levels(x, y), x)
    assert mdl_levels(x.astype(float), y).tolist() == expected.tolist()


def test_uncertainties_follow_their_definition():
    levels = [np.searchsorted(plain_levels(x, Y), x) for x in X[:, :3].T] + [X[:, 3]]
    assert len(np.unique(levels[0])) == 3
    assert len(np.unique(levels[2])) == 1
    relevance = PART.score(ScoreKey("relevance", "symmetric_uncertainty"))
    assert relevance == pytest.approx([uncertainty(column, Y) for column in levels])
    shared = PART.score(ScoreKey("redundancy", "symmetric_uncertainty"))
    for i in range(4):
        for j in range(4):
            assert shared[i, j] == pytest.approx(uncertainty(levels[i], levels[j]))
    conflicts = PART.score(ScoreKey("conflicts", "symmetric_uncertainty"))
    for i in range(4):
        for j in range(i):
            expected = shared[i, j] >= min(relevance[i], relevance[j])
            assert conflicts[i, j] == conflicts[j, i] == expected


KINDS = {"cfs": Ratio, "mrmr": Pairwise, "fcbf": Linear, "mutual_information": Linear}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_selectors_measure_by_symmetric_uncertainty(name, kind):
    component = selectors.get(name)
    selector = component(component.Options(**MEASURE))
    quality = selector.quality(PART)
    assert isinstance(quality, kind)
    # The quality is not in bits.
    assert quality.measure is None
    scale = quality.evaluate((0,)) / PART.score(ScoreKey("relevance", "symmetric_uncertainty"))[0]
    expected = scale * PART.score(ScoreKey("relevance", "symmetric_uncertainty"))[3]
    assert quality.evaluate((3,)) == pytest.approx(expected)
    assert np.isfinite(
        selector.test_quality(Part(X[::3], Y[::3], "multiclass", 0)).evaluate((0, 1))
    )
    # Without the option nothing changes.
    assert {str(key) for key in component().train_scores} & {
        str(k) for k in selector.train_scores
    } == set()


def test_sparse_categories_have_the_uncertainty_of_dense_ones():
    codes = (X > 0).astype(float)
    dense, sparse = (
        Part(table, Y, "multiclass", 0, categorical=np.ones(4, bool))
        for table in (codes, csc_matrix(codes))
    )
    key = ScoreKey("relevance", "symmetric_uncertainty")
    assert np.array_equal(sparse.score(key), dense.score(key))


@pytest.mark.parametrize("name", KINDS)
def test_numeric_targets_are_refused(name):
    component = selectors.get(name)
    selector = component(component.Options(**MEASURE))
    with pytest.raises(DataError, match="measure: symmetric_uncertainty is for classes"):
        selector.check_target(X[:, 0], "regression", 0)
    with pytest.raises(AltfsError, match="measure: symmetric_uncertainty is for classes"):
        AlternativeFeatures(selector, n_features=1, n_alternatives=0).fit(X[:, :3], X[:, 0])
    assert MeasureOptions(**MEASURE).variant == "symmetric_uncertainty"
