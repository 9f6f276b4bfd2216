from itertools import pairwise

import numpy as np
import pytest
from brute_force import best_sets
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import SHARES

from altfs import quality, search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.overlap import attainable_taus
from altfs.problem.results import Status

VALUES = st.lists(SHARES, min_size=4, max_size=9)


@examples(60)
@given(VALUES, st.integers(1, 4), st.data())
def test_sequential_steps_are_optimal_and_never_better_than_before(values, k, data):
    tau = data.draw(st.sampled_from(list(attainable_taus(k))))
    q = quality.Linear(values)
    result = search_sequentially(q, n_features=k, n_alternatives=3, tau=tau)
    assert len(result.sets) == len(result.status) == len(result.bound) == 4
    overlap = attainable_taus(k)[tau]
    for i, found in enumerate(result.sets):
        before = tuple(s for s in result.sets[:i] if s)
        expected = best_sets(Problem(q, k, overlap, given=before))
        assert found == (expected[0] if expected else ())
    objectives = [o for o in result.objectives if not np.isnan(o)]
    assert all(b <= a + 1e-9 for a, b in pairwise(objectives))
    infeasible = [s is Status.INFEASIBLE for s in result.status]
    assert infeasible == sorted(infeasible)


@examples(60)
@given(VALUES, st.integers(1, 3), st.integers(0, 4))
def test_disjoint_sets_exist_as_long_as_features_last(values, k, a):
    q = quality.Linear(values)
    one_by_one = search_sequentially(q, n_features=k, n_alternatives=a, tau=1)
    for i, status in enumerate(one_by_one.status):
        assert (status is Status.OPTIMAL) == ((i + 1) * k <= len(values))
    if (a + 1) * k <= len(values):
        at_once = search_simultaneously(q, n_features=k, n_alternatives=a, tau=1)
        best = sum(sorted(values, reverse=True)[: (a + 1) * k])
        assert at_once.run_objective == pytest.approx(best)
        assert sum(one_by_one.objectives) == pytest.approx(best)


@examples(40)
@given(VALUES, st.integers(1, 3), st.integers(1, 3), st.data())
def test_together_is_never_worse_than_one_by_one(values, k, a, data):
    tau = data.draw(st.sampled_from(list(attainable_taus(k))))
    q = quality.Linear(values)
    one_by_one = search_sequentially(q, n_features=k, n_alternatives=a, tau=tau)
    at_once = search_simultaneously(q, n_features=k, n_alternatives=a, tau=tau)
    if Status.INFEASIBLE not in one_by_one.status:
        assert at_once.status[0] is Status.OPTIMAL
        assert at_once.run_objective >= sum(one_by_one.objectives) - 1e-9


def test_simultaneous_repeats_the_status_of_the_run():
    result = search_simultaneously(quality.Linear([1, 2, 3]), n_features=2, n_alternatives=1, tau=1)
    assert result.status == [Status.INFEASIBLE] * 2
    assert result.sets == [(), ()]
    assert np.isnan(result.run_objective)
    assert np.isnan(result.run_bound)


def test_numpy_integers_are_whole_numbers():
    arguments = {"n_features": np.int64(2), "n_alternatives": np.int32(1), "tau": np.float64(1)}
    for search in (search_sequentially, search_simultaneously):
        assert search(quality.Linear(range(4)), **arguments).sets != []
