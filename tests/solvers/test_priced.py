"""Wishes with a price, judged by evaluating every set."""

from dataclasses import replace

import numpy as np
import pytest
from brute_force import valid_sets
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import examples
from solvers.strategies import rules_of

from altfs import AlternativeFeatures, Constraints, Group, Wish, search_sequentially
from altfs.errors import UnsupportedProblemError
from altfs.problem import Problem, Status
from altfs.quality import Linear, Pairwise, Ratio
from altfs.solvers import Limits, solve

N = 6
VALUES = st.integers(0, 8).map(lambda n: n / 8)


@st.composite
def wishes(draw):
    rules = draw(rules_of(N))
    prices = st.sampled_from([0.125, 0.25, 0.5, 4.0])
    groups = draw(
        st.lists(st.sampled_from([Group((0, 1), at_most=0), Group((2, 3), 1)]), max_size=2)
    )
    return [
        *(Wish(draw(prices), group=group) for group in groups),
        *(Wish(draw(prices), implication=rule) for rule in rules["implications"]),
        *(Wish(draw(prices), sum=limit) for limit in rules["sums"]),
    ]


@pytest.mark.parametrize("kind", [Linear, Pairwise, Ratio])
@examples(60)
@given(data=st.data())
def test_the_best_set_less_what_it_pays(kind, data):
    values = data.draw(arrays(np.float64, N, elements=VALUES))
    costs = data.draw(arrays(np.float64, (N, N), elements=VALUES))
    quality = Linear(values) if kind is Linear else kind(values, costs)
    share = data.draw(st.sampled_from([0.0, 0.25]))
    given_sets = data.draw(st.sampled_from([(), ((0, 1, 2),), ((0, 1, 2), (2, 3, 4))]))
    constraints = Constraints(
        exclude=data.draw(st.sampled_from([(), (5,)])), wishes=data.draw(wishes()),
        share_price=share,
    )  # fmt: skip
    problem = Problem(quality, 3, 2, given=given_sets, constraints=constraints)
    solution = solve(problem, Limits())
    worths = {s: problem.quality.evaluate(s) for s in valid_sets(problem)}
    if not worths:
        assert solution.status is Status.INFEASIBLE
        return
    best = max(worths.values())
    assert solution.status is Status.OPTIMAL
    assert worths[solution.sets[0]] == pytest.approx(best)
    assert solution.bound == pytest.approx(best)
    if kind is Linear:
        assert solution.sets[0] == min(s for s, w in worths.items() if w >= best - 1e-12)


def test_a_high_price_is_a_constraint_and_none_is_no_wish():
    quality = Linear([5.0, 4.0, 3.0, 2.0, 1.0])
    together = Group((0, 1), at_most=1)
    shared = {"n_features": 2, "n_alternatives": 1, "tau": 1}
    hard = search_sequentially(quality, **shared, constraints=Constraints(groups=[together]))
    dear = Constraints(wishes=[Wish(100.0, together)])
    assert search_sequentially(quality, **shared, constraints=dear).sets == hard.sets
    cheap = Constraints(wishes=[Wish(0.5, together)])
    first = search_sequentially(quality, **shared, constraints=cheap)
    assert first.sets == [(0, 1), (2, 3)]
    assert [s.train_objective for s in first] == [8.5, 5.0]


def test_shared_features_have_a_price_in_place_of_tau():
    quality = Linear([5.0, 4.0, 3.0, 2.0])
    request = {"n_features": 2, "n_alternatives": 1, "max_overlap": 1}
    free = search_sequentially(quality, **request)
    assert free.sets == [(0, 1), (0, 2)]
    priced = search_sequentially(quality, **request, constraints=Constraints(share_price=3.5))
    assert priced.sets == [(0, 1), (2, 3)]
    some = search_sequentially(quality, **request, constraints=Constraints(share_price=1.5))
    assert some.sets == [(0, 1), (0, 2)] and some[1].train_objective == 6.5


def test_several_sets_at_once_have_no_exact_solver():
    problem = Problem(Linear([1.0] * 5), 2, 1, 2, constraints=Constraints(share_price=0.1))
    with pytest.raises(UnsupportedProblemError, match="Priced quality"):
        solve(problem, Limits())
    assert replace(problem, n_sets=1).quality.base.n_total == 5


@pytest.mark.parametrize(
    "search", ["simultaneous", "enumeration", "local_search", "pareto", "random"]
)
def test_shared_features_have_a_price_only_where_sets_are_chosen_in_turn(search):
    afs = AlternativeFeatures([5, 4, 3, 2], search, n_features=2, constraints={"share_price": 1})
    with pytest.raises(UnsupportedProblemError, match=f"share_price: the search '{search}' does"):
        afs.fit(np.eye(4))
    assert len(afs.set_params(n_alternatives=0).fit(np.eye(4)).feature_sets_) == 1
