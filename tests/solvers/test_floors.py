"""Quality floors of linear qualities: nothing that reaches one is refused."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from brute_force import assert_every_solver_finds, best_sets
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from marks import examples
from solvers.strategies import SIGNED

from altfs import Constraints, search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Linear

VALUES = Linear([0.5, 0.4, 0.3, 0.2, 0.1, 0.05])


@pytest.mark.parametrize("seed", range(20))
def test_a_set_reaches_its_own_quality(seed):
    quality = Linear(np.random.default_rng(seed).random(10))
    asked = {"n_features": 3, "n_alternatives": 0, "tau": 1}
    best = search_sequentially(quality, **asked)
    for again in (
        Constraints(quality_floor=best.objectives[0]),
        Constraints(relative_floor=1),
        # With a budget another solver answers.
        Constraints(quality_floor=best.objectives[0], costs=(1.0,) * 10, budget=3.0),
    ):
        found = search_sequentially(quality, **asked, constraints=again)
        assert (found.status, found.sets) == ([Status.OPTIMAL], best.sets)


@pytest.mark.exhaustive
@pytest.mark.parametrize("floor", [1e8, 1e300])
@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_floors_far_from_all_values(floor, aggregation):
    asked = {"n_features": 2, "n_alternatives": 1, "tau": 1}
    for search, more in (
        (search_simultaneously, {}),
        (search_sequentially, {"costs": (1.0,) * 6, "budget": 5.0}),
    ):
        named = {"aggregation": aggregation} if search is search_simultaneously else {}
        high = Constraints(quality_floor=floor, **more)
        found = search(VALUES, **asked, **named, constraints=high)
        assert found.status == [Status.INFEASIBLE] * 2
        low = Constraints(quality_floor=-floor, **more)
        free = search(VALUES, **asked, **named, constraints=Constraints(**more))
        assert search(VALUES, **asked, **named, constraints=low).sets == free.sets


@st.composite
def floored_problems(draw):
    n_total = draw(st.integers(3, 6))
    k = draw(st.integers(1, 3))
    values = draw(st.lists(SIGNED, min_size=n_total, max_size=n_total))
    pairs = draw(st.lists(st.tuples(*[st.integers(0, n_total - 1)] * 2), max_size=2))
    conflicts = np.zeros((n_total, n_total), dtype=bool)
    for a, b in pairs:
        conflicts[a, b] = True
    quality = Linear(values, conflicts)
    chosen = draw(st.sampled_from(list(combinations(range(n_total), k))))
    exclude = draw(st.sampled_from([(), (0,)]))
    return Problem(
        quality, k, draw(st.integers(0, k)), draw(st.integers(1, 3)),
        draw(st.sampled_from(["sum", "min"])),
        constraints=Constraints(exclude=exclude, quality_floor=quality.evaluate(chosen)),
    )  # fmt: skip


@examples(300, suppress_health_check=[HealthCheck.too_slow])
@given(floored_problems())
def test_floors_at_the_quality_of_a_set(problem):
    quality, floor = problem.quality, problem.constraints.quality_floor
    rounding = problem.n_features * (1 + 2.0**-10) * quality.unit
    for chosen in combinations(range(quality.n_total), problem.n_features):
        if set(chosen) & set(problem.constraints.exclude):
            continue
        exact = sum(Fraction(float(quality.values[j])) for j in chosen)
        if exact >= Fraction(floor):
            assert quality.reaches(chosen, floor)
        if exact < Fraction(floor) - Fraction(rounding):
            assert not quality.reaches(chosen, floor)
    expected = best_sets(problem)
    assert_every_solver_finds(problem, expected)
