"""The integers of exact solvers fit the features that a set can hold."""

from dataclasses import replace

import numpy as np
import pytest
from brute_force import assert_every_solver_finds, best_sets
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import SIGNED

from altfs import AlternativeFeatures, Constraints, search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Linear, Pairwise, Ratio

LEAK = [1e16, 1, 2, 3, 4, 5, 6]
WITHOUT = Constraints(exclude=(0,))


def test_an_excluded_feature_does_not_make_the_others_noise():
    asked = {"n_features": 2, "n_alternatives": 2, "tau": 1, "constraints": WITHOUT}
    found = search_sequentially(Linear(LEAK), **asked)
    assert found.sets == [(5, 6), (3, 4), (1, 2)]
    assert found.bound == [11, 7, 3]
    together = search_simultaneously(Linear(LEAK), aggregation="min", **asked)
    assert together.run_objective == 7


def test_a_leak_that_is_excluded_hides_nothing():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    X = rng.normal(size=(300, 12))
    X[:, 6:] += y[:, None] * np.linspace(0.2, 1.2, 6)
    X[:, 0] = y + 1e-7 * rng.normal(size=300)
    found = AlternativeFeatures(
        "f_statistic", n_features=3, n_alternatives=1, tau=1, constraints=WITHOUT
    ).fit(X, y)
    assert [s.indices for s in found.feature_sets_] == [(9, 10, 11), (2, 7, 8)]


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_neither_does_one_of_pairs(kind):
    rng = np.random.default_rng(0)
    values, costs = rng.random(8), rng.random((8, 8)) / 10
    costs[0] *= 1e5
    leaking = kind([1e16, *values[1:]], costs)
    asked = {"n_features": 3, "n_alternatives": 2, "tau": 0.5, "constraints": WITHOUT}
    for search, more in (
        (search_sequentially, {}),
        (search_simultaneously, {"aggregation": "sum"}),
    ):
        found = search(leaking, **asked, **more)
        alone = search(
            kind(values[1:], costs[1:, 1:]), **{**asked, "constraints": Constraints()}, **more
        )
        assert found.sets == [tuple(j + 1 for j in s) for s in alone.sets]
        assert set(found.status) == {Status.OPTIMAL}
    # What is excluded in one problem counts in the next.
    smaller = leaking.under(exclude=WITHOUT.exclude)
    assert smaller.under(exclude=WITHOUT.exclude) is smaller
    assert smaller.under().unit == leaking.unit
    assert smaller.evaluate((0, 1)) == leaking.evaluate((0, 1))


def test_a_feature_in_conflict_with_an_included_one_does_not_count():
    conflicts = np.zeros((7, 7), dtype=bool)
    conflicts[0, 1] = True
    found = search_sequentially(
        Linear(LEAK, conflicts), n_features=3, n_alternatives=0, tau=1,
        constraints=Constraints(include=(1,)),
    )  # fmt: skip
    assert found.sets == [(1, 5, 6)]


def test_several_sizes_are_compared_in_the_same_integers():
    X = np.random.default_rng(0).normal(size=(60, 7))
    found = AlternativeFeatures(
        lambda X, y: np.array(LEAK), n_features=(1, 3), n_alternatives=1, tau=1,
        constraints=WITHOUT,
    ).fit(X, X[:, 0])  # fmt: skip
    assert [s.indices for s in found.feature_sets_] == [(4, 5, 6), (1, 2, 3)]


def test_without_such_features_the_integers_stay_as_they_are():
    quality = Linear([0.3, 1.0, 0.1])
    assert quality.under() is quality
    assert quality.under(include=(1,), exclude=(0, 2)) is quality
    smaller = quality.under(exclude=(1,))
    assert smaller.scaled == [2**38, 2**38, round(0.1 / 0.3 * 2**38)]
    assert smaller.under().scaled == quality.scaled
    assert quality.under(exclude=(0, 1, 2)).scaled == [0, 0, 0]


@st.composite
def problems_with_a_leak(draw):
    """A problem with an excluded feature, and the same with a value of zero for it."""
    n_total = draw(st.integers(3, 7))
    k = draw(st.integers(1, n_total - 1))
    values = draw(st.lists(SIGNED, min_size=n_total, max_size=n_total))
    conflicts = np.zeros((n_total, n_total), dtype=bool)
    for a, b in draw(st.lists(st.tuples(*[st.integers(0, n_total - 1)] * 2), max_size=3)):
        conflicts[a, b] = True
    leak = draw(st.integers(0, n_total - 1))
    plain, leaking = list(values), list(values)
    plain[leak], leaking[leak] = (
        0.0,
        draw(st.sampled_from([-1, 1])) * 10.0 ** draw(st.integers(0, 300)),
    )
    problem = Problem(
        Linear(leaking, conflicts), k, draw(st.integers(0, k)), draw(st.integers(1, 3)),
        draw(st.sampled_from(["sum", "min"])), constraints=Constraints(exclude=(leak,)),
    )  # fmt: skip
    return problem, replace(problem, quality=Linear(plain, conflicts))


@examples(300, suppress_health_check=[HealthCheck.too_slow])
@given(problems_with_a_leak())
def test_no_solver_sees_what_is_excluded(problems):
    leaking, plain = problems
    expected = best_sets(plain)
    for solution in assert_every_solver_finds(leaking, expected):
        if expected is not None:
            assert solution.bound == pytest.approx(plain.objective(expected), rel=1e-9, abs=1e-9)
