"""All sets of the best value, judged by looking at every set there is."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from brute_force import valid_sets
from hypothesis import given
from hypothesis import strategies as st
from made_up import KINDS
from marks import examples

from altfs import AlternativeFeatures, Constraints, Group, quality
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.problem import Problem
from altfs.solvers.all_best import all_best

WANTED = [
    Constraints(),
    Constraints(include=(1,)),
    Constraints(exclude=(0, 2)),
    Constraints(groups=(Group((0, 1, 2), at_most=1),)),
]
LINEAR_ONLY = [
    Constraints(groups=(Group((3, 4, 5), at_least=2),)),
    Constraints(costs=(1.0, 2.0, 1.0, 1.0, 3.0, 1.0), budget=4.0),
    Constraints(quality_floor=3.0),
]


def every_best(problem):
    sets = valid_sets(problem)
    if not sets:
        return []
    best = max(problem.quality.exact_values([s])[0] for s in sets)
    return [s for s in sets if problem.quality.exact_values([s])[0] == best]


@given(
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
    st.integers(1, 3),
    st.sampled_from(list(KINDS)),
    st.data(),
)
@examples(60)
def test_all_best_sets_are_listed_in_canonical_order(values, k, kind, data):
    constraints = data.draw(
        st.sampled_from(WANTED + (LINEAR_ONLY if kind in ("linear", "conflicts") else []))
    )
    pairs = np.outer(values, values) % 3
    worth = KINDS[kind](values, pairs)
    earlier = data.draw(st.sampled_from([(), ((0, 1, 3)[:k],)]))
    overlap = data.draw(st.integers(0, k))
    problem = Problem(worth, k, overlap, given=earlier, constraints=constraints)
    expected = every_best(problem)
    afs = AlternativeFeatures(
        worth,
        n_features=k,
        max_overlap=overlap,
        n_alternatives=0,
        given=earlier,
        constraints=constraints,
    )
    if not expected:
        with pytest.raises(AltfsError):
            afs.fit(np.zeros((2, 6)))
        assert afs.all_optimal().feature_sets == [] and afs.all_optimal().exact
        return
    result = afs.fit(np.zeros((2, 6))).all_optimal()
    assert [s.indices for s in result] == expected
    assert (result.n_sets, result.exact, result.how) == (len(expected), True, "all")
    assert result[0].indices == afs.feature_sets_[0].indices
    assert list(result.to_frame()["selected"]) == [list(s) for s in expected]
    if len(expected) > 1:
        some = all_best(problem, expected[0], 1, 20.0)
        assert not some.complete and len(some.sets) == 1 and some.sets[0] in expected
        assert some.sets[0] == expected[0] or not some.first


def test_too_many_are_counted_and_drawn_uniformly():
    values = [5.0] + [1.0] * 20 + [0.0] * 3
    afs = AlternativeFeatures(values, n_features=4, n_alternatives=0).fit(np.zeros((2, 24)))
    result = afs.all_optimal(limit=50, random_state=3)
    assert (result.n_sets, result.exact, result.how) == (comb(20, 3), True, "uniform")
    assert len({s.indices for s in result}) == 50
    assert all(s.train_objective == 8.0 for s in result)
    assert [s.indices for s in result] == sorted(s.indices for s in result)
    assert [s.indices for s in afs.all_optimal(50, random_state=3)] == [s.indices for s in result]
    assert "1,140 sets are equally good; 50 of them were drawn uniformly" in str(result)
    small = AlternativeFeatures(np.ones(4), n_features=2, n_alternatives=0).fit(np.zeros((2, 4)))
    drawn = [small.all_optimal(1, random_state=seed)[0].indices for seed in range(600)]
    times = [drawn.count(s) for s in combinations(range(4), 2)]
    assert min(times) > 60 and max(times) < 140


def test_what_was_not_counted_is_a_lower_bound():
    constraints = Constraints(groups=(Group(tuple(range(12)), at_most=3),))
    afs = AlternativeFeatures(
        np.ones(12), n_features=3, n_alternatives=0, constraints=constraints
    ).fit(np.zeros((2, 12)))  # fmt: skip
    result = afs.all_optimal(limit=7)
    assert [s.indices for s in result] == list(combinations(range(12), 3))[:7]
    assert (result.n_sets, result.exact, result.how) == (7, False, "first")
    assert "At least 7 sets" in result.sentence


def test_what_cannot_be_known_is_refused():
    worth = quality.BlackBox(lambda s: 0.0, 4)
    afs = AlternativeFeatures(worth, n_features=2).fit(np.zeros((2, 4)))
    with pytest.raises(UnsupportedProblemError, match="known only by evaluating sets"):
        afs.all_optimal()
    afs = AlternativeFeatures(np.ones(4), n_features=2).fit(np.zeros((2, 4)))
    for arguments in ({"limit": 0}, {"limit": 1.5}, {"random_state": -1}):
        with pytest.raises(AltfsError, match="is not allowed, use a whole number from"):
            afs.all_optimal(**arguments)
