"""The floor: distributions of extremes, and shuffled targets."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import gumbel_r

from altfs.quality import Linear, Pairwise
from altfs.scores.base import Part, ScoreKey
from altfs.searches.chance import LEVEL, SMALLEST_P, Extremes, Shuffles, best_set
from altfs.searches.request import Request
from altfs.searches.sequential import Sequential


def part_of(n_rows, n_features=4, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n_rows)
    return Part(random.normal(size=(n_rows, n_features)), y, "multiclass", 0)


def test_rows_have_one_order_whatever_their_order_was():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 9, (40, 5)).astype(float), random.integers(0, 3, 40)
    mixed = random.permutation(40)
    parts = Part(X, y, "multiclass", 0), Part(X[mixed][:, ::-1], y[mixed], "multiclass", 0)
    first, second = (part.X[part.canonical_rows()] for part in parts)
    assert first.tolist() == second[:, ::-1].tolist()


def test_extremes_are_those_of_the_largest_of_many():
    values = gumbel_r.rvs(3, 0.5, size=4000, random_state=0)
    chance = Extremes.of(values)
    assert chance.floor == pytest.approx(gumbel_r.isf(LEVEL, 3, 0.5), abs=0.1)
    assert chance.p_value(4.5) == pytest.approx(gumbel_r.sf(4.5, 3, 0.5), abs=0.01)
    assert chance.p_value(chance.floor) == pytest.approx(LEVEL)
    assert chance.p_value(1e9) == SMALLEST_P
    assert chance.p_value(-1e9) == 1


@pytest.mark.parametrize(("n_rows", "used"), [(60, 60), (3000, 1000), (8000, 1600)])
def test_shuffles_keep_the_rows_and_the_counts_of_the_target(n_rows, used):
    part = part_of(n_rows)
    shuffles = Shuffles(part, 3)
    targets = [each.y for each in shuffles]
    assert len(targets) == 3
    assert len(shuffles.rows) == used
    assert np.array_equal(shuffles.sample.X, part.X[shuffles.rows])
    assert np.array_equal(shuffles.sample.y, part.y[shuffles.rows])
    for y in targets:
        assert not np.array_equal(y, shuffles.sample.y)
        assert np.array_equal(np.bincount(y), np.bincount(shuffles.sample.y))
    assert [each.y.tolist() for each in shuffles] == [y.tolist() for y in targets]


def test_shuffles_are_the_same_for_any_order_of_rows_and_share_scores_of_pairs():
    part, mixed = part_of(50, 12), np.random.default_rng(1).permutation(50)
    other = part.with_rows(mixed)
    for one, same in zip(Shuffles(part, 2), Shuffles(other, 2), strict=True):
        assert np.array_equal(one.y[mixed], same.y)
    shuffles, key = Shuffles(part, 2), ScoreKey("redundancy")
    matrix = shuffles.sample.score(key)
    assert all(each.scores[key] is matrix for each in shuffles)


@pytest.mark.parametrize("size", [1, 3, "2-3"])
def test_the_best_set_is_that_of_all_sets(size):
    random = np.random.default_rng(2)
    redundancy = random.random((7, 7))
    redundancy += redundancy.T
    request = Request(n_features=size, n_alternatives=4, tau=0.5, search=Sequential())
    for quality in (Linear(random.normal(size=7)), Pairwise(random.normal(size=7), redundancy)):
        every = [s for k in request.sizes for s in combinations(range(7), k)]
        assert best_set(request, quality).indices == max(every, key=quality.evaluate)
