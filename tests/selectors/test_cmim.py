"""CMIM, judged by its published loop on the same information."""

import pickle

import numpy as np
import pytest

from altfs import AlternativeFeatures, search_sequentially
from altfs.scores.base import ScoreKey
from altfs.selectors import Part, selectors


def published(alone, given, k):
    """Return the first k features of the source's loop: the largest least information."""
    chosen, least = [], alone.copy()
    for _ in range(k):
        j = max((j for j in range(len(alone)) if j not in chosen), key=lambda j: (least[j], -j))
        chosen.append(j)
        least = np.minimum(least, given[:, j])
    return chosen


def part(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, size=(200, 9)).astype(float)
    X[:, 4] = rng.normal(size=200)
    X[:, 8] = X[:, 0]
    y = (X[:, 0] + (X[:, 1] == X[:, 2]) + (X[:, 4] > 0) + rng.integers(0, 2, 200) > 2).astype(int)
    return Part(X, y, "binary", 0)


@pytest.mark.parametrize("seed", range(4))
def test_forward_selection_is_the_published_loop(seed):
    table = part(seed)
    joint = table.score(ScoreKey("joint_relevance"))
    alone = np.diagonal(joint)
    quality = selectors.make("cmim").quality(table)
    for k in (1, 2, 4, 6):
        result = search_sequentially(
            quality, n_features=k, n_alternatives=0, tau=1, solver="forward"
        )
        assert result.sets == [tuple(sorted(published(alone, joint - alone, k)))]


def test_copies_and_features_that_tell_only_together_add_nothing():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, size=(2000, 4)).astype(float)
    X[:, 3] = X[:, 2]
    y = ((X[:, 0] != X[:, 1]) ^ (rng.random(2000) < 0.02)) * 1 + 2 * X[:, 2].astype(int)
    quality = selectors.make("cmim").quality(Part(X, y, "multiclass", 0))
    assert quality.evaluate((2, 3)) == pytest.approx(quality.evaluate((2,)), abs=0.01)
    assert quality.evaluate((0, 1)) == pytest.approx(0, abs=0.01)
    assert quality.evaluate((2,)) > 0.8
    assert quality.evaluate((0, 1, 2)) <= quality.bound(3)
    assert pickle.loads(pickle.dumps(quality)).evaluate((0, 2)) == quality.evaluate((0, 2))


def test_the_library_finds_alternatives_and_proves_them_by_enumeration():
    table = part(0)
    afs = AlternativeFeatures("cmim", n_features=3, n_alternatives=2, tau=1).fit(table.X, table.y)
    assert [s.status for s in afs.feature_sets_] == ["feasible"] * 3
    best = AlternativeFeatures("cmim", n_features=3, n_alternatives=0, search="enumeration").fit(
        table.X, table.y
    )
    assert best.feature_sets_[0].status == "optimal"
    assert best.feature_sets_[0].train_objective >= afs.feature_sets_[0].train_objective - 1e-12
