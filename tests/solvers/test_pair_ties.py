"""Qualities with pair costs where many sets tie, or nearly: still exact, still the first."""

from itertools import combinations
from math import isqrt

import numpy as np
import pytest
from brute_force import best_sets
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from marks import examples
from solvers.pair_judge import best, integer_value
from solvers.strategies import SHARES, settings_of

from altfs import search_sequentially, search_simultaneously
from altfs.problem import Problem
from altfs.problem.constraints import Constraints
from altfs.problem.results import Status
from altfs.quality import Linear, Pairwise, Ratio
from altfs.solvers import Limits, solve
from altfs.solvers.all_best import all_best
from altfs.solvers.pair_costs import _first_family, _joint, _solver, _source
from altfs.solvers.pair_costs._first_family import best_set, first_family
from altfs.solvers.pair_costs._listing import ALL, BEST, LOWEST, SOME, ListingGoal
from altfs.solvers.pair_costs._ratios import ratio_floor
from altfs.solvers.pair_costs.pairwise import PairwiseSearch
from altfs.solvers.pair_costs.ratio import RatioSearch

SOLVERS = {Pairwise: PairwiseSearch, Ratio: RatioSearch}


@st.composite
def tied_qualities(draw, kind, n_total):
    """Values of 0 and 1, pairs that cost nothing, the same, or next to nothing."""
    few = st.integers(0, 1).map(float)
    unit = draw(st.sampled_from([0.0, 1.0, 2.0**-30]))
    pairs = draw(arrays(np.float64, (n_total, n_total), elements=few)) * unit
    return kind(draw(arrays(np.float64, n_total, elements=few)), pairs)


@st.composite
def tied_problems(draw, kind, most_total=8):
    n_total = draw(st.integers(2, most_total))
    k = draw(st.integers(1, min(n_total, 4)))
    rest = draw(settings_of(n_total, k, draw(st.booleans())))
    kept = rest["constraints"]
    rest["constraints"] = Constraints(include=kept.include, exclude=kept.exclude)
    if n_total > 6:
        rest["n_sets"] = min(rest["n_sets"], 2)
    return Problem(draw(tied_qualities(kind, n_total)), k, **rest)


