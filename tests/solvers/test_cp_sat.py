import numpy as np
import pytest
from brute_force import best_sets, scaled_objective
from hypothesis import given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import linear_problems

from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Linear
from altfs.solvers import Limits, solve, solvers, solvers_for


@examples(300)
@given(linear_problems(with_constraints=False))
def test_answer_is_the_canonical_optimum(problem):
    solution = solve(problem, Limits())
    expected = best_sets(problem)
    if expected is None:
        assert solution.status is Status.INFEASIBLE
        assert solution.sets == ()
        assert np.isnan(solution.bound)
    else:
        assert solution.status is Status.OPTIMAL
        assert solution.sets == expected
        assert solution.bound == problem.objective(expected)


# OR-Tools 9.15 calls worse sets optimal here unless one presolve step is off.
PRESOLVE_CASES = [
    (
        [0.8600405323172606, 0.7138785970082866, 0.14883131, 0.11025265, 0.17336421],
        [(0, 4), (1, 2)],
        2,
        0,
        2,
    ),
]


@pytest.mark.parametrize(("values", "pairs", "k", "overlap", "n_sets"), PRESOLVE_CASES)
def test_no_optimum_is_lost_in_presolve(values, pairs, k, overlap, n_sets):
    conflicts = np.zeros((len(values), len(values)), dtype=bool)
    conflicts[tuple(zip(*pairs, strict=True))] = True
    problem = Problem(Linear(values, conflicts), k, overlap, n_sets, "min")
    assert solve(problem, Limits()).sets == best_sets(problem)


def test_the_presolve_bug_is_real():
    """Fails when OR-Tools has mended it: then the parameter can go."""
    from altfs.solvers.cp_sat import cp_sat
    from altfs.solvers.cp_sat import first_of_many as _canonical

    values, pairs, k, overlap, n_sets = PRESOLVE_CASES[0]
    conflicts = np.zeros((5, 5), dtype=bool)
    conflicts[tuple(zip(*pairs, strict=True))] = True
    problem = Problem(Linear(values, conflicts), k, overlap, n_sets, "min")
    built = cp_sat._constraints(problem, problem.quality, list(range(5)), (k,) * n_sets)
    built.model.maximize(cp_sat._objective(built, problem, problem.quality))
    solver = _canonical.new_solver(10)
    solver.parameters.presolve_inclusion_work_limit = 100_000_000
    solver.solve(built.model)
    found = tuple(sorted(built.decode(solver)))
    assert scaled_objective(problem, found) < scaled_objective(problem, best_sets(problem))


@examples(40)
@given(st.permutations(range(8)), st.sampled_from(["sum", "min"]), st.integers(1, 3))
def test_permuted_columns_give_the_permuted_answer(order, aggregation, n_sets):
    values = np.array([0.31, 0.07, 0.9, 0.53, 0.211, 0.64, 0.42, 0.173])
    plain = Problem(Linear(values), 3, 1, n_sets, aggregation)
    mixed = Problem(Linear(values[list(order)]), 3, 1, n_sets, aggregation)
    first = solve(plain, Limits()).sets
    second = solve(mixed, Limits()).sets
    back = tuple(tuple(order[j] for j in s) for s in second)
    assert plain.objective(first) == pytest.approx(plain.objective(back), abs=1e-12)
    if aggregation == "sum" and n_sets == 1:
        assert {frozenset(s) for s in first} == {frozenset(s) for s in back}


def test_a_limit_gives_a_bound_and_the_same_answer_twice():
    rng = np.random.default_rng(0)
    problem = Problem(Linear(rng.random(40)), 10, 3, 6, "min")
    solver = solvers_for(problem)[0]
    first, second = (solver.solve(problem, Limits(work=0.05)) for _ in range(2))
    assert first == second
    assert first.status in (Status.FEASIBLE, Status.UNKNOWN)
    if first.sets:
        assert problem.violation(first.sets) is None
        assert first.bound >= problem.objective(first.sets)


def test_unknown_has_a_true_bound():
    problem = Problem(Linear(np.random.default_rng(1).random(60)), 10, 2, 6)
    solution = solvers.get("cp_sat")().solve(problem, Limits(work=1e-6))
    assert solution.status is Status.UNKNOWN
    best = sorted(problem.quality.values)[-10:]
    assert solution.bound >= 6 * sum(best) - 1e-9
