"""Pareto search, judged by listing all families; the quick tests take 1.5 seconds of CPU."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altfs import AlternativeFeatures, Constraints
from altfs.errors import AltfsError, UnsupportedProblemError
from altfs.kinds.fronts.searches.pareto import Pareto, ParetoOptions
from altfs.problem import Group, Overlap, Problem
from altfs.problem.results import Status
from altfs.quality import BlackBox, Linear, Pairwise
from altfs.searches.simultaneous import Simultaneous
from altfs.solvers import Limits

KINDS = ("smallest", "average")


def pareto(kind="smallest", seed=0, **options):
    return Pareto(seed, ParetoOptions(dissimilarity=kind, **options))


def shared(problem, family, kind):
    """The largest number of features that pairs share, or 1 less their mean dissimilarity."""
    pairs = [*combinations(family, 2), *((s, g) for s in family for g in problem.given)]
    numbers = [len(set(a) & set(b)) for a, b in pairs]
    if kind == "smallest":
        return max(numbers, default=0)
    sizes = [len(a) + len(b) for a, b in pairs]
    if problem.overlap.dissimilarity == "dice":
        alike = [Fraction(2 * c, size) for c, size in zip(numbers, sizes, strict=True)]
    else:
        alike = [Fraction(c, size - c) for c, size in zip(numbers, sizes, strict=True)]
    return sum(alike, Fraction(0)) / max(len(pairs), 1)


def quality_of(problem, family):
    values = problem.quality.exact_values(family)
    return sum(values) if problem.aggregation == "sum" else min(values)


def listed(problem, kind):
    """The objectives of all families that no other one reaches: exact quality, and sharing."""
    k, n = problem.n_features, problem.quality.n_total
    alone = Problem(problem.quality, k, k, 1, "sum", (), problem.constraints)
    sets = [s for s in combinations(range(n), k) if alone.violation((s,)) is None]
    reached = {}
    for family in combinations_with_replacement(sets, problem.n_sets):
        value, amount = quality_of(problem, family), shared(problem, family, kind)
        reached[amount] = max(value, reached.get(amount, value))
    best = []
    for amount in sorted(reached):
        if not best or reached[amount] > best[-1][0]:
            best.append((reached[amount], amount))
    return best[::-1]


def objectives(problem, front, kind):
    return [(quality_of(problem, f), shared(problem, f, kind)) for f in front.families]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_the_front_of_a_linear_quality_is_that_of_all_families(kind, data):
    n = data.draw(st.integers(2, 6))
    k = data.draw(st.integers(1, min(n, 3)))
    values = data.draw(st.lists(st.integers(-3, 6), min_size=n, max_size=n))
    more = data.draw(st.sampled_from(["none", "given", "include"]))
    constraints = Constraints(include=(0,)) if more == "include" else Constraints()
    before = ((0, 1)[:n],) if more == "given" else ()
    n_sets = data.draw(st.integers(1, 3 if n < 6 else 2))
    overlap = Overlap(0, None, data.draw(st.sampled_from(["dice", "jaccard"])))
    problem = Problem(Linear(values), k, overlap, n_sets, "sum", before, constraints)
    front = pareto(kind).front(problem, Limits())
    assert front.proven
    assert objectives(problem, front, kind) == listed(problem, kind)
    if kind == "average" and (before or n_sets > 1):
        apart = [float(1 - shared(problem, family, kind)) for family in front.families]
        assert [dissimilarity for _, dissimilarity in front.objectives] == apart


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_limit_of_the_mean_is_answered_as_simultaneous_search_does(data):
    values = data.draw(st.lists(st.integers(-3, 6), min_size=5, max_size=5))
    measure = data.draw(st.sampled_from(["dice", "jaccard"]))
    tau = Fraction(data.draw(st.integers(0, 20)), 20)
    before = data.draw(st.sampled_from([(), ((0, 1),), ((0, 1, 2),)]))
    problem = Problem(
        Linear(values), 2, Overlap(tau, None, measure), 3, "sum", before, average=True
    )
    found, exact = (s.search(problem, Limits()) for s in (pareto("average"), Simultaneous()))
    assert found.status == exact.status
    assert {*found.status} <= {Status.OPTIMAL, Status.INFEASIBLE}
    assert found.run_objective == pytest.approx(exact.run_objective, nan_ok=True)


HARDER = {
    "minimum": ("min", Constraints()),
    "group": ("sum", Constraints(groups=(Group((0, 1), at_most=1),))),
    "floor": ("sum", Constraints(quality_floor=6.0)),
}


@pytest.mark.parametrize("what", HARDER)
def test_what_no_table_can_do_is_proven_mean_by_mean(what):
    quality, (aggregation, constraints) = Linear([5, 4, 4, 2, 1]), HARDER[what]
    problem = Problem(quality, 2, 1, 2, aggregation, ((0, 2),), constraints, average=True)
    search = pareto("average", generations=2, population=4)
    front = search.front(problem, Limits())
    assert front.proven and set(front.solvers) == {"cp_sat"}
    assert objectives(problem, front, "average") == listed(problem, "average")
    result = search.search(problem, Limits())
    assert result.status == [Status.OPTIMAL] * 2
    assert problem.violation(tuple(result.sets)) is None
    assert not search.front(problem, Limits(1e-9)).proven


def test_a_front_of_mean_jaccard_dissimilarities_is_proven_beyond_a_listing():
    # 220 sets have 1.8 million families of three.
    rng = np.random.default_rng(0)
    problem = Problem(Linear(rng.random(12)), 3, Overlap("0.6", None, "jaccard"), 3, average=True)
    front = pareto("average").front(problem, Limits())
    assert front.proven and set(front.solvers) == {"cp_sat"}
    for twentieths in range(21):
        tau = Fraction(twentieths, 20)
        limited = Problem(problem.quality, 3, Overlap(tau, None, "jaccard"), 3, average=True)
        best = next((f for f in front.families if limited.violation(f) is None), ())
        exact = Simultaneous().search(limited, Limits())
        assert problem.objective(best) == pytest.approx(exact.run_objective)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("aggregation", "n_sets", "n"),
    [("sum", 2, 5), ("min", 3, 5), ("min", 2, 7), ("sum", 3, 7), ("min", 3, 7)],
)
def test_all_sizes_of_up_to_seven_features(kind, n_sets, n, aggregation):
    # Some 6 seconds of CPU for all.
    rng = np.random.default_rng(n)
    for k, values in ((2, rng.random(n)), (3, rng.integers(0, 3, n)), (3, rng.normal(size=n))):
        problem = Problem(Linear(values), k, k, n_sets, aggregation)
        front = pareto(kind).front(problem, Limits())
        assert front.proven
        assert objectives(problem, front, kind) == listed(problem, kind)


PAIRS = Pairwise([0.9, 0.8, 0.7, 0.5, 0.2], np.linspace(0, 1, 25).reshape(5, 5))


@pytest.mark.parametrize("quality", [Linear([5, 4, 4, 2, 1]), PAIRS], ids=["linear", "pairs"])
@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_points_are_the_answers_of_exact_search(quality, aggregation):
    problem = Problem(quality, 2, 2, 3, aggregation)
    front = pareto().front(problem, Limits())
    exact = [
        Simultaneous().search(Problem(quality, 2, c, 3, aggregation), Limits()) for c in range(3)
    ]
    best = {tuple(one.sets) for one in exact if all(one.sets)}
    assert front.proven
    assert set(front.families) <= best
    assert objectives(problem, front, "smallest") == listed(problem, "smallest")
    for overlap, answer in enumerate(exact):
        found = pareto().search(Problem(quality, 2, overlap, 3, aggregation), Limits())
        assert found.status == answer.status
        assert found.run_objective == pytest.approx(answer.run_objective, nan_ok=True)


def test_a_mean_overlap_is_answered_by_the_average_front():
    rng = np.random.default_rng(1)
    quality = Linear(rng.random(9))
    for overlap in range(4):
        problem = Problem(quality, 3, overlap, 3, average=True)
        found, exact = (s.search(problem, Limits()) for s in (pareto("average"), Simultaneous()))
        assert found.status == exact.status == [Status.OPTIMAL] * 3
        assert found.run_objective == pytest.approx(exact.run_objective)
        assert problem.violation(tuple(found.sets)) is None
        # A front of another dissimilarity proves nothing about the mean.
        other = pareto("smallest").search(problem, Limits())
        assert other.status == [Status.FEASIBLE] * 3
        assert other.run_objective <= found.run_objective + 1e-9


def plain_sum(values, **options):
    return BlackBox(lambda s: sum(values[j] for j in s), len(values), 50.0, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_nsga_ii_finds_a_small_front(kind):
    values = [8.0, 7.0, 5.0, 4.0, 1.0, 0.0]
    problem = Problem(plain_sum(values), 2, 2, 2)
    search = pareto(kind, generations=10, population=20)
    front = search.front(problem, Limits())
    assert not front.proven
    assert objectives(problem, front, kind) == listed(problem, kind)
    assert set(front.solvers) == {"nsga_ii"}
    assert front.work <= 15
    # The same seed, the same front.
    assert pareto(kind, generations=10, population=20).front(problem, Limits()) == front
    result = search.search(Problem(plain_sum(values), 2, 1, 2), Limits())
    assert result.status == [Status.FEASIBLE] * 2
    assert result.sets == [(0, 1), (0, 2)]
    assert result.run_objective == 28.0


def test_nsga_ii_keeps_to_constraints_and_limits():
    constraints = Constraints(groups=(Group((0, 1, 2), at_most=1),), quality_floor=4.0)
    quality = plain_sum([8.0, 7.0, 5.0, 4.0, 1.0, 0.0], max_iterations=9)
    problem = Problem(quality, 2, 1, 2, "min", ((0, 3),), constraints)
    front = pareto(generations=10, population=8).front(problem, Limits())
    assert front.families
    assert front.work <= 9
    everything = Problem(quality, 2, 2, 2, "min", ((0, 3),), constraints)
    assert all(everything.violation(family) is None for family in front.families)


@pytest.mark.parametrize(("rank", "overlap"), [(1, 2), (5, 2), (5, 1)])
def test_a_floor_that_few_sets_reach_has_families(rank, overlap):
    rng = np.random.default_rng(0)
    redundancy = rng.random((12, 12)) * 0.15
    quality = Pairwise(rng.random(12) * 0.2, redundancy + redundancy.T)
    values = sorted(map(quality.evaluate, combinations(range(12), 3)), reverse=True)
    floor = values[rank] - 1e-6
    constraints = Constraints(quality_floor=floor)
    problem = Problem(quality, 3, overlap, 2, "sum", (), constraints)
    result = pareto().search(problem, Limits())
    assert problem.violation(tuple(result.sets)) is None
    valid = [s for s in combinations(range(12), 3) if quality.evaluate(s) >= floor]
    best = max(
        problem.objective(family)
        for family in combinations(valid, 2)
        if problem.violation(family) is None
    )
    assert result.run_objective == pytest.approx(best)


def test_a_floor_that_no_set_reaches_is_not_a_matter_of_tau():
    asked = {"n_features": 1, "n_alternatives": 1, "tau": 0}
    quality = Pairwise([0.3, 0.2, 0.1], np.zeros((3, 3)))
    afs = AlternativeFeatures(
        quality, "pareto", constraints=Constraints(quality_floor=0.5), **asked
    )
    said = "reach the quality floor 0.5 do not exist, use a smaller tau, fewer sets or a lower"
    with pytest.raises(AltfsError, match=said):
        afs.fit(np.zeros((2, 3)))


def test_what_cannot_be_different_enough():
    # Five features hold no two disjoint sets of three.
    for asked in (Problem(Linear(range(5)), 3, 0, 2), Problem(Linear([1, 2]), 2, 1, 2)):
        result = pareto().search(asked, Limits())
        assert result.status == [Status.INFEASIBLE] * 2
    result = pareto(generations=2, population=4).search(
        Problem(plain_sum([1.0, 2.0, 3.0]), 2, 0, 2), Limits()
    )
    assert result.status == [Status.UNKNOWN] * 2
    assert not any(result.sets)


def test_given_sets_of_another_size_prove_nothing():
    quality = Linear([5, 4, 3, 2, 1])
    problem = Problem(quality, 2, Overlap("0.5"), 2, "sum", ((0, 1, 2),))
    result = pareto().search(problem, Limits())
    assert problem.violation(tuple(result.sets)) is None
    assert result.status == [Status.FEASIBLE] * 2


def test_the_front_of_an_estimator():
    X = np.random.default_rng(0).normal(size=(60, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    asked = {"search": "pareto", "n_features": 2, "n_alternatives": 1, "tau": 0.5}
    afs = AlternativeFeatures("mutual_information", **asked).fit(X, y)
    front = afs.front_
    assert list(front["dissimilarity"].unique()) == [0.0, 0.5, 1.0]
    assert list(front.columns) == ["point", "set_index", "feature_names", "selected",
                                   "train_objective", "quality", "dissimilarity"]  # fmt: skip
    chosen = front[front["dissimilarity"] == 0.5]["selected"].map(tuple)
    assert set(chosen) == {one.indices for one in afs.feature_sets_}
    drawn = afs.plot("front").to_dict()
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["line", "point"]
    # With a prescreen, numbers are those of all columns.
    few = AlternativeFeatures("mutual_information", **asked, prescreen=3).fit(X[:, ::-1], y)
    front = few.front_
    assert all([f"x{j}" for j in row.selected] == row.feature_names for row in front.itertuples())
    (rows,) = few.plot("front").to_dict()["datasets"].values()
    assert [row["family"] for row in rows].count("chosen") == 1
    with pytest.raises(UnsupportedProblemError, match="needs a front of curves"):
        afs.plot("curves")
    with pytest.raises(AltfsError, match="this search has no front of curves, use"):
        afs.front_set(0.5)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"dissimilarity": "largest"}, "dissimilarity: 'largest' is not allowed|dissimilarity"),
        ({"population": 3}, "population"),
        ({"generations": 0}, "generations"),
        ({"crossover": 1.1}, "crossover"),
        ({"mutation": -0.1}, "mutation"),
        ({"tau": 1}, "tau"),
    ],
)
def test_bad_options_are_one_sentence(options, text):
    afs = AlternativeFeatures([3, 2, 1], {"type": "pareto", "options": options}, n_features=1)
    with pytest.raises(AltfsError, match=text) as error:
        afs.fit(np.zeros((2, 3)))
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)
