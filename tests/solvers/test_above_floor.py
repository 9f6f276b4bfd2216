"""Floors of qualities that are no sums of values, judged by all families written out."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures
from altfs.problem import Constraints, Problem
from altfs.problem.overlap import Overlap
from altfs.problem.results import Status
from altfs.quality import BlackBox, Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.named import named_solver


def families(problem):
    """Return all valid families with the objective of each."""
    n, k = problem.quality.n_total, problem.n_features
    single = replace(problem, n_sets=1)
    sets = [s for s in combinations(range(n), k) if single.violation((s,)) is None]
    valid = [
        family
        for family in combinations(sets, problem.n_sets)
        if all(len({*a} & {*b}) <= problem.max_overlap for a, b in combinations(family, 2))
    ]
    return {family: problem.objective(family) for family in valid}


@st.composite
def problems(draw, kinds=("pairs", "ratio", "box")):
    n, k = draw(st.integers(4, 6)), draw(st.integers(2, 3))
    whole = st.integers(-4, 8)
    relevance = np.array(draw(st.lists(whole, min_size=n, max_size=n)), dtype=float)
    costs = np.array(draw(st.lists(whole, min_size=n * n, max_size=n * n)), dtype=float)
    costs = costs.reshape(n, n) + costs.reshape(n, n).T
    kind = draw(st.sampled_from(kinds))
    if kind == "ratio":
        quality = Ratio(np.abs(relevance), np.abs(costs) / 30)
    else:
        quality = Pairwise(relevance, costs)
    chosen = draw(st.lists(st.integers(0, n - 1), min_size=k, max_size=k, unique=True))
    floor = quality.evaluate(sorted(chosen)) + draw(st.sampled_from([0.0, -0.25, 0.25]))
    n_sets = draw(st.integers(1, 2))
    if kind == "box":
        quality = BlackBox(quality.evaluate, n, 50.0)
    return Problem(
        quality, k, draw(st.integers(0, k - 1)), n_sets, draw(st.sampled_from(["sum", "min"])),
        constraints=Constraints(exclude=draw(st.sampled_from([(), (0,)])), quality_floor=floor),
    )  # fmt: skip


@examples(60)
@given(problems())
def test_answers_are_those_of_all_families(problem):
    solution, every = solve(problem, Limits()), families(problem)
    if solution.sets:
        assert problem.violation(solution.sets) is None
        assert tuple(sorted(solution.sets)) in every
        assert solution.bound >= max(every.values()) - 1e-9
    if solution.status is Status.OPTIMAL:
        assert problem.objective(solution.sets) == pytest.approx(max(every.values()))
    elif solution.status is Status.INFEASIBLE:
        assert not every
    exact = not isinstance(problem.quality, BlackBox)
    if exact and (problem.n_sets == 1 or problem.aggregation == "min"):
        assert solution.status is (Status.OPTIMAL if every else Status.INFEASIBLE)
    elif exact and every:
        # A sum that is not proven is answered by the family whose worst set is best.
        assert solution.sets


@examples(20)
@given(problems(("pairs",)), st.sampled_from(["forward", "backward", "evolution", "annealing"]))
def test_named_solvers_answer_with_sets_that_reach_it(problem, name):
    if name in ("forward", "backward"):
        problem = replace(problem, n_sets=1)
    every = families(problem)
    solution = solve(problem, Limits(0.05), named_solver(name))
    if solution.sets:
        assert tuple(sorted(solution.sets)) in every
    else:
        assert solution.status in (Status.UNKNOWN, Status.INFEASIBLE)
    assert every or not solution.sets


@pytest.mark.parametrize("aggregation", ["sum", "min"])
@pytest.mark.parametrize("seed", range(6))
def test_sets_of_several_sizes_reach_it(seed, aggregation):
    rng = np.random.default_rng(seed)
    costs = rng.integers(0, 4, size=(5, 5)) / 4
    quality = Pairwise(rng.integers(0, 9, 5), costs + costs.T)
    singles = [s for k in (1, 2) for s in combinations(range(5), k)]
    floor = sorted(map(quality.evaluate, singles))[-3 - seed]
    constraints = Constraints(quality_floor=floor)
    problem = Problem(quality, (1, 2), Overlap(tau=1), 2, aggregation, constraints=constraints)
    valid = [f for f in combinations(singles, 2) if problem.violation(f) is None]
    solution = solve(problem, Limits())
    if not valid:
        assert solution.status is Status.INFEASIBLE
    else:
        assert problem.violation(solution.sets) is None
        best = max(map(problem.objective, valid))
        assert solution.bound >= best - 1e-9
        if solution.status is Status.OPTIMAL:
            assert problem.objective(solution.sets) == pytest.approx(best)
        assert solution.status is Status.OPTIMAL or aggregation == "sum"


def test_backward_ends_below_the_floor():
    evaluated = []

    def worth(chosen):
        evaluated.append(chosen)
        return len(chosen) / 6

    def answer(**floor):
        evaluated.clear()
        problem = Problem(
            BlackBox(worth, 6, 1.0), (1, 2, 3, 4, 5, 6), 0, constraints=Constraints(**floor)
        )
        return solve(problem, Limits(), named_solver("backward"))

    free = answer()
    assert min(map(len, evaluated)) == 1
    above = answer(quality_floor=0.6)
    assert min(map(len, evaluated)) == 3
    assert above.sets == free.sets == ((0, 1, 2, 3, 4, 5),)


def test_the_library_has_wrappers_and_mrmr_above_a_floor():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 8))
    y = (X[:, 0] + X[:, 1] + rng.normal(size=120) > 0).astype(int)
    for selector, floor, status in (("mrmr", 0.1, "optimal"), ("greedy_wrapper", 0.1, "feasible")):
        afs = AlternativeFeatures(
            selector, n_features=3, tau=0.5, constraints={"quality_floor": floor}
        ).fit(X, y)
        assert [s.status for s in afs.feature_sets_] == [status] * 2
        assert min(s.train_objective for s in afs.feature_sets_) >= floor
