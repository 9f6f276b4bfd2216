"""Very many sets: answered at once, or said not to be known; and limits of numbers."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples, exhaustive

from altfs import (
    AlternativeFeatures,
    Constraints,
    explain_feasibility,
    search_sequentially,
    search_simultaneously,
)
from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear, Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.best_sum._histogram_table import frontier_size
from altfs.solvers.bounds import packing_bound

VALUES = np.linspace(1, 0.1, 20)
QUALITIES = {
    "linear": Linear(VALUES),
    "conflicts": Linear(VALUES, np.eye(20, k=1, dtype=bool)),
    "pairwise": Pairwise(VALUES, np.ones((20, 20))),
    "ratio": Ratio(VALUES, np.ones((20, 20))),
    "black box": BlackBox(lambda s: float(sum(s)), 20),
}


@pytest.mark.parametrize("name", QUALITIES)
@pytest.mark.parametrize("n_alternatives", [1_000, *exhaustive(1_000_000)])
@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_an_impossible_number_of_sets_is_infeasible(name, n_alternatives, aggregation):
    found = search_simultaneously(
        QUALITIES[name], n_features=5, n_alternatives=n_alternatives, tau=0.4,
        aggregation=aggregation,
    )  # fmt: skip
    assert set(found.status) == {Status.INFEASIBLE}
    assert len(found.sets) == n_alternatives + 1


@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_a_number_of_sets_beyond_reach_is_unknown(aggregation):
    quality = Linear(np.random.default_rng(0).random(30))
    found = search_simultaneously(
        quality, n_features=5, n_alternatives=2_000, tau=0.4, aggregation=aggregation
    )
    assert set(found.status) == {Status.UNKNOWN}
    best = float(np.sort(quality.values)[-5:].sum())
    assert found.run_bound >= best * (2_001 if aggregation == "sum" else 1)


def test_counting_histograms_takes_no_gigabytes():
    assert frontier_size(1_001, 5, 3) == frontier_size(64, 50, 25) == 2**62


@pytest.mark.parametrize("aggregation", ["sum", "min"])
@pytest.mark.parametrize("name", ["linear", "conflicts", "pairwise", "ratio"])
def test_sets_that_need_not_differ_are_the_best_one_again(name, aggregation):
    few, many = (
        search_simultaneously(
            QUALITIES[name], n_features=3, n_alternatives=a, tau=0, aggregation=aggregation
        )
        for a in (2, 99)
    )
    assert many.sets == [few.sets[0]] * 100
    assert set(many.status) == {Status.OPTIMAL}
    times = 100 if aggregation == "sum" else 1
    assert many.run_objective == many.run_bound == pytest.approx(few.objectives[0] * times)


@pytest.mark.exhaustive
def test_a_large_question_about_feasibility_ends():
    told = explain_feasibility(
        Linear(VALUES), n_features=5, n_alternatives=1_000, tau=0.4, limits=Limits(0.05)
    )
    assert "1001 sets of 5 features with at most 3 in common do not exist" in told.sentence


@examples(100)
@given(st.integers(3, 6), st.integers(1, 3), st.integers(0, 2), st.booleans(), st.booleans())
def test_there_are_never_more_sets_than_the_bound(n_total, k, overlap, including, excluding):
    overlap = min(overlap, k - 1)
    constraints = Constraints(include=(0,) * including, exclude=(1,) * excluding)
    problem = Problem(Linear(np.ones(n_total)), k, overlap, constraints=constraints)
    candidates = [
        s for s in combinations(range(n_total), k) if problem.violation((s,)) is None
    ]  # fmt: skip

    def most(left: list[tuple[int, ...]]) -> int:
        if not left:
            return 0
        first, rest = left[0], left[1:]
        fits = [s for s in rest if len(set(s) & set(first)) <= overlap]
        taken = 1 + most(fits)
        return taken if len(fits) == len(rest) else max(taken, most(rest))

    candidates = candidates[:14]
    assert most(candidates) <= packing_bound(problem)


@pytest.mark.parametrize("work", [1e12, 1e15, float("inf"), 1_000_000_001])
def test_more_work_than_can_be_counted_is_refused(work):
    with pytest.raises(AltfsError, match=r"work: .* use a number above 0 and up to 1000000000\.$"):
        Limits(work)


@pytest.mark.parametrize("name", ["linear", "conflicts", "pairwise", "ratio"])
@pytest.mark.parametrize("aggregation", ["sum", "min"])
@pytest.mark.parametrize("n_sets", [1, 3])
def test_all_the_work_that_is_allowed(name, aggregation, n_sets):
    problem = Problem(QUALITIES[name], 2, 1, n_sets, aggregation)
    assert solve(problem, Limits(1e9)).sets == solve(problem, Limits()).sets


@pytest.mark.parametrize("n_alternatives", [1_000_001, 10**12])
def test_more_sets_than_anybody_wants_are_refused(n_alternatives):
    sentence = (
        f"n_alternatives: {n_alternatives} is not allowed, use a whole number from 0 to 1000000."
    )
    asked = {"n_features": 2, "n_alternatives": n_alternatives, "tau": 1}
    X = np.random.default_rng(0).normal(size=(20, 4))
    for call in (
        lambda: search_sequentially(QUALITIES["linear"], **asked),
        lambda: search_simultaneously(QUALITIES["linear"], **asked),
        lambda: explain_feasibility(QUALITIES["linear"], **asked),
        lambda: AlternativeFeatures("f_statistic", **asked).fit(X, X[:, 0] > 0),
        lambda: AlternativeFeatures("f_statistic", **{**asked, "n_features": (1, 2)}).fit(
            X, X[:, 0] > 0
        ),
    ):
        with pytest.raises(AltfsError) as raised:
            call()
        assert str(raised.value) == sentence


def test_more_features_to_include_than_a_set_can_hold():
    quality = Linear([1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    found = search_simultaneously(
        quality, n_features=1, n_alternatives=1, tau=1, given=[(0,)],
        constraints=Constraints(include=(1, 2, 3)),
    )  # fmt: skip
    assert set(found.status) == {Status.INFEASIBLE}
