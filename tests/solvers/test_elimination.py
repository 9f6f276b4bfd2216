"""FCBF's own elimination, judged by its published steps, beside the proven optimum."""

import numpy as np
import pytest

from altfs import AlternativeFeatures, search_sequentially
from altfs.errors import UnsupportedProblemError
from altfs.problem import Constraints
from altfs.quality import Linear
from altfs.scores.base import ScoreKey
from altfs.selectors import Part, selectors


def published(relevance, shared):
    """Return the features that the published program keeps, in its order.

    Each feature of the list, from the most relevant on, removes all later ones that tell more
    about it than about the target.
    """
    listed = [j for j in np.argsort(-relevance, kind="stable") if relevance[j] > 0]
    at = 0
    while at < len(listed):
        p = listed[at]
        later = [q for q in listed[at + 1 :] if shared[p, q] < relevance[q]]
        listed[at + 1 :] = later
        at += 1
    return [int(j) for j in listed]


@pytest.mark.parametrize("seed", range(5))
def test_its_set_is_the_beginning_of_the_published_list(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 150)
    X = y[:, None] * (rng.random(8) + 0.5) * 2 + rng.normal(size=(150, 8))
    X[:, 4:] = X[:, :4] + rng.normal(size=(150, 4)) / 2
    part = Part(X, y, "binary", 0)
    variant = "symmetric_uncertainty"
    relevance = part.score(ScoreKey("relevance", variant))
    expected = published(relevance, part.score(ScoreKey("redundancy", variant)))
    assert 1 <= len(expected) < 8
    quality = selectors.make("fcbf", {"measure": variant}).quality(part)
    for k in range(1, len(expected) + 1):
        result = search_sequentially(
            quality, n_features=k, n_alternatives=0, tau=1, solver="elimination"
        )
        assert result.sets == [tuple(sorted(expected[:k]))]
        assert result.status == ["feasible"]
    more = search_sequentially(
        quality, n_features=len(expected) + 1, n_alternatives=0, tau=1, solver="elimination"
    )
    assert more.sets == [()]


def test_constraints_find_and_prove_what_elimination_misses():
    # The best feature conflicts with all others, which are better together.
    conflicts = np.zeros((4, 4), dtype=bool)
    conflicts[0, 1:] = True
    quality = Linear([4, 3, 3, 2], conflicts)
    search = {"n_features": 2, "n_alternatives": 1, "max_overlap": 1}
    assert search_sequentially(quality, solver="elimination", **search).status == [
        "unknown",
        "unknown",
    ]
    proven = search_sequentially(quality, **search)
    assert proven.sets == [(1, 2), (1, 3)]
    excluded = search_sequentially(
        quality, solver="elimination", constraints=Constraints(exclude=[0]), **search
    )
    assert excluded.sets == [(1, 2), (1, 3)]


def test_features_that_tell_nothing_and_other_problems_are_refused():
    nothing = search_sequentially(
        Linear([1, 0, -1]), n_features=2, n_alternatives=0, tau=1, solver="elimination"
    )
    assert nothing.status == ["unknown"]
    with pytest.raises(UnsupportedProblemError, match="include"):
        search_sequentially(
            Linear([1, 2, 3]), n_features=1, n_alternatives=0, tau=1, solver="elimination",
            constraints=Constraints(include=[0]),
        )  # fmt: skip
    X = np.random.default_rng(0).normal(size=(60, 4))
    afs = AlternativeFeatures("fcbf", n_features=1, solver="elimination", n_alternatives=1, tau=1)
    afs.fit(X, X[:, 0] > 0)
    first = afs.feature_sets_[0]
    assert (first.solver, first.status) == ("elimination", "feasible")
