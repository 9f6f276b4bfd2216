"""Enumeration is judged by the exact solvers, and by brute force where there are none."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import KINDS
from marks import examples

from altfs import AlternativeFeatures, quality
from altfs.errors import UnsupportedProblemError
from altfs.problem import NO_CONSTRAINTS, Constraints, Group, Problem
from altfs.problem.results import Status
from altfs.searches.enumeration import Enumeration
from altfs.searches.sequential import Sequential
from altfs.solvers import Limits

WANTED = [
    NO_CONSTRAINTS,
    Constraints(include=(2,), exclude=(0,)),
    Constraints(groups=(Group((0, 1, 3), at_most=1),)),
]


@given(
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.integers(1, 3),
    st.sampled_from(list(KINDS)),
    st.sampled_from(WANTED),
    st.sampled_from([(), ((0, 1, 4),)]),
    st.data(),
)
@examples(50)
def test_it_finds_what_the_exact_solvers_find(values, k, kind, wanted, given_sets, data):
    pairs = np.outer(values, values) % 3
    known = KINDS[kind](values, pairs)
    overlap = data.draw(st.integers(0, k))
    asked = Problem(known, k, overlap, 4, given=given_sets, constraints=wanted)
    expected, found = (one.search(asked, Limits()) for one in (Sequential(), Enumeration()))
    assert found.sets == expected.sets
    assert found.status == expected.status
    assert [o for o in found.objectives if o == o] == [o for o in expected.objectives if o == o]


@pytest.mark.parametrize(
    "wanted",
    [
        *WANTED,
        Constraints(quality_floor=5.0),
        Constraints(costs=(1.0, 2.0, 1.0, 3.0, 1.0, 1.0), budget=3.0),
        Constraints(groups=(Group((4, 5), all_or_none=True),)),
    ],
)
def test_black_boxes_are_proven_with_every_constraint(wanted):
    values = np.random.default_rng(0).integers(0, 9, 64)
    # Nothing about one set says anything about another.
    known = quality.BlackBox(lambda s: float(values[sum(1 << j for j in s)]), 6, 9.0)
    found = Enumeration().search(Problem(known, 2, 1, 6, constraints=wanted), Limits())
    before = []
    for chosen, status, bound in zip(found.sets, found.status, found.bound, strict=True):
        problem = Problem(known, 2, 1, given=tuple(before), constraints=wanted)
        sets = [s for s in combinations(range(6), 2) if problem.violation((s,)) is None]
        if not sets:
            assert (chosen, status) == ((), Status.INFEASIBLE)
            continue
        assert chosen == max(sets, key=known.evaluate)
        assert status is Status.OPTIMAL and bound == known.evaluate(chosen)
        before.append(chosen)


def test_too_many_sets_are_refused_with_their_number():
    asked = {"n_features": 10, "search": "enumeration"}
    X = np.zeros((2, 30))
    with pytest.raises(UnsupportedProblemError, match="at 30,045,015 sets and 100,000 are allowed"):
        AlternativeFeatures(np.ones(30), **asked).fit(X)
    known = quality.BlackBox(lambda s: 0.0, 30, max_iterations=50)
    with pytest.raises(UnsupportedProblemError, match=r"at 435 sets and 50 .*`max_iterations`"):
        AlternativeFeatures(known, "enumeration", n_features=2).fit(X)
    few = Constraints(include=tuple(range(8)))
    afs = AlternativeFeatures(np.ones(30), constraints=few, max_overlap=9, **asked).fit(X)
    assert [one.work for one in afs.search_result_] == [231, 0]
    none = Constraints(include=(0, 1, 2))
    asked = Problem(quality.Linear(np.ones(5)), 2, 1, constraints=none)
    found = Enumeration().search(asked, Limits())
    assert found.status == [Status.INFEASIBLE]


@given(
    st.lists(st.integers(0, 5), min_size=64, max_size=64),
    st.lists(st.integers(0, 9), min_size=64, max_size=64),
    st.integers(1, 4),
    st.sampled_from([0, 1, 2]),
    st.none() | st.integers(0, 5),
)
@examples(30)
def test_bounds_of_sets_change_no_answer(values, above, k, overlap, floor):
    def of(numbers):
        return lambda sets: [float(numbers[sum(1 << j for j in s)]) for s in sets]

    bounds = of(np.add(values, above))
    boxes = [quality.BatchedBox(of(values), 6, bounds=b) for b in (None, bounds)]
    limits = Constraints(quality_floor=floor)
    plain, bounded = (
        Enumeration().search(Problem(box, k, min(overlap, k), 4, constraints=limits), Limits())
        for box in boxes
    )
    assert (bounded.sets, bounded.status) == (plain.sets, plain.status)
    assert boxes[1].n_evaluations <= boxes[0].n_evaluations


def test_sets_that_bounds_exclude_are_not_evaluated():
    def values(sets):
        return [float(s[0] == 3) for s in sets]

    def bounds(sets):
        return [value / 2 + 0.5 for value in values(sets)]

    box = quality.BatchedBox(values, 30, max_iterations=30_000, bounds=bounds)
    result = Enumeration().search(Problem(box, 4, 2, 2), Limits(work=6))
    assert result.sets == [(3, 4, 5, 6), (3, 4, 7, 8)]
    # Those of the first bound, of 27,405 sets.
    assert box.n_evaluations == 2600
