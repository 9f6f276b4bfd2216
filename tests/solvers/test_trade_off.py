"""The best families for every limit of a weight, judged by listing; 2 seconds of CPU."""

from itertools import combinations

import numpy as np
import pytest

from altfs.problem import Problem
from altfs.quality import Linear, Pairwise
from altfs.solvers import Limits
from altfs.solvers.trade_off import below, heaviest, trade_off


def unbeaten(problem, weights):
    """The value and the weight of every set that no other one reaches in both."""
    sets = combinations(range(problem.quality.n_total), problem.n_features)
    points = {(problem.quality.exact_values([s])[0], heaviest((s,), weights)) for s in sets}
    return {p for p in points if not any(q[0] >= p[0] and q[1] <= p[1] and q != p for q in points)}


@pytest.mark.parametrize("seed", range(12))
def test_it_is_every_set_that_no_other_one_beats(seed):
    rng = np.random.default_rng(seed)
    quality = Linear(rng.integers(0, 30, 12))
    if seed % 3 == 2:
        costs = rng.integers(0, 9, (8, 8))
        quality = Pairwise(rng.integers(0, 30, 8), costs + costs.T)
    problem = Problem(quality, 3, 3)
    # Equal weights in many sets, and in none.
    weights = (
        rng.integers(0, 5, quality.n_total) / 4
        if seed % 2
        else rng.random(quality.n_total).round(6)
    )
    found = trade_off(problem, weights.tolist(), Limits())
    expected = unbeaten(problem, weights.tolist())
    exact = problem.quality.exact_values
    points = {(exact(f)[0], heaviest(f, weights.tolist())) for f, _ in found.families}
    if found.proven:
        assert points == expected and len(points) == len(found.families)
    else:
        assert points <= expected


@pytest.mark.exhaustive
def test_very_many_are_spread_over_all_weights():
    rng = np.random.default_rng(1)
    values = rng.random(30)
    problem = Problem(Linear(values), 6, 6)
    found = trade_off(problem, (values + rng.normal(0, 0.1, 30)).clip(0).tolist(), Limits())
    assert not found.proven and len(found.families) > 60
    lightest = trade_off(Problem(Linear(-values), 6, 6), values.tolist(), Limits())
    assert lightest.proven and len(lightest.families) == 1


def test_a_lighter_family_is_below():
    problem, weights = Problem(Linear([3, 2, 1]), 1, 0), [0.3, 0.2, 0.1]
    for j in range(2):
        lighter = below(problem, weights, heaviest(((j,),), weights))
        assert [s for s in range(3) if lighter.violation(((s,),)) is None] == [*range(j + 1, 3)]


def test_nothing_weighs_anything_or_no_set_exists():
    free = trade_off(Problem(Linear([3, 2, 1]), 2, 0), [0.0, 0.0, 0.0], Limits())
    assert [family for family, _ in free.families] == [((0, 1),)] and free.proven
    none = trade_off(Problem(Linear([3, 2, 1]), 2, 0, 2), [1.0, 0.0, 0.0], Limits())
    assert none.families == () and none.proven
