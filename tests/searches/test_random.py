from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples, exhaustive
from scipy.stats import chisquare

from altfs import Constraints, Group, search_randomly
from altfs.errors import AltfsError
from altfs.problem import Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear
from altfs.searches._counted import CountedSets
from altfs.searches._drawing import SetSampler
from altfs.searches.random import _set_by_set
from altfs.solvers import Limits

VALUES = np.array([0.3, 0.1, 0.25, 0.2, 0.15, 0.05])
CHAIN = np.eye(6, k=1, dtype=bool)


def valid_sets(problem):
    every = combinations(range(problem.quality.n_total), problem.n_features)
    return [s for s in every if problem.violation((s,)) is None]


def valid_families(problem, n_sets):
    overlap = problem.max_overlap
    return [
        family
        for family in product(valid_sets(problem), repeat=n_sets)
        if all(len(set(a) & set(b)) <= overlap for a, b in combinations(family, 2))
    ]


def assert_distributed(counts, probabilities):
    assert set(counts) <= set(probabilities)
    total = sum(counts.values())
    expected = [p * total for p in probabilities.values()]
    seen = [counts[outcome] for outcome in probabilities]
    assert chisquare(seen, expected).pvalue > 0.01


CASES = {
    "whole families": ({"max_overlap": 1}, Linear(VALUES), {}),
    "disjoint": ({"max_overlap": 0}, Linear(VALUES), {}),
    "no limit": ({"max_overlap": 2, "n_alternatives": 1}, Linear(VALUES[:5]), {}),
    "one set": ({"max_overlap": 0, "n_alternatives": 0}, Linear(VALUES), {}),
    "conflicts": ({"max_overlap": 1, "n_alternatives": 1}, Linear(VALUES, CHAIN), {}),
    "given": ({"max_overlap": 0, "n_alternatives": 0, "given": [(0, 5)]}, Linear(VALUES), {}),
    "include": (
        {"max_overlap": 1, "n_features": 3, "n_alternatives": 1},
        Linear(VALUES),
        {"include": (0,)},
    ),
    "groups": (
        {"max_overlap": 1, "n_alternatives": 1},
        Linear(VALUES),
        {"groups": (Group((0, 1, 2), at_most=1), Group((3, 4), at_least=1))},
    ),
    "budget": (
        {"max_overlap": 1, "n_alternatives": 1},
        Linear(VALUES),
        {"costs": (1.0, 2.0, 3.0, 1.0, 2.0, 3.0), "budget": 4.0, "exclude": (4,)},
    ),
    "floor": ({"max_overlap": 1, "n_alternatives": 1}, Linear(VALUES), {"quality_floor": 0.4}),
}


@pytest.mark.parametrize(
    "case", [*exhaustive("whole families"), *(case for case in CASES if case != "whole families")]
)
def test_every_sequence_of_sets_is_equally_likely(case):
    changes, quality, constraints = CASES[case]
    asked = {"n_features": 2, "n_alternatives": 2, **changes}
    asked["constraints"] = Constraints(**constraints)
    problem = Problem(
        quality,
        asked["n_features"],
        asked["max_overlap"],
        given=tuple(asked.get("given", ())),
        constraints=asked["constraints"],
    )
    families = valid_families(problem, asked["n_alternatives"] + 1)
    counts = Counter()
    for seed in range(max(500, 5 * len(families))):
        result = search_randomly(quality, **asked, random_state=seed)
        assert set(result.status) == {Status.FEASIBLE}
        assert {one.solver for one in result} == {"uniform"}
        counts[tuple(result.sets)] += 1
    assert_distributed(counts, dict.fromkeys(families, 1 / len(families)))


@pytest.mark.exhaustive
@pytest.mark.parametrize("conflicts", [CHAIN, *exhaustive(None)])
def test_set_by_set_is_uniform_given_the_sets_before(conflicts):
    problem = Problem(Linear(VALUES, conflicts), 2, 1)
    families = valid_families(problem, 3)
    steps = [Counter(family[:i] for family in set(families)) for i in range(4)]
    # Of how many sets a step chooses: prefixes of families, as no dead end occurs here.
    choices = Counter(prefix[:-1] for i in range(1, 4) for prefix in steps[i])
    probabilities = {
        family: 1 / (choices[()] * choices[family[:1]] * choices[family[:2]]) for family in families
    }
    assert sum(probabilities.values()) == pytest.approx(1)
    counts = Counter(
        tuple(_set_by_set(SetSampler(problem, seed, 10_000), 3))
        for seed in range(5 * len(families))
    )
    assert_distributed(counts, probabilities)


