"""Pairwise and ratio qualities, judged by brute force."""

from itertools import combinations
from math import comb
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import examples
from solvers.pair_judge import best
from solvers.strategies import SHARES, settings_of

from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.pair_costs import _joint, _source
from altfs.solvers.pair_costs._listing import Numbers, Rows
from altfs.solvers.pair_costs._walk import walk
from altfs.solvers.pair_costs.listed._bits import bits_of
from altfs.solvers.pair_costs.listed._near_tuples import Listed, near_tuple, payment
from altfs.solvers.weighted_sums import sums_of


@st.composite
def problems(draw, kind):
    n_total = draw(st.integers(2, 6))
    k = draw(st.integers(1, min(n_total, 4)))
    numbers = draw(st.sampled_from([st.integers(0, 3).map(float), SHARES]))
    relevance = draw(arrays(np.float64, n_total, elements=numbers))
    redundancy = draw(arrays(np.float64, (n_total, n_total), elements=numbers))
    if kind is Pairwise:
        quality = Pairwise(relevance, redundancy, draw(st.booleans()))
    else:
        quality = Ratio(relevance, redundancy)
    rest = draw(settings_of(n_total, k, draw(st.booleans())))
    return Problem(quality, k, **rest)


@pytest.mark.parametrize(("few_listed", "by_prices"), [(4_000, 20), (2, 20), (2, 0)])
@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@examples(200)
@given(data=st.data())
def test_answer_is_the_canonical_optimum(kind, few_listed, by_prices, data):
    problem = data.draw(problems(kind))
    # Where few sets are listed without prices, prices and walks have to do it. Where prices may
    # look at no families, the last try of sums has to.
    assume(by_prices or problem.aggregation == "sum")
    short = mock.patch.multiple(_source, _WALKS=2, _STEPS=50)
    limits = mock.patch.multiple(_joint, _FEW_LISTED=few_listed, _TUPLE_NODES=by_prices)
    with limits, short:
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
            monkeypatch.setattr(_joint, "MOST_PRICED", most)
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
    first, second = (solve(problem, Limits(work=0.001)) for _ in range(2))
    assert first == second
    assert first.status in (Status.FEASIBLE, Status.UNKNOWN)
    if first.sets:
        assert first.bound >= problem.objective(first.sets)


def test_identical_columns_by_the_dozen():
    problem = Problem(Pairwise(np.zeros(30), np.zeros((30, 30))), 5, 2, 2)
    solution = solve(problem, Limits(work=1))
    assert problem.violation(solution.sets) is None


@st.composite
def families(draw):
    """Sets with values and prices, and how many of them are wanted."""
    n, k = draw(st.integers(3, 7)), draw(st.integers(1, 3))
    sets = np.array(list(combinations(range(n), k)))
    numbers = draw(st.sampled_from([st.integers(-2, 2), st.integers(-1000, 1000)]))
    values = np.array(draw(st.lists(numbers, min_size=len(sets), max_size=len(sets))))
    prices = np.array(draw(st.lists(numbers, min_size=n, max_size=n)))
    return sets, values, prices, draw(st.integers(2, 3)), draw(st.integers(0, k - 1))


@examples(200)
@given(families(), st.integers(0, 1000))
def test_a_family_lacks_what_its_parts_say(drawn, less):
    sets, values, prices, n_sets, overlap = drawn
    n = prices.size
    paid = payment(prices, (n_sets, sets.shape[1], overlap))
    left = values - prices[sets].sum(axis=1)
    ceiling = n_sets * int(left.max()) + paid.most
    every = [
        rows for rows in combinations(range(len(sets)), n_sets)
        if all(len(set(sets[a]) & set(sets[b])) <= overlap for a, b in combinations(rows, 2))
    ]  # fmt: skip
    for rows in every:
        # What a family lacks is just what the parts say.
        uses = np.bincount(sets[list(rows)].ravel(), minlength=n)
        common = sum(len(set(sets[a]) & set(sets[b])) for a, b in combinations(rows, 2))
        missing = n_sets * left.max() - left[list(rows)].sum()
        missing += paid.overlap * (comb(n_sets, 2) * overlap - common)
        missing += sum(paid.lacks[j, uses[j], 0] for j in range(n))
        assert values[list(rows)].sum() == ceiling - missing
    best = max((int(values[list(rows)].sum()) for rows in every), default=-less)
    dolls = np.full(n_sets, 1 << 40)
    for ties in (True, False):
        complete, value, members, _ = near_tuple(
            Listed(values, left.max() - left, sets, bits_of(sets, n)), (n_sets, overlap), ceiling,
            paid, dolls, best - less, ties, 10_000,
        )  # fmt: skip
        assert complete
        if every:
            assert value == best
            same = [rows for rows in every if values[list(rows)].sum() == best]
            assert tuple(members) == same[0] if ties else tuple(members) in same
        else:
            assert members[0] < 0


@pytest.mark.parametrize("root", [False, True])
def test_a_walk_stays_within_what_is_allowed_and_knows_what_it_found(root):
    rng = np.random.default_rng(2)
    gains, costs = rng.random(12), rng.random((12, 12))
    costs += costs.T
    np.fill_diagonal(costs, 1.0 if root else 0.0)
    rows = np.zeros((1, 12), dtype=bool)
    rows[0, :5] = True
    start = np.array([[0, 5, 6, 7], [1, 7, 8, 9], [2, 9, 10, 11]])
    limits = Rows(rows, np.array([2]), sums_of([], 12))
    found, value = walk(start, Numbers(gains, costs, 0.0, 0.0, 4), root, limits, 1, 20_000, 1)

    def worth(sets):
        total = 0.0
        for s in sets:
            cost = costs[np.ix_(s, s)][np.tril_indices(4)].sum()
            total += gains[s].sum() / np.sqrt(cost) if root else gains[s].sum() - cost
        return total

    assert value == pytest.approx(worth(found))
    assert value > worth(start)
    assert all(len(set(s)) == 4 and rows[0, s].sum() <= 2 for s in found)
    assert all(len(set(a) & set(b)) <= 1 for a, b in combinations(found.tolist(), 2))
