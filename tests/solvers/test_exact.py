"""Every exact solver of linear qualities, judged by brute force."""

from collections import Counter

import numpy as np
import pytest
from brute_force import best_sets, scaled_objective
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import linear_problems

from altfs.problem import Problem
from altfs.problem.constraints import Constraints
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.solvers import Limits, solvers, solvers_for
from altfs.solvers.best_minimum import _tree
from altfs.solvers.pair_costs import _joint

EXACT = ["histograms", "branch_and_bound", "pattern_tree", "cliques"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EXACT)
@examples(
    400,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_solver_finds_the_canonical_optimum(name, data):
    solver = solvers.get(name)()
    problem = data.draw(linear_problems().filter(solver.supports))
    solution = solver.solve(problem, Limits())
    expected = best_sets(problem)
    if expected is None:
        assert solution.status is Status.INFEASIBLE
        assert solution.sets == ()
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.sets == expected
        assert solution.bound == problem.objective(expected)


@examples(300)
@given(
    st.lists(st.integers(-3, 1), min_size=4, max_size=7), st.integers(2, 3), st.integers(0, 1),
    st.integers(2, 3),
)  # fmt: skip
def test_the_worst_of_sets_of_negative_values(values, k, overlap, n_sets):
    problem = Problem(Linear([float(v) for v in values]), k, overlap, n_sets, "min")
    for solver in solvers_for(problem):
        solution = solver.solve(problem, Limits())
        assert (solution.sets or None) == best_sets(problem), solver.name


def test_sets_of_features_that_do_harm_share_them():
    # The sum of such sets is below the minimum of any of them.
    problem = Problem(Linear([0.0, 0.0, 0.0, 0.0, -1.0, -1.0]), 3, 0, 2, "min")
    solution = solvers.get("pattern_tree")().solve(problem, Limits())
    assert (solution.sets, solution.bound) == (((0, 1, 4), (2, 3, 5)), -1.0)


@examples(150, suppress_health_check=[HealthCheck.filter_too_much])
@given(linear_problems().filter(lambda p: p.n_sets > 1))
def test_the_canonical_family_by_questions(problem):
    solver = solvers.get("pattern_tree")()
    if not solver.supports(problem):
        return
    with pytest.MonkeyPatch.context() as patch:
        # With room for one family only, more than one leads to the other way.
        patch.setattr(_tree, "_FAMILIES", 1)
        assert (solver.solve(problem, Limits()).sets or None) == best_sets(problem)


@examples(300, suppress_health_check=[HealthCheck.filter_too_much])
@given(linear_problems().filter(lambda p: p.n_sets > 1), st.sampled_from([(1, 22), (2, 2), (2, 5)]))
def test_a_pattern_tree_that_starts_again_misses_nothing(problem, effort):
    solver = solvers.get("pattern_tree")()
    if not solver.supports(problem):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tree, "_FIRST_LOOK", effort[0])
        patch.setattr(_tree, "_TAIL", effort[1])
        solution = solver.solve(problem, Limits())
    assert (solution.sets or None) == best_sets(problem)


@examples(200, suppress_health_check=[HealthCheck.filter_too_much])
@given(linear_problems().filter(solvers.get("cliques")().supports), st.sampled_from([1, 2, 5]))
def test_cliques_of_which_few_are_listed(problem, most):
    solver = solvers.get("cliques")()
    expected = best_sets(problem)
    with pytest.MonkeyPatch.context() as patch:
        # So prices and walks have to find and prove the family.
        patch.setattr(_joint, "_FEW_LISTED", most)
        patch.setattr(_joint, "MOST_LISTED", most)
        solution = solver.solve(problem, Limits())
    if solution.status is Status.INFEASIBLE:
        assert expected is None
    elif solution.sets:
        assert problem.violation(solution.sets) is None
        assert solution.bound >= problem.objective(expected) - 1e-9
        if solution.status is Status.OPTIMAL:
            assert scaled_objective(problem, solution.sets) == scaled_objective(problem, expected)


def test_cliques_that_need_more_features_than_there_are():
    # 36 places in 19 features share 17 pairs at least, and 15 are allowed.
    conflicts = np.eye(19, k=3, dtype=bool)
    problem = Problem(Linear(np.arange(19) % 4.0, conflicts), 6, 1, 6)
    solution = solvers.get("cliques")().solve(problem, Limits(work=0.05))
    assert solution.status is Status.INFEASIBLE


@examples(60)
@given(linear_problems(with_constraints=False), st.sampled_from([1e-6, 1e-4, 1e-3]))
def test_limits_leave_true_bounds(problem, work):
    expected = best_sets(problem)
    for solver in solvers_for(problem):
        solution = solver.solve(problem, Limits(work=work))
        if solution.status is Status.INFEASIBLE:
            assert expected is None
            continue
        if expected is not None:
            assert solution.bound >= problem.objective(expected) - 1e-9
        if solution.sets:
            assert problem.violation(solution.sets) is None
        if solution.status is Status.OPTIMAL:
            assert scaled_objective(problem, solution.sets) == scaled_objective(problem, expected)


def test_the_solvers_are_chosen_by_what_they_declare():
    values = np.random.default_rng(0).random(20)
    plain, fcbf = Linear(values), Linear(values, np.eye(20, k=1, dtype=bool))
    costs = Constraints(costs=tuple(values), budget=3.0)
    chosen = {
        "histograms": Problem(plain, 4, 2, 3),
        "branch_and_bound": Problem(plain, 4, 2, given=((0, 1, 2, 3),)),
        "pattern_tree": Problem(plain, 4, 2, 3, "min"),
        "cliques": Problem(fcbf, 4, 2, 3),
        "cp_sat": Problem(plain, 4, 2, 3, constraints=costs),
    }
    for name, problem in chosen.items():
        assert solvers_for(problem)[0].name == name


@pytest.mark.exhaustive
def test_three_solvers_agree_on_middling_problems():
    rng = np.random.default_rng(3)
    seen = Counter()
    for _ in range(30):
        n, k = int(rng.integers(8, 16)), int(rng.integers(2, 5))
        # Coarse values: many ties.
        quality = Linear(rng.integers(0, 5, n).astype(float))
        n_sets, overlap = int(rng.integers(2, 4)), int(rng.integers(0, k))
        aggregation = str(rng.choice(["sum", "min"]))
        problem = Problem(quality, k, overlap, n_sets, aggregation)
        answers = {
            solver.name: solver.solve(problem, Limits()).sets for solver in solvers_for(problem)
        }
        seen.update(list(answers))
        assert len(set(answers.values())) == 1, answers
    assert set(seen) == {"histograms", "pattern_tree", "cp_sat"}


@examples(40)
@given(st.permutations(range(9)), st.sampled_from(["sum", "min"]), st.integers(1, 4))
def test_permuted_columns_give_the_permuted_answer(order, aggregation, n_sets):
    values = np.array([0.31, 0.07, 0.9, 0.53, 0.211, 0.64, 0.42, 0.173, 0.0911])
    answers = []
    for quality in (Linear(values), Linear(values[list(order)])):
        problem = Problem(quality, 3, 1, n_sets, aggregation)
        answers.append(solvers_for(problem)[0].solve(problem, Limits()).sets)
    back = [sorted(order[j] for j in s) for s in answers[1]]
    plain = Problem(Linear(values), 3, 1, n_sets, aggregation)
    family = tuple(tuple(s) for s in back)
    assert scaled_objective(plain, family) == scaled_objective(plain, answers[0])
    if n_sets == 1:
        assert back == [list(s) for s in answers[0]]
