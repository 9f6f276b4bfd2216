"""Local search against brute force: always valid, often the best, never worse than its start."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from brute_force import valid_sets
from hypothesis import given
from hypothesis import strategies as st
from made_up import KINDS
from marks import examples

from altfs import AlternativeFeatures
from altfs.problem import NO_CONSTRAINTS, Constraints, Group, Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear
from altfs.searches.local_search import LocalSearch, _Climbing, _shuffled
from altfs.solvers import Limits, solve

WANTED = {
    "nothing": NO_CONSTRAINTS,
    "include": Constraints(include=(2,), exclude=(0,)),
    "at most": Constraints(groups=(Group((0, 1, 3), at_most=1),)),
    "at least": Constraints(groups=(Group((0, 1, 3), at_least=1),)),
    "all or none": Constraints(groups=(Group((4, 5), all_or_none=True),)),
    "budget": Constraints(costs=(1.0, 2.0, 1.0, 3.0, 1.0, 1.0), budget=3.0),
    "floor": Constraints(quality_floor=3.0),
}


def known(kind, seed, n=6):
    rng = np.random.default_rng(seed)
    values, pairs = rng.integers(0, 9, n).astype(float), rng.integers(0, 3, (n, n))
    if kind == "black box":
        # Nothing about one set says anything about another.
        table = rng.integers(0, 9, 1 << n)
        return BlackBox(lambda s: float(table[sum(1 << j for j in s)]), n, 9.0)
    return KINDS[kind](values, pairs)


def best_objective(problem):
    """Of all families; None if there is none."""
    families = combinations_with_replacement(valid_sets(problem), problem.n_sets)
    objectives = [problem.objective(f) for f in families if problem.violation(f) is None]
    return max(objectives, default=None)


def searched(problem, seed=0, work=20.0):
    return LocalSearch(seed).search(problem, Limits(work))


WITH_BLACK_BOX = [*KINDS, "black box"]


@given(
    st.integers(0, 10**6),
    st.sampled_from(WITH_BLACK_BOX),
    st.sampled_from(sorted(WANTED)),
    st.sampled_from(["sum", "min"]),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([(), ((0, 1, 4),)]),
    st.data(),
)
@examples(60)
def test_families_are_valid_and_no_better_than_the_best(
    seed, kind, wanted, how, k, n, before, data
):
    overlap = data.draw(st.integers(0, k))
    problem = Problem(known(kind, seed), k, overlap, n, how, before, WANTED[wanted])
    result, best = searched(problem, seed % 7), best_objective(problem)
    statuses = {Status.FEASIBLE}
    if best is None:
        # Floors of pair qualities and black boxes are not proven to be out of reach.
        statuses = {Status.INFEASIBLE, Status.UNKNOWN}
        if wanted != "floor":
            statuses = {Status.INFEASIBLE}
    elif wanted == "floor" and not isinstance(problem.quality, Linear):
        statuses = {Status.FEASIBLE, Status.UNKNOWN}
    assert set(result.status) <= statuses
    if any(result.sets):
        assert problem.violation(tuple(result.sets)) is None
        assert result.sets == sorted(result.sets)
        assert result.run_objective == problem.objective(tuple(result.sets))
        assert result.run_objective <= best + 1e-9
        assert result.run_bound >= best - 1e-9
    again = searched(problem, seed % 7)
    assert [(s, s.work) for s in again] == [(s, s.work) for s in result]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("kind", "least"), [(kind, 20) for kind in KINDS] + [("black box", 8)])
@pytest.mark.parametrize("how", ["sum", "min"])
def test_small_problems_are_often_solved(kind, least, how):
    solved = 0
    for seed in range(25):
        problem = Problem(known(kind, seed), 3, 1, 2, how)
        best = best_objective(problem)
        if best is None:
            assert searched(problem).status == [Status.INFEASIBLE] * 2
        solved += best is None or searched(problem).run_objective >= best - 1e-9
    assert solved >= least


@pytest.mark.exhaustive
def test_the_result_is_never_worse_than_the_first_family():
    for seed in range(10):
        for kind in WITH_BLACK_BOX:
            problem = Problem(known(kind, seed), 3, 2, 2)
            start = next(_Climbing(problem, seed, Limits())._starts())
            if start is not None:
                for work in (0.001, 0.01, 1):
                    found = searched(problem, seed, work)
                    assert found.run_objective >= problem.objective(start)


def test_repairs_leave_families_that_no_exchange_leaves():
    # Disjoint sets of all features: no feature can be exchanged for one outside.
    values = np.array([9.0, 8, 7, 1, 1, 1])
    problem = Problem(Linear(values), 2, 0, 3, "min")
    climbing = _Climbing(problem, 0, Limits())
    stuck = ((0, 1), (2, 3), (4, 5))
    assert climbing._climbed(stuck)[0][1] == 8.0 == best_objective(problem)
    assert climbing.repaired > 0
    without = _Climbing(problem, 0, Limits())
    without.most_repairs = 0
    assert without._climbed(stuck)[1] == stuck
    # A feature comes only with another one.
    together = Constraints(groups=(Group((0, 1), all_or_none=True),))
    problem = Problem(Linear(values), 2, 2, 1, constraints=together)
    assert searched(problem).sets == [(0, 1)]


def test_limits_are_counts():
    box = known("black box", 1, 10)
    box.max_iterations = 30
    problem = Problem(box, 3, 1, 3)
    assert len(box._values) == 0
    found = searched(problem)
    assert found.status == [Status.FEASIBLE] * 3
    # A family that is near to another one has new sets only where it differs.
    assert 0 < len(box._values) <= 3 * 30
    few = searched(Problem(Linear(np.arange(30.0)), 5, 2, 3), work=0.01)
    assert few[0].work == 5
    assert few.status == [Status.FEASIBLE] * 3
    enough = searched(Problem(Linear(np.arange(30.0)), 5, 2, 3), work=2)
    assert 5 < enough[0].work <= 2 * (500 + 25)
    assert enough.run_objective > few.run_objective


def test_seeds_change_the_path_and_nothing_else_does():
    problem = Problem(known("black box", 3, 12), 4, 1, 3)
    found = [searched(problem, seed).sets for seed in (0, 0, 1, 2, 3)]
    assert found[0] == found[1]
    assert len({tuple(sets) for sets in found}) > 1


@pytest.mark.parametrize("count", [0, 1, 2, 7, 50])
def test_every_number_comes_once(count):
    import random

    orders = {tuple(_shuffled(count, random.Random(seed))) for seed in range(5)}
    assert all(sorted(order) == list(range(count)) for order in orders)
    assert count < 3 or len(orders) > 1


@pytest.mark.exhaustive
def test_it_is_a_search_of_the_library():
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    asked = {"n_features": 3, "n_alternatives": 2, "tau": 0.6}
    for aggregation in ("sum", "min"):
        made = [
            AlternativeFeatures("mrmr", search, aggregation=aggregation, **asked).fit(X, y)
            for search in ("local_search", "simultaneous")
        ]
        runs = [one.search_result_ for one in made]
        assert runs[0].run_objective <= runs[1].run_objective + 1e-9
        assert runs[0].run_objective >= runs[1].run_objective * 0.9
        assert runs[0].run_bound >= runs[1].run_objective
    afs = AlternativeFeatures(
        "greedy_wrapper", "local_search", constraints=Constraints(include=(6,)), **asked
    ).fit(X, y)
    assert all(6 in found.indices for found in afs.feature_sets_)
    first = solve(
        Problem(Linear(np.zeros(13)), 3, 1, 3, constraints=Constraints(include=(6,))), Limits()
    ).sets
    assert sum(s.train_objective for s in afs.feature_sets_) >= sum(
        afs.quality_.evaluate(s) for s in first
    )
