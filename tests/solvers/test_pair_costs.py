"""Pairwise and ratio qualities, judged by brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from solvers.strategies import settings_of

from altfs.problem import Problem
from altfs.quality import Pairwise, Ratio
from altfs.results import Status
from altfs.solvers import Limits, _joint, solve
from altfs.solvers.ratio import exact_value


@st.composite
def problems(draw, kind):
    n_total = draw(st.integers(2, 6))
    k = draw(st.integers(1, min(n_total, 4)))
    numbers = draw(st.sampled_from([st.integers(0, 3).map(float), st.floats(0, 1)]))
    relevance = draw(arrays(np.float64, n_total, elements=numbers))
    redundancy = draw(arrays(np.float64, (n_total, n_total), elements=numbers))
    if kind is Pairwise:
        quality = Pairwise(relevance, redundancy, draw(st.booleans()))
    else:
        quality = Ratio(relevance, redundancy)
    rest = draw(settings_of(n_total, k, draw(st.booleans())))
    rest["constraints"] = type(rest["constraints"])(
        rest["constraints"].include, rest["constraints"].exclude
    )
    return Problem(quality, k, **rest)


def integer_value(problem, chosen):
    quality = problem.quality
    if isinstance(quality, Ratio):
        return exact_value(quality, chosen)
    gains, costs = quality.integers(problem.n_features)
    return int(gains[list(chosen)].sum()) - sum(int(costs[p]) for p in combinations(chosen, 2))


def best(problem):
    single = Problem(
        problem.quality, problem.n_features, problem.max_overlap, given=problem.given,
        constraints=problem.constraints,
    )  # fmt: skip
    every = combinations(range(problem.quality.n_total), problem.n_features)
    sets = [s for s in every if single.violation((s,)) is None]
    values = {s: integer_value(problem, s) for s in sets}
    found, top = None, None
    aggregate = min if problem.aggregation == "min" else sum

    def extend(start, chosen):
        nonlocal found, top
        if len(chosen) == problem.n_sets:
            value = aggregate(values[s] for s in chosen)
            if found is None or value > top:
                found, top = tuple(chosen), value
            return
        again = 0 if problem.max_overlap == problem.n_features else 1
        for i in range(start, len(sets)):
            if all(len(set(sets[i]) & set(s)) <= problem.max_overlap for s in chosen):
                extend(i + again, [*chosen, sets[i]])

    extend(0, [])
    return found


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_answer_is_the_canonical_optimum(kind, data):
    problem = data.draw(problems(kind))
    solution = solve(problem, Limits())
    expected = best(problem)
    if expected is None:
        assert solution.status is Status.INFEASIBLE
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.sets == expected


@pytest.mark.parametrize("aggregation", ["sum", "min"])
@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_lists_that_are_cut_leave_true_answers(kind, aggregation, monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(_joint, "_FEW_LISTED", 16)
    for n_sets, overlap in [(2, 0), (3, 1), (3, 2)]:
        quality = kind(rng.random(9), rng.random((9, 9)))
        problem = Problem(quality, 3, overlap, n_sets, aggregation)
        expected = problem.objective(best(problem))
        # So few sets can be listed that prices have to do the rest, or cannot.
        for most in (16, 40, 1000):
            monkeypatch.setattr(_joint, "MOST_LISTED", most)
            solution = solve(problem, Limits())
            assert problem.violation(solution.sets) is None
            assert solution.bound >= expected - 1e-9
            if solution.status is Status.OPTIMAL:
                assert problem.objective(solution.sets) == pytest.approx(expected, abs=1e-9)
        assert solution.status is Status.OPTIMAL


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_a_limit_gives_a_bound_and_the_same_answer_twice(kind):
    rng = np.random.default_rng(1)
    problem = Problem(kind(rng.random(30), rng.random((30, 30))), 8, 3, 3)
    first, second = (solve(problem, Limits(work=0.02)) for _ in range(2))
    assert first == second
    assert first.status in (Status.FEASIBLE, Status.UNKNOWN)
    if first.sets:
        assert first.bound >= problem.objective(first.sets)


def test_identical_columns_by_the_dozen():
    problem = Problem(Pairwise(np.zeros(30), np.zeros((30, 30))), 5, 2, 2)
    solution = solve(problem, Limits(work=1))
    assert problem.violation(solution.sets) is None