@st.composite
def limits_that_fill(draw):
    """Draw limits of the sets that are listed: few, so that other ways are needed, or the usual."""
    listed = draw(st.sampled_from([2, 5, 40_000]))
    return {
        (_first_family, "_TIES"): draw(st.sampled_from([1, 3, 1_000])),
        (_source, "_WALKS"): 1,
        (_source, "_STEPS"): 50,
        (_joint, "_FEW_LISTED"): min(listed, 4_000),
        (_joint, "MOST_LISTED"): listed,
        (_joint, "MOST_PRICED"): draw(st.sampled_from([listed, 400_000])),
    }


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@examples(150)
@given(data=st.data())
def test_what_is_proven_is_the_canonical_optimum(kind, data):
    problem = data.draw(tied_problems(kind))
    expected = best(problem)
    with pytest.MonkeyPatch.context() as patch:
        for (module, name), value in data.draw(limits_that_fill()).items():
            patch.setattr(module, name, value)
        solution = solve(problem, Limits())
    if expected is None:
        # Where hardly anything is listed, that there is no family may stay open.
        assert not solution.sets
        assert solution.status in (Status.INFEASIBLE, Status.UNKNOWN)
        return
    if solution.status is Status.OPTIMAL:
        assert solution.sets == expected
    else:
        assert problem.n_sets > 1
        assert solution.bound >= problem.objective(expected) - 1e-9


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@examples(100)
@given(data=st.data(), nodes=st.integers(1, 60))
def test_limits_leave_proofs_and_bounds_true(kind, data, nodes):
    problem = data.draw(tied_problems(kind))
    expected = best(problem)
    solution = solve(problem, Limits(work=nodes / _solver.NODES_PER_UNIT))
    if expected is None:
        assert not solution.sets
        return
    assert solution.status is not Status.INFEASIBLE
    values = [[integer_value(problem, s) for s in sets] for sets in (solution.sets, expected)]
    aggregate = min if problem.aggregation == "min" else sum
    if solution.status is Status.OPTIMAL:
        assert aggregate(values[0]) == aggregate(values[1])
    else:
        assert solution.bound >= problem.objective(expected)


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@examples(150)
@given(data=st.data(), nodes=st.sampled_from([3, 10, 10_000]), most=st.integers(2, 40))
def test_lists_hold_what_they_say(kind, data, nodes, most):
    n_total, k = data.draw(st.integers(2, 7)), data.draw(st.integers(1, 4))
    k = min(k, n_total)
    tied = data.draw(st.booleans())
    if tied:
        quality = data.draw(tied_qualities(kind, n_total))
    else:
        # Some features are worth next to nothing beside others, some pairs cost a lot.
        small = data.draw(st.sampled_from([0, 4, 8]))
        large = data.draw(st.sampled_from([1.0, 1e3, 5e5]))
        numbers = st.builds(lambda x, e: x * 10.0**-e, SHARES, st.integers(0, small))
        quality = kind(
            data.draw(arrays(np.float64, n_total, elements=numbers)),
            data.draw(arrays(np.float64, (n_total, n_total), elements=numbers)) * large,
        )
    problem = Problem(quality, k, k)
    source = SOLVERS[kind].source(problem)
    every = {s: integer_value(problem, s) for s in combinations(range(n_total), k)}
    prices = None
    if data.draw(st.booleans()):
        largest = max(every.values())
        span = st.sampled_from([-largest, -1, 0, 1, largest // 2])
        prices = np.array(data.draw(st.lists(span, min_size=n_total, max_size=n_total)))
        every = {s: v - int(prices[list(s)].sum()) for s, v in every.items()}
    ordered = sorted(every.values())
    threshold = ordered[data.draw(st.integers(0, len(ordered) - 1))]
    for wanted in (ALL, BEST, SOME):
        start = LOWEST if wanted == BEST else threshold
        goal = ListingGoal(start, wanted, most, nodes)
        sets, values, reached, _ = source.run(source.rows([]), goal, prices)
        found = {tuple(s): v for s, v in zip(sets.tolist(), values.tolist(), strict=True)}
        assert len(found) == len(sets)
        assert all(every[s] == v for s, v in found.items())
        assert {s for s, v in every.items() if v >= reached} <= set(found)
        if wanted == BEST:
            assert max(every.values()) == max([*found.values(), reached - 1]) or nodes < 10_000
            assert len(set(found.values())) <= 1
        else:
            assert all(v >= threshold for v in found.values())
        if wanted == ALL and nodes == 10_000 and len(every) <= most:
            assert reached == threshold


@examples(150)
@given(data=st.data(), nodes=st.integers(1, 60))
def test_equal_sets_take_nothing_from_the_proof_of_the_best_one(data, nodes):
    n_total, k = data.draw(st.integers(2, 10)), data.draw(st.integers(1, 4))
    problem = Problem(data.draw(tied_qualities(Pairwise, n_total)), min(k, n_total), 1)
    source = PairwiseSearch.source(problem)
    answers = []
    for most in (1, 1_000):
        goal = ListingGoal(LOWEST, BEST, most, nodes)
        _, values, reached, _ = source.run(source.rows([]), goal)
        answers.append((values[:1].tolist(), max([reached, *(values[:1] + 1)])))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", [Pairwise, Ratio, Linear])
@examples(100)
@given(data=st.data())
def test_each_set_of_a_sequence_is_the_best_one_after_those_before(kind, data):
    n_total = data.draw(st.integers(3, 8))
    k = data.draw(st.integers(1, min(4, n_total)))
    if kind is Linear:
        conflicts = np.triu(data.draw(arrays(np.bool_, (n_total, n_total))), 1)
        values = data.draw(arrays(np.float64, n_total, elements=st.integers(0, 3).map(float)))
        quality = Linear(values, conflicts | conflicts.T)
        floor = data.draw(st.none() | st.floats(0, 6))
    else:
        quality, floor = data.draw(tied_qualities(kind, n_total)), None
    before = data.draw(st.lists(st.sets(st.integers(0, n_total - 1), min_size=1), max_size=2))
    settings = {
        "max_overlap": data.draw(st.integers(0, k)),
        "given": tuple(tuple(sorted(s)) for s in before),
        "constraints": Constraints(quality_floor=floor),
    }
    with pytest.MonkeyPatch.context() as patch:
        # With few sets in a list, the first of the best ones needs a second search.
        patch.setattr(_first_family, "_TIES", data.draw(st.sampled_from([1, 3, 1_000])))
        found = search_sequentially(quality, n_features=k, n_alternatives=3, **settings)
    step = Problem(quality, k, settings["max_overlap"], given=settings["given"],
                   constraints=settings["constraints"])  # fmt: skip
    for entry in found:
        expected = best(step) if kind is not Linear else best_sets(step)
        assert entry.status is (Status.OPTIMAL if expected else Status.INFEASIBLE)
        if not expected:
            break
        assert (entry.indices,) == expected
        assert entry.bound == entry.train_objective
        step = step.after(expected)


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_one_search_finds_the_best_set_and_the_first_of_equal_ones(kind, monkeypatch):
    # Features 1 and 2 are alike, so two of the best sets are.
    quality = kind([3.0, 2.0, 2.0, 1.0], np.zeros((4, 4)))
    source = SOLVERS[kind].source(Problem(quality, 2, 2))
    searches = []

    def run(limits, goal):
        searches.append(goal.mode)
        return type(source).run(source, limits, goal)

    monkeypatch.setattr(source, "run", run)
    chosen, _, _, _ = best_set(source, [], 1_000)
    assert (chosen.tolist(), searches) == ([0, 1], [BEST])
    monkeypatch.setattr(_first_family, "_TIES", 1)
    chosen, _, _, _ = best_set(source, [], 1_000)
    assert (chosen.tolist(), searches[1:3]) == ([0, 1], [BEST, SOME])


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
@examples(100)
@given(data=st.data())
def test_the_first_of_equal_families_from_the_last_one(kind, data):
    n_total = data.draw(st.integers(3, 7))
    k = data.draw(st.integers(1, min(3, n_total - 1)))
    overlap, n_sets = data.draw(st.integers(0, k - 1)), data.draw(st.integers(2, 3))
    quality = data.draw(tied_qualities(kind, n_total))
    problem = Problem(quality, k, overlap, n_sets, data.draw(st.sampled_from(["sum", "min"])))
    values = {s: integer_value(problem, s) for s in combinations(range(n_total), k)}
    aggregate = min if problem.aggregation == "min" else sum
    families = [
        (aggregate(values[s] for s in sets), sets)
        for sets in combinations(values, n_sets)
        if all(len(set(a) & set(b)) <= overlap for a, b in combinations(sets, 2))
    ]
    if not families:
        return
    value = max(v for v, _ in families)
    equal = [sets for v, sets in families if v == value]
    top = max(values.values())
    spare = data.draw(st.integers(0, 2))
    # Bounds that are not close make it longer, not wrong.
    dolls = None if aggregate is min else [r * (top + spare * abs(top)) for r in range(n_sets + 1)]
    source = SOLVERS[kind].source(problem)
    for most in (1, 40_000):
        family, first, _ = first_family(
            source, list(equal[-1]), value, overlap, dolls, most, 10_000_000
        )
        assert first
        assert tuple(family) == equal[0]
    family, first, _ = first_family(source, list(equal[-1]), value, overlap, dolls, 1, 150)
    assert tuple(family) in equal
    assert not first or tuple(family) == equal[0]


@examples(300)
@given(
    st.integers(0, 1 << 40), st.integers(1 << 30, 1 << 61), st.integers(0, 1 << 40),
    st.integers(-3, 3),
)  # fmt: skip
def test_ratios_are_rounded_down(gain, cost, more, off):
    exact = isqrt((gain * gain << 46) // (cost + (more << 30)))
    assert ratio_floor(gain, cost, more, exact + off) == exact


def cycles(n_total, chosen):
    """All pairs cost 2**-30 but those of neighbours on two circles, `chosen` and the others."""
    pairs = np.ones((n_total, n_total))
    for circle in (list(chosen), [j for j in range(n_total) if j not in chosen]):
        for a, b in zip(circle, circle[1:] + circle[:1], strict=True):
            pairs[a, b] = pairs[b, a] = 0
    return Ratio(np.ones(n_total), np.triu(pairs, 1) * 2.0**-30)


@pytest.mark.parametrize(
    "chosen", [(0, 4, 9, 14), (1, 2, 20, 21), (5, 6, 7, 8), (0, 1, 2, 3), (3, 8, 13, 18)]
)
def test_the_best_of_thousands_that_rounding_cannot_tell_apart(chosen):
    # A list of 1,000 near ties lost it, and the rest was called optimal.
    quality = cycles(22, chosen)
    result = search_sequentially(quality, n_features=4, n_alternatives=0, tau=0)
    assert result.status == [Status.OPTIMAL]
    assert result.sets == [chosen]
    assert quality.exact_values([chosen]) == [549755813760]
    assert result.bound[0] >= quality.evaluate(chosen)


WITHOUT_COSTS = {
    "equal, ratio": Ratio(np.ones(22), np.zeros((22, 22))),
    "worthless, ratio": Ratio(np.zeros(22), np.zeros((22, 22))),
    "worthless but for costs, ratio": Ratio(np.zeros(22), np.ones((22, 22))),
    "equal, pairwise": Pairwise(np.ones(22), np.zeros((22, 22))),
    "equal costs, pairwise": Pairwise(np.ones(22), np.ones((22, 22))),
}


@pytest.mark.parametrize("quality", WITHOUT_COSTS.values(), ids=WITHOUT_COSTS.keys())
def test_thousands_of_ties_are_decided_as_for_linear_qualities(quality):
    alike = Linear(np.ones(22))
    sizes = {"n_features": 4, "n_alternatives": 2}
    for tau in (1, 0.5):
        one_by_one = search_sequentially(quality, tau=tau, **sizes)
        assert one_by_one.sets == search_sequentially(alike, tau=tau, **sizes).sets
        for aggregation in ("sum", "min"):
            found = search_simultaneously(quality, tau=tau, aggregation=aggregation, **sizes)
            assert set(found.status) == {Status.OPTIMAL}
            assert found.sets == search_simultaneously(alike, tau=tau, **sizes).sets


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_more_ties_than_anything_could_list(kind):
    # 75 billion sets of 10 features, any of which is the best.
    quality = kind(np.ones(60), np.zeros((60, 60)))
    found = search_sequentially(quality, n_features=10, n_alternatives=1, tau=0.5)
    assert found.sets == [(*range(10),), (*range(5), *range(10, 15))]
    for aggregation in ("sum", "min"):
        found = search_simultaneously(
            quality, n_features=10, n_alternatives=2, tau=1, aggregation=aggregation
        )
        assert found.sets == [(*range(10),), (*range(10, 20),), (*range(20, 30),)]


@pytest.mark.parametrize("kind", [Pairwise, Ratio])
def test_the_first_of_too_many_equal_sets(kind):
    problem = Problem(kind(np.ones(22), np.zeros((22, 22))), 4, 4)
    found = all_best(problem, (0, 1, 2, 3), 30, 20.0)
    assert found.sets == list(combinations(range(22), 4))[:30]
    assert found.first
    assert not found.complete
    short = all_best(problem, (0, 1, 2, 3), 30, 0.01)
    assert short.sets[0] == (0, 1, 2, 3)
    assert len(set(short.sets)) == 30
    assert not short.first


@pytest.mark.parametrize("share", [0.5, 1e3, 4e5])
def test_all_features_are_taken(share):
    # Small next to the largest relevance: rounding was taken for something better.
    quality = Ratio([1.0, 0.0], [[0, 0], [share, 0]])
    found = search_sequentially(quality, n_features=2, n_alternatives=0, tau=1)
    assert found.status == [Status.OPTIMAL]
    assert found.sets == [(0, 1)]
    assert found.bound == found.objectives


def test_costs_beyond_63_bits():
    quality = Ratio(np.arange(1.0, 101.0), np.full((100, 100), 5e5))
    problem = Problem(quality, 98, 98, constraints=Constraints(include=(0, 1)))
    solution = solve(problem, Limits())
    assert solution.status is Status.OPTIMAL
    assert solution.sets == ((0, 1, *range(4, 100)),)
