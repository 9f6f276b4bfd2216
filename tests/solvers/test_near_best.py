"""Nearly optimal sets, judged by evaluating every set."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb
from unittest import mock

import numpy as np
import pytest
from brute_force import valid_sets
from hypothesis import assume, given
from marks import examples
from scipy.stats import chisquare
from solvers.strategies import SHARES, linear_problems

from altfs.problem import Problem, Status
from altfs.quality import BatchedBox, BlackBox, Linear, Pairwise, Ratio
from altfs.solvers import Limits, near_best, solve
from altfs.solvers.near_best import Exchanges


def judged(problem, best, loss):
    least = problem.quality.exact_values([best])[0] - loss
    values = {s: problem.quality.exact_values([s])[0] for s in valid_sets(problem)}
    return [s for s, value in values.items() if value >= least]


@pytest.mark.exhaustive
@pytest.mark.parametrize("most_listed", [20_000, 0])
@examples(100)
@given(problem=linear_problems(), share=SHARES)
def test_sums_are_counted_and_listed(most_listed, problem, share):
    problem = replace(problem, n_sets=1, aggregation="sum", average=False)
    solved = solve(problem, Limits())
    assume(solved.status is Status.OPTIMAL)
    best = solved.sets[0]
    loss = Fraction(abs(problem.quality.exact_values([best])[0]) * Fraction(share))
    with mock.patch.object(near_best, "_MOST_LISTED", max(most_listed, 1)):
        near = near_best.near_best(problem, best, loss, 5.0, (1000, 0))
    expected = judged(problem, best, loss)
    assert near.at_least <= len(expected) <= near.at_most
    assert {*near.sets} <= {*expected}
    if near.how == "all":
        assert near.sets == expected
    if near.decided is not None:
        features = range(problem.quality.n_total)
        undecided = {j for j in features if 0 < sum(j in s for s in expected) < len(expected)}
        assert {*features} - near.decided == undecided
    if near.how == "uniform":
        # All sets are drawn sooner or later, as they are few.
        assert near.sets == expected


@pytest.mark.parametrize("kind", [Pairwise, Ratio, "box"])
def test_others_are_listed(kind):
    rng = np.random.default_rng(0)
    gains, costs = rng.random(9), rng.random((9, 9))
    if kind == "box":
        quality = BatchedBox(lambda sets: [float(gains[list(s)].sum()) ** 2 for s in sets], 9)
    else:
        quality = kind(gains, costs)
    problem = Problem(quality, 3, 3)
    best = solve(problem, Limits()).sets[0]
    value = quality.exact_values([best])[0]
    for share in (Fraction(0), Fraction(1, 10), Fraction(1, 2)):
        near = near_best.near_best(problem, best, abs(value) * share, 20.0, (1000, 0))
        assert near.how == "all"
        assert near.sets == judged(problem, best, abs(value) * share)


@pytest.mark.exhaustive
@pytest.mark.parametrize("overlap", [5, 2])
def test_the_sample_is_uniform(overlap):
    values = np.round(np.random.default_rng(1).random(12), 2)
    quality = Linear(values)
    best = tuple(sorted(np.argsort(-values, kind="stable")[:5].tolist()))
    given_sets = (best,) if overlap < 5 else ()
    problem = Problem(quality, 5, overlap, given=given_sets)
    loss = Fraction(quality.exact_values([best])[0]) / 2
    exchanges = Exchanges(problem, quality, best, int(loss))
    expected = judged(problem, best, loss)
    least, most = exchanges.count()
    assert least <= len(expected) <= most
    drawn = Counter(s for seed in range(3000) for s in exchanges.draw(1, seed))
    assert {*drawn} <= {*expected}
    assert chisquare([drawn[s] for s in expected]).pvalue > 1e-3


def test_numbers_beyond_any_list():
    # All values are multiples of one step, so the number is exact.
    quality = Linear(np.repeat([4.0, 3.0, 2.0, 1.0], 250))
    best = tuple(range(10))
    problem = Problem(quality, 10, 10)
    near = near_best.near_best(problem, best, Fraction(10 * quality.scaled[999]), 0.1, (20, 0))
    number = sum(
        comb(250, a) * comb(250, b) * comb(250, c) * comb(250, 10 - a - b - c)
        for a in range(11)
        for b in range(11 - a)
        for c in range(11 - a - b)
        if b + 2 * c + 3 * (10 - a - b - c) <= 10
    )
    assert near.at_least == near.at_most == number > 10**21
    assert len(near.sets) == 20


@pytest.mark.exhaustive
def test_any_values_lie_between_bounds_that_are_near():
    rng = np.random.default_rng(3)
    quality = Linear(rng.random(60))
    best = solve(Problem(quality, 4, 4), Limits()).sets[0]
    loss = Fraction(quality.exact_values([best])[0]) / 3
    exchanges = Exchanges(Problem(quality, 4, 4), quality, best, int(loss))
    least, most = exchanges.count()
    values = quality.weights
    limit = int(values[list(best)].sum()) - loss
    number = sum(int(values[list(s)].sum()) >= limit for s in combinations(range(60), 4))
    assert least <= number <= most <= least * 1.001


def test_the_best_of_a_black_box_is_that_of_all_sets():
    # A climber from (0, 1) finds no better neighbour.
    box = BlackBox(lambda s: {(0, 1): 1.0, (2, 3): 2.0}.get(s, 0.0), 4)
    margin = near_best.margin_of(Problem(box, 2, overlap=2), Limits(), 0.5)
    assert margin == ((2, 3), 2.0, 1.0, Fraction(1))
