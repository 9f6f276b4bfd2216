"""Black boxes in batches: all sets against brute force, and few of many (3 s)."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs.problem import Constraints, Group, Problem
from altfs.problem.results import Status
from altfs.quality import BatchedBox, BlackBox
from altfs.searches.sequential import search_sequentially
from altfs.solvers import Limits, solve, solvers

CONSTRAINTS = [
    Constraints(),
    Constraints(include=(1,), exclude=(4,)),
    Constraints(groups=(Group((0, 1, 2), at_most=1),)),
    Constraints(costs=(1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 1.0), budget=4.0),
    Constraints(quality_floor=4.0),
]


def any_values(n_total, seed, **options):
    """Return a quality of which nothing is known from other sets."""
    values = np.random.default_rng(seed).integers(0, 9, 1 << n_total)
    return BatchedBox(
        lambda sets: [float(values[sum(1 << j for j in s)]) for s in sets], n_total, 9.0, **options
    )


@given(
    st.integers(0, 99),
    st.sampled_from(CONSTRAINTS),
    st.sampled_from([(), ((0, 1, 4),), ((0, 2, 3), (3, 5, 6))]),
    st.integers(0, 3),
)
@examples(40)
def test_all_sets_gives_the_first_of_the_best_sets(seed, constraints, before, overlap):
    problem = Problem(any_values(7, seed), 3, overlap, given=before, constraints=constraints)
    valid = [s for s in combinations(range(7), 3) if problem.violation((s,)) is None]
    found = solve(problem, Limits())
    assert found.solver == "all_sets"
    if not valid:
        assert found.status is Status.INFEASIBLE
        return
    best = max(map(problem.quality.evaluate, valid))
    assert found.status is Status.OPTIMAL
    assert found.sets == (next(s for s in valid if problem.quality.evaluate(s) == best),)


@given(st.integers(0, 99), st.sampled_from(CONSTRAINTS[:4]), st.sampled_from([(), ((0, 1, 4),)]))
@examples(40)
def test_no_exchange_improves_what_forward_exchange_finds(seed, constraints, before):
    quality = any_values(7, seed)
    problem = Problem(quality, 3, 2, given=before, constraints=constraints)
    found = solvers.get("forward_exchange")().solve(problem, Limits())
    (chosen,) = found.sets
    assert problem.violation(found.sets) is None
    near = [s for s in combinations(range(7), 3) if len({*s} & {*chosen}) == 2]
    near = [s for s in near if problem.violation((s,)) is None]
    assert quality.evaluate(chosen) >= max(map(quality.evaluate, near), default=0)


@given(
    st.integers(0, 99),
    st.sampled_from(CONSTRAINTS[:4]),
    st.integers(0, 2),
    st.sampled_from(["sum", "min"]),
)
@examples(30)
def test_no_set_of_a_family_can_be_replaced_by_a_better_one(
    seed, constraints, overlap, aggregation
):
    quality = any_values(7, seed)
    problem = Problem(
        quality, 3, overlap, n_sets=2, aggregation=aggregation, constraints=constraints
    )
    found = solve(problem, Limits())
    valid = [s for s in combinations(range(7), 3) if problem.violation((s,)) is None]
    pairs = [p for p in combinations(valid, 2) if problem.violation(p) is None]
    if found.status is not Status.FEASIBLE:
        assert not pairs
        return
    assert problem.violation(found.sets) is None
    if found.solver == "in_turn":
        a, b = found.sets
        for kept, old in ((a, b), (b, a)):
            better = [s for s in valid if quality.evaluate(s) > quality.evaluate(old)]
            assert all(problem.violation((kept, s)) is not None for s in better)
        steps = [step.objective for step in found.trace]
        assert steps == sorted(steps) and found.trace[-1].objective == problem.objective((a, b))


@pytest.mark.parametrize("most", [1, 5, 30, 200])
def test_forward_exchange_evaluates_no_more_sets_than_allowed(most):
    problem = Problem(any_values(12, 0, max_iterations=most), 4, 2, given=((0, 1, 2, 3),))
    found = solve(problem, Limits())
    assert found.solver == "forward_exchange"
    assert found.status is Status.FEASIBLE
    assert found.work <= most
    assert problem.violation(found.sets) is None


def test_sets_are_evaluated_once_and_other_black_boxes_climb_as_before():
    asked = []

    def count(sets):
        asked.extend(sets)
        return [0.0] * len(sets)

    box = BatchedBox(count, 4, 1.0)
    box.evaluate_many([(0, 1), (1, 0), (2,)])
    box.evaluate((1, 0))
    assert asked == [(0, 1), (2,)]
    plain = Problem(BlackBox(lambda s: 0.0, 4, 1.0), 2, 1)
    assert solve(plain, Limits()).solver == "hill_climbing"


def test_a_pair_that_tells_something_only_together_is_seen():
    def values(sets):
        return [float({3, 17} <= {*chosen}) - sum(chosen) / 1e4 for chosen in sets]

    box = BatchedBox(values, 20, 1.0, 300)
    found = solve(Problem(box, 5, 2), Limits())
    assert found.solver == "forward_exchange"
    assert {3, 17} <= {*found.sets[0]}


@pytest.mark.parametrize("include", [(), (5,)])
def test_a_pair_that_tells_only_together_enters_beside_stronger_features(include):
    def values(sets):
        return [
            sum((0.3 if j < 2 else 0.05) - j / 1e3 for j in chosen if j < 9)
            + 0.25 * ({11, 17} <= {*chosen})
            for chosen in sets
        ]

    # The best pair is another one, and no exchange of one feature reaches it.
    size, constraints = 4 + len(include), Constraints(include)
    problem = Problem(BatchedBox(values, 20, 1.0, 400), size, 2, constraints=constraints)
    found = solve(problem, Limits())
    assert found.solver == "forward_exchange"
    assert found.sets == ((0, 1, *include, 11, 17),)


@pytest.mark.parametrize("seed", range(3))
def test_fewer_unproven_alternatives_are_the_first_ones_of_four(seed):
    values = np.random.default_rng(seed).random(1 << 14)

    def search(n_alternatives):
        box = BatchedBox(lambda sets: [values[sum(1 << j for j in s)] for s in sets], 14, 1.0, 300)
        result = search_sequentially(box, n_features=4, n_alternatives=n_alternatives, tau=0.5)
        assert set(result.status) == {Status.FEASIBLE}
        return result

    four = search(4)
    qualities = [entry.train_objective for entry in four]
    assert qualities == sorted(qualities, reverse=True)
    for n in range(4):
        assert search(n).sets == four.sets[: n + 1]