def test_the_way_of_drawing_is_named():
    # Families of six sets of ten among twenty features are too rare to be hit by chance.
    asked = {"n_features": 10, "n_alternatives": 5, "max_overlap": 5}
    result = search_randomly(Linear(np.ones(20)), **asked)
    assert {one.solver for one in result} == {"sequentially_uniform"}
    found = [set(s) for s in result.sets]
    assert all(len(s) == 10 for s in found)
    assert all(len(a & b) <= 5 for a, b in combinations(found, 2))


@examples(60)
@given(st.data())
def test_counting_counts_what_listing_lists(data):
    n, k = data.draw(st.integers(2, 8)), data.draw(st.integers(1, 4))
    some = st.lists(st.integers(0, n - 1), max_size=4, unique=True)
    include = data.draw(some)
    exclude = [j for j in data.draw(some) if j not in include]
    numbers = st.sets(st.integers(0, 4), max_size=4)
    rows = data.draw(st.lists(st.tuples(some, numbers), max_size=4))
    counted = CountedSets(n, k, include, exclude, rows, 100_000)
    expected = {
        s
        for s in combinations(range(n), k)
        if set(include) <= set(s)
        and not set(exclude) & set(s)
        and all(len(set(features) & set(s)) in allowed for features, allowed in rows)
    }
    assert counted.total == len(expected)
    if expected:
        import random

        chance = random.Random(0)
        assert {counted.draw(chance) for _ in range(20)} <= expected


@examples(60)
@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(0, 5), st.data())
def test_answers_are_valid_repeatable_and_honest(seed, k, a, data):
    overlap = data.draw(st.integers(0, k))
    conflicts = data.draw(st.sampled_from([None, CHAIN]))
    problem = Problem(Linear(VALUES, conflicts), k, overlap, given=((0, 1, 2)[:k],))
    asked = {"n_features": k, "n_alternatives": a, "max_overlap": overlap, "given": problem.given}
    result = search_randomly(problem.quality, **asked, random_state=seed)
    again = search_randomly(problem.quality, **asked, random_state=seed)
    assert (result.sets, result.status) == (again.sets, again.status)
    found = [s for s in result.sets if s]
    for s in found:
        assert problem.violation((s,)) is None
    assert all(len(set(x) & set(y)) <= overlap for x, y in combinations(found, 2))
    for i, status in enumerate(result.status):
        if status is Status.INFEASIBLE and i < 3:
            assert not valid_families(problem, i + 1)
    assert all(
        b >= o for o, b in zip(result.objectives, result.bound, strict=True) if not np.isnan(o)
    )


@pytest.mark.exhaustive
def test_what_does_not_exist_is_infeasible_and_what_was_not_found_unknown():
    result = search_randomly(Linear(VALUES), n_features=2, n_alternatives=4, tau=1)
    assert result.status == [Status.FEASIBLE] * 3 + [Status.INFEASIBLE] * 2
    assert np.isnan(result.bound[3:]).all()
    # A budget that only one of a million sets keeps, and a single draw.
    costs = tuple([0.0] * 10 + [1.0] * 90)
    asked = {"n_features": 10, "n_alternatives": 0, "max_overlap": 0}
    hidden = Constraints(costs=costs, budget=0.0)
    result = search_randomly(
        Linear(np.ones(100)), **asked, constraints=hidden, limits=Limits(work=0.01)
    )
    assert result.status == [Status.UNKNOWN]
    assert result.bound == [10.0]


def test_floors_of_black_boxes_are_kept_by_drawing_again():
    quality = BlackBox(lambda s: float(VALUES[list(s)].sum()), 6, 1.0)
    result = search_randomly(
        quality, n_features=2, n_alternatives=1, max_overlap=1,
        constraints=Constraints(quality_floor=0.44),
    )  # fmt: skip
    assert result.status == [Status.FEASIBLE] * 2
    assert min(result.objectives) >= 0.44


@pytest.mark.parametrize("random_state", [-1, 0.5, True, "x"])
def test_random_states_are_whole_numbers(random_state):
    with pytest.raises(AltfsError, match=r"random_state: .* use a whole number from 0"):
        search_randomly(
            Linear(VALUES), n_features=2, n_alternatives=1, tau=1, random_state=random_state
        )
