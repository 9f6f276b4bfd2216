from dataclasses import replace
from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import rules_of

from altfs.problem import Constraints, Group, Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear
from altfs.solvers import Limits, solve, solvers_for
from altfs.solvers.black_box import hill_climbing
from altfs.solvers.black_box.hill_climbing import _ValidSets


def families(problem):
    n_total, k = problem.quality.n_total, problem.n_features

    def extend(chosen):
        if len(chosen) == problem.n_sets:
            yield chosen
            return
        for s in singles:
            if all(len(set(s) & set(o)) <= problem.max_overlap for o in chosen):
                yield from extend((*chosen, s))

    single = replace(problem, n_sets=1)
    every = combinations(range(n_total), k)
    singles = [s for s in every if single.violation((s,)) is None]
    return extend(())


@st.composite
def constraints_of(draw, n_total):
    """Every kind but a floor, none or all of them at once."""
    if draw(st.booleans()):
        return Constraints()
    order = draw(st.permutations(range(n_total)))
    groups, costs, budget = [], None, None
    if n_total >= 4 and draw(st.booleans()):
        most = draw(st.integers(0, 2))
        groups.append(Group(tuple(order[1:4]), draw(st.integers(0, most)), most))
    if n_total >= 3 and draw(st.booleans()):
        groups.append(Group(tuple(order[-2:]), all_or_none=True))
    if draw(st.booleans()):
        costs = tuple(draw(st.sampled_from([0.0, 0.1, 0.2, 0.7])) for _ in order)
        budget = draw(st.sampled_from([0.0, 0.3, 0.4, 1.0]))
    return Constraints(
        include=tuple(order[: draw(st.integers(0, 1))]),
        exclude=tuple(order[1 : 1 + draw(st.integers(0, 1))]),
        groups=tuple(groups),
        costs=costs,
        budget=budget,
        exclusive=((order[0], order[-1]),) if draw(st.booleans()) else (),
        **(draw(rules_of(n_total)) if draw(st.booleans()) else {}),
    )


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
        draw(constraints_of(n_total)),
    )


@pytest.mark.parametrize(("few", "many"), [(1_000_000, 0), (0, 1_000_000), (0, 0)])
@examples(150)
@given(problem=problems(), j=st.integers(0, 6))
def test_start_and_moves_are_canonical(few, many, problem, j):
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
    # The walk does all, ends what the exact solver begins, or does nothing.
    with mock.patch.multiple(hill_climbing, _FEW_NODES=few, _MANY_NODES=many):
        found = valid.nearest(first, j)
    if not flipped:
        assert found is None
        return

    def kept(family):
        return sum(len(set(s) & set(o)) for s, o in zip(family, first, strict=True))

    most = max(map(kept, flipped))
    assert tuple(found) == min(f for f in flipped if kept(f) == most)


@examples(150)
@given(problems())
def test_what_is_evaluated_satisfies_every_constraint_and_infeasible_is_true(problem):
    asked = []
    n_total = problem.quality.n_total
    quality = BlackBox(lambda s: asked.append(s) or float(sum(7 * j % 5 for j in s)), n_total, 99.0)
    problem = replace(problem, quality=quality)
    solution = solve(problem, Limits())
    single = replace(problem, n_sets=1)
    assert all(single.violation((s,)) is None for s in asked)
    exists = next(iter(families(problem)), None) is not None
    assert solution.status is (Status.FEASIBLE if exists else Status.INFEASIBLE)
    if exists:
        assert problem.violation(solution.sets) is None


def test_constraints_that_do_not_bind_change_nothing():
    """The same evaluations in the same order, whoever answers the questions."""
    rng = np.random.default_rng(3)
    table = rng.random(1 << 9)
    idle = Constraints(
        groups=(Group(tuple(range(9)), at_most=3), Group((0, 1, 2), 0, 3)),
        costs=(1.0,) * 9,
        budget=3.0,
    )
    asked = []
    for constraints in (Constraints(), idle):
        for n_sets in (1, 2):
            seen = []
            quality = BlackBox(
                lambda s, seen=seen: seen.append(s) or float(table[sum(1 << j for j in s)]), 9, 1.0
            )
            problem = Problem(quality, 3, 1, n_sets, given=((0, 1, 2),), constraints=constraints)
            asked.append((seen, solve(problem, Limits())))
    assert asked[:2] == asked[2:]
    assert len(asked[0][0]) > 5


def test_a_floor_is_asked_of_the_answer():
    floor = Constraints(include=(0,), quality_floor=0.5)
    none = Problem(BlackBox(lambda s: 0.0, 4, 1.0), 2, 1, constraints=floor)
    assert solve(none, Limits()).status is Status.UNKNOWN
    bounded = Problem(BlackBox(lambda s: 0.0, 4, 0.4), 2, 1, constraints=floor)
    assert solve(bounded, Limits()).status is Status.INFEASIBLE
    high = Problem(BlackBox(lambda s: 0.6, 4, 1.0), 2, 1, constraints=floor)
    solution = solve(high, Limits())
    assert (solution.status, solution.solver) == (Status.FEASIBLE, "hill_climbing")
    assert 0 in solution.sets[0]


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
