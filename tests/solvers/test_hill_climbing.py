from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altfs.problem import Problem
from altfs.quality import BlackBox, Linear
from altfs.results import Status
from altfs.solvers import Limits, solve, solvers_for
from altfs.solvers.hill_climbing import _ValidSets


def families(problem):
    n_total, k = problem.quality.n_total, problem.n_features

    def extend(chosen):
        if len(chosen) == problem.n_sets:
            yield chosen
            return
        for s in combinations(range(n_total), k):
            fits = all(
                len(set(s) & set(o)) <= problem.max_overlap for o in (*chosen, *problem.given)
            )
            if fits:
                yield from extend((*chosen, s))

    return extend(())


@st.composite
def problems(draw):
    n_total = draw(st.integers(2, 7))
    k = draw(st.integers(1, min(3, n_total)))
    sets = st.lists(st.integers(0, n_total - 1), min_size=k, max_size=k, unique=True)
    given_sets = draw(st.lists(sets.map(sorted).map(tuple), max_size=3))
    quality = BlackBox(lambda s: float(sum((7 * j) % 5 for j in s)), n_total, 100.0)
    n_sets = draw(st.integers(1, 3))
    return Problem(
        quality,
        k,
        draw(st.integers(0, k)),
        n_sets,
        draw(st.sampled_from(["sum", "min"])),
        tuple(given_sets),
    )


@settings(max_examples=150, deadline=None)
@given(problems(), st.integers(0, 6))
def test_start_and_moves_are_canonical(problem, j):
    """The first sets are the smallest ones, a move goes to the nearest, ties as everywhere."""
    every = list(families(problem))
    valid = _ValidSets(problem, Limits())
    first, status = valid.first()
    if not every:
        assert first is None
        assert status is Status.INFEASIBLE
        return
    assert tuple(first) == min(every)
    j %= problem.quality.n_total
    flipped = [f for f in every if all((j in s) != (j in o) for s, o in zip(f, first, strict=True))]
    found = valid.nearest(first, j)
    if not flipped:
        assert found is None
        return

    def kept(family):
        return sum(len(set(s) & set(o)) for s, o in zip(family, first, strict=True))

    most = max(map(kept, flipped))
    assert tuple(found) == min(f for f in flipped if kept(f) == most)


def test_it_climbs_to_a_local_optimum_and_says_that_it_proves_nothing():
    values = np.array([0.1, 0.5, 0.2, 0.9, 0.4, 0.3])
    problem = Problem(BlackBox(lambda s: values[list(s)].sum(), 6, 3.0), 2, 2)
    solution = solve(problem, Limits())
    assert solution.status is Status.FEASIBLE
    assert solution.sets == ((1, 3),)
    assert solution.bound == 3.0


def test_iterations_are_limited_and_counted():
    quality = BlackBox(lambda s: float(sum(s)), 8, max_iterations=4)
    problem = Problem(quality, 3, 3)
    assert solve(problem, Limits()).work == 4
    one = BlackBox(lambda s: 0.0, 8, max_iterations=1)
    assert solve(Problem(one, 3, 3), Limits()).work == 1


def test_linear_problems_are_not_climbed():
    problem = Problem(Linear([1.0, 2.0]), 1, 0)
    assert solvers_for(problem)[0].proves


def test_minimum_is_what_is_climbed_for_min():
    values = np.array([5.0, 1.0, 4.0, 2.0, 3.0, 0.0])
    quality = BlackBox(lambda s: values[list(s)].sum(), 6, 9.0)
    problem = Problem(quality, 1, 0, 2, "min")
    solution = solve(problem, Limits())
    assert solution.bound == 9.0
    assert problem.objective(solution.sets) >= min(values[0], values[1])


@pytest.mark.parametrize("overlap", [0, 1])
def test_infeasible_is_proven(overlap):
    problem = Problem(BlackBox(lambda s: 0.0, 3, 1.0), 2, overlap, 4)
    solution = solve(problem, Limits())
    assert solution.status is Status.INFEASIBLE
