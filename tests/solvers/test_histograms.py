from itertools import product
from math import comb

import numpy as np
import pytest

from altfs import search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.solvers import Limits, solvers
from altfs.solvers.best_sum._histogram_table import exists, frontier, frontier_size


@pytest.mark.parametrize(("n_sets", "k"), [(2, 3), (3, 4), (4, 3)])
def test_the_frontier_is_complete(n_sets, k):
    for overlap in range(k):
        every = {
            y
            for y in product(range(n_sets * k + 1), repeat=n_sets)
            if sum(y) == n_sets * k
            and list(y) == sorted(y, reverse=True)
            and sum(m * v for m, v in enumerate(y)) == comb(n_sets, 2) * overlap
        }
        table = frontier(n_sets, k, overlap)
        assert {tuple(row) for row in table.tolist()} == every
        assert len(table) == frontier_size(n_sets, k, overlap)


def test_a_histogram_exists_with_a_family_to_show():
    answer, member = exists((9, 5, 1), 5, 3)
    assert answer
    assert member.sum(axis=1).tolist() == [5, 5, 5]
    counts = np.sort(member.sum(axis=0))[::-1]
    assert [(counts >= m).sum() for m in (1, 2, 3)] == [9, 5, 1]
    overlaps = member.astype(int) @ member.T.astype(int)
    assert max(overlaps[i, h] for i in range(3) for h in range(i)) <= 3
    # Three sets of two from three features need an overlap of one.
    assert exists((3, 3, 0), 2, 1)[0] is True
    assert exists((3, 3, 0), 2, 0)[0] is False


@pytest.mark.parametrize("n", [1_000, 100_000])
@pytest.mark.parametrize("ties", [False, True])
def test_only_the_best_features_matter(n, ties):
    values = np.random.default_rng(0).random(n)
    if ties:
        values = np.floor(values * 50)
    top = np.sort(values)[::-1]
    result = search_simultaneously(Linear(values), n_features=10, n_alternatives=5, tau=1)
    assert set(result.status) == {Status.OPTIMAL}
    assert result.run_objective == pytest.approx(top[:60].sum())
    step = search_sequentially(Linear(values), n_features=10, n_alternatives=5, tau=1)
    assert sum(step.objectives) == pytest.approx(top[:60].sum())
    wide = search_simultaneously(Linear(values), n_features=10, n_alternatives=5, max_overlap=4)
    assert sum(wide.objectives) >= sum(result.objectives)


def test_eight_sets_are_proven_best():
    quality = Linear(np.random.default_rng(1).random(80))
    problem = Problem(quality, 5, 2, 8)
    solution = solvers.get("histograms")().solve(problem, Limits())
    assert solution.status is Status.OPTIMAL
    assert problem.violation(solution.sets) is None


def test_the_number_of_features_that_is_needed():
    # Any two of the four sets of three of four features share two.
    for n_sets, status in [(4, Status.OPTIMAL), (5, Status.INFEASIBLE)]:
        problem = Problem(Linear(np.arange(1.0, 5)), 3, 2, n_sets)
        assert solvers.get("histograms")().solve(problem, Limits()).status is status
    apart = Problem(Linear(np.ones(4)), 3, 1, 2)
    assert solvers.get("histograms")().solve(apart, Limits()).status is Status.INFEASIBLE
