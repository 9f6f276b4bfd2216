"""Several sets at once whose sizes may differ: judged by looking at every family there is."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import examples

from altfs import AlternativeFeatures, Constraints, Group, quality
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.problem import Overlap, Problem
from altfs.problem.constraints import NO_CONSTRAINTS
from altfs.problem.overlap import dissimilarity_of
from altfs.problem.results import Status
from altfs.solvers.sizes.kernels import pick

KINDS = ["linear", "conflicts", "pairwise", "diagonal", "ratio"]
EVERY_SOLVER = [
    Constraints(),
    Constraints(include=(2,), exclude=(0,)),
    Constraints(groups=(Group((0, 1, 3), at_most=1),)),
    Constraints(exclusive=((1, 2), (3, 4))),
]
LINEAR_ONLY = [
    Constraints(groups=(Group((0, 1, 4), at_least=1), Group((2, 3), all_or_none=True))),
    Constraints(costs=(3, 1, 1, 0.1, 0.2, 0.1), budget=1.3),
    Constraints(quality_floor=3),
    Constraints(quality_floor=2, exclude=(1,)),
]


def fitted(known, **parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        afs = AlternativeFeatures(known, "simultaneous", **parameters)
        return afs.fit(np.zeros((2, getattr(known, "n_total", 0) or len(known))))


def value(known, chosen, constraints):
    single = Problem(known, len(chosen), len(chosen), constraints=constraints)
    return single.quality.exact_values([chosen])[0]


def best_family(known, sizes, n_sets, fits, aggregation, given=(), constraints=NO_CONSTRAINTS):
    """The canonical optimum and its exact objective: sizes decide first, then the sets."""
    there = [
        s
        for k in range(sizes[0], sizes[1] + 1)
        for s in combinations(range(known.n_total), k)
        if Problem(known, k, k, constraints=constraints).violation((s,)) is None
        and all(fits(s, g) for g in given)
    ]
    values = {s: value(known, s, constraints) for s in there}
    combine = sum if aggregation == "sum" else min
    best = None
    # Smallest sets first and lexicographic within a size, as `there` is.
    for family in families(there, n_sets, fits):
        objective = combine(values[s] for s in family)
        order = (tuple(map(len, family)), family)
        if best is None or objective > best[0] or (objective == best[0] and order < best[1]):
            best = objective, order
    return (None, None) if best is None else (list(best[1][1]), best[0])


def families(there, n_sets, fits, chosen=(), start=0):
    if len(chosen) == n_sets:
        yield chosen
        return
    for i in range(start, len(there)):
        # A set goes with itself only where sets need not differ.
        if all(fits(there[i], s) for s in chosen):
            yield from families(there, n_sets, fits, (*chosen, there[i]), i)


@st.composite
def requests(draw, kinds=KINDS, wanted=EVERY_SOLVER):
    n_total = draw(st.sampled_from([5, 6]))
    values = draw(
        st.lists(st.integers(-1, 4), min_size=n_total, max_size=n_total)
        | st.lists(st.sampled_from([0.1, 0.3, 0.7, 1.1]), min_size=n_total, max_size=n_total)
    )
    pairs = np.abs(np.outer(values, values)) % 3
    kind = draw(st.sampled_from(kinds))
    known = {
        "linear": lambda: quality.Linear(values),
        "conflicts": lambda: quality.Linear(values, pairs > 1.5),
        "pairwise": lambda: quality.Pairwise(values, pairs),
        "diagonal": lambda: quality.Pairwise(values, pairs, diagonal=True),
        "ratio": lambda: quality.Ratio(np.abs(values), pairs),
    }[kind]()
    constraints = draw(st.sampled_from(wanted))
    if constraints.costs is not None:
        constraints = Constraints(costs=constraints.costs[:n_total], budget=constraints.budget)
    return known, {
        "n_features": draw(st.sampled_from([(1, 2), (1, 3), (2, 3), (2, 4), (3, 3)])),
        "n_alternatives": draw(st.integers(0, 2)),
        "aggregation": draw(st.sampled_from(["sum", "min"])),
        "given": draw(st.sampled_from([(), ((0, 4),), ((1, 2, 3),)])),
        "constraints": constraints,
    }


def judge(known, parameters, fits, **how):
    sizes, n_sets = parameters["n_features"], parameters["n_alternatives"] + 1
    constraints, aggregation = parameters["constraints"], parameters["aggregation"]
    expected, _ = best_family(
        known, sizes, n_sets, fits, aggregation, parameters["given"], constraints
    )
    if expected is None:
        with pytest.raises(NoFeatureSetError, match=r"of these sizes|feature sets found, as"):
            fitted(known, **parameters, **how)
        return
    result = fitted(known, **parameters, **how).search_result_
    assert result.sets == expected
    assert set(result.status) == {Status.OPTIMAL}
    combine = sum if aggregation == "sum" else min
    assert result.run_objective == combine([known.evaluate(s) for s in expected])
    assert result.run_bound == pytest.approx(result.run_objective)


def judge_by_tau(asked, tau, dissimilarity):
    def fits(a, b):
        # Sets differ by a feature whatever tau is.
        return set(a) != set(b) and dissimilarity_of(a, b, dissimilarity) >= tau

    judge(*asked, fits, tau=tau, dissimilarity=dissimilarity)


@given(
    requests(),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(["dice", "jaccard"]),
)
@examples(150)
def test_the_family_is_the_best_of_all_sizes(asked, tau, dissimilarity):
    judge_by_tau(asked, tau, dissimilarity)


@given(
    requests(["linear", "conflicts"], LINEAR_ONLY),
    st.fractions(0, 1, max_denominator=6),
    st.sampled_from(["dice", "jaccard"]),
)
@examples(100)
def test_linear_qualities_honour_every_constraint(asked, tau, dissimilarity):
    judge_by_tau(asked, tau, dissimilarity)


@given(requests(), st.integers(0, 2))
@examples(40)
def test_one_overlap_for_every_pair(asked, overlap):
    known, parameters = asked

    def fits(a, b):
        return len(set(a) & set(b)) <= overlap

    judge(known, parameters, fits, max_overlap=min(overlap, parameters["n_features"][1]))


@given(
    st.lists(st.floats(-0.5, 1), min_size=11, max_size=11),
    st.fractions(0, 1, max_denominator=5),
    st.sampled_from(["sum", "min"]),
    st.sampled_from(["linear", "pairwise", "ratio"]),
    st.sampled_from([3, 4]),
)
@examples(20)
def test_more_sets_than_can_be_looked_at_one_by_one(values, tau, aggregation, kind, n_sets):
    """Judged by a program that picks the best of all sets that there are."""
    pairs = np.abs(np.outer(values, values)) * 3
    known = {
        "linear": lambda: quality.Linear(values),
        "pairwise": lambda: quality.Pairwise(values, pairs),
        "ratio": lambda: quality.Ratio(np.abs(values), pairs),
    }[kind]()
    sizes = (2, 4)
    there = [s for k in range(2, 5) for s in combinations(range(11), k)]
    exact = [int(value(known, s, NO_CONSTRAINTS) * 144) for s in there]
    order = sorted(range(len(there)), key=lambda i: -exact[i])
    # Sets differ by a feature whatever tau is.
    least = tau or Fraction(1, 10**6)
    table = [[Overlap(least)(a, b) for b in range(2, 5)] for a in range(2, 5)]
    complete, best, _, _ = pick(
        np.array([exact[i] for i in order]),
        np.array([[sum(1 << j for j in there[i])] for i in order], dtype=np.uint64),
        np.array([len(there[i]) - 2 for i in order]),
        np.array(table),
        n_sets,
        aggregation == "min",
        np.full(n_sets, 1 << 60),
        -(1 << 61),
        20_000_000,
    )
    parameters = {"n_features": sizes, "n_alternatives": n_sets - 1, "tau": tau}
    if best == -(1 << 61):
        assert complete
        with pytest.raises(NoFeatureSetError, match="do not exist"):
            fitted(known, **parameters, aggregation=aggregation)
        return
    result = fitted(known, **parameters, aggregation=aggregation).search_result_
    worth = [int(value(known, s, NO_CONSTRAINTS) * 144) for s in result.sets]
    total = min(worth) if aggregation == "min" else sum(worth)
    assert total == best if complete else total >= best
    assert result.status[0] is Status.OPTIMAL
    for a, b in combinations(result.sets, 2):
        assert dissimilarity_of(a, b) >= tau


def test_sizes_differ_where_that_is_better():
    known = quality.Pairwise([9, 8, 7, 1, 1, 1], np.full((6, 6), 1.5))
    afs = fitted(known, n_features=(1, 3), n_alternatives=2, tau=0.2, aggregation="min")
    assert [s.indices for s in afs.feature_sets_] == [(0,), (1,), (2,)]
    budget = Constraints(costs=(3, 1, 1, 1, 2, 1), budget=3)
    afs = fitted([5.0, 2, 2, 2, 3, 1], n_features=(1, 3), n_alternatives=1, constraints=budget)
    assert afs.search_result_.sets == [(0,), (1, 2, 3)]
    assert afs.dissimilarities_[0, 1] == 1


def test_equal_values_give_the_smallest_sizes_then_the_first_sets():
    # A set of two and one of four are as good as two of three or of four.
    afs = fitted([1.0, 1, 0, 0, 0, 0], n_features=(2, 4), n_alternatives=1, tau=0.3)
    assert afs.search_result_.sets == [(0, 1), (0, 1, 2, 3)]
    result = fitted([0.0] * 6, n_features=(2, 4), n_alternatives=2, tau=0.6).search_result_
    assert result.sets == [(0, 1), (2, 3), (4, 5)]
    # Sets differ by a feature whatever tau is.
    other = fitted([3.0, 2, 1], n_features=(1, 2), n_alternatives=2, tau=0).search_result_
    assert other.sets == [(0,), (0, 1), (0, 2)]


def test_a_relative_floor_refers_to_the_best_set_of_any_size():
    wanted = Constraints(relative_floor=0.7)
    values = [4.0, 3.0, 2.0, 1.0, 1.0, 0.5]
    afs = fitted(values, n_features=(1, 3), n_alternatives=2, tau=0.1, constraints=wanted)
    known, number = quality.Linear(values), Constraints(quality_floor=0.7 * 9)
    expected, _ = best_family(
        known, (1, 3), 3, lambda a, b: dissimilarity_of(a, b) >= 0.1, "sum", (), number
    )
    assert afs.search_result_.sets == expected


@pytest.mark.parametrize("aggregation", ["sum", "min"])
def test_wrappers_take_the_best_that_is_found(aggregation):
    values = np.array([1.0, 2.0, -1.0, 3.0, -2.0, 0.5])
    known = quality.BlackBox(lambda s: float(values[list(s)].sum()), 6, 6.5)
    wanted = Constraints(costs=(1, 1, 1, 1, 1, 1), budget=3, exclusive=((1, 3),))
    asked = {"n_features": (1, 4), "n_alternatives": 2, "tau": 0.4, "aggregation": aggregation}
    afs = fitted(known, constraints=wanted, given=((0, 1),), **asked)
    result = afs.search_result_
    assert set(result.status) == {Status.FEASIBLE}
    assert result.run_bound == (19.5 if aggregation == "sum" else 6.5)
    for a, b in combinations([*result.sets, (0, 1)], 2):
        assert dissimilarity_of(a, b) >= 0.4
    for s in result.sets:
        assert len(s) <= 3
        assert not {1, 3} <= set(s)
    with pytest.raises(NoFeatureSetError, match="do not exist: there are 6"):
        fitted(known, n_features=(1, 2), n_alternatives=6, tau=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("kind", "aggregation"), [("linear", "sum"), ("pairwise", "min"), ("ratio", "min")]
)
def test_what_is_not_proven_has_a_bound(kind, aggregation):
    rng = np.random.default_rng(3)
    values, pairs = rng.random(40).round(3), rng.random((40, 40))
    asked = {"n_features": (7, 9), "n_alternatives": 3, "tau": 0.7, "work": 0.02}
    known = quality.Linear(values)
    if kind == "linear":
        # With costs that are the values a budget makes it a puzzle.
        asked["constraints"] = Constraints(costs=tuple(values), budget=3.2)
    else:
        known = (quality.Pairwise if kind == "pairwise" else quality.Ratio)(values, pairs)
    result, again = (
        fitted(known, aggregation=aggregation, **asked).search_result_ for _ in range(2)
    )
    assert set(result.status) == {Status.FEASIBLE}
    assert result.run_bound > result.run_objective
    for a, b in combinations(result.sets, 2):
        assert dissimilarity_of(a, b) >= 0.7
    assert (again.sets, again.run_bound) == (result.sets, result.run_bound)


def test_answers_about_sets_found_together():
    known = quality.Pairwise([6, 5, 4, 3, 2, 1], np.ones((6, 6)))
    afs = fitted(known, n_features=(2, 3), n_alternatives=1, tau=0.5)
    curve = afs.explain().tau_curve_sets
    for tau, group in curve.groupby("tau"):
        expected, _ = best_family(
            known, (2, 3), 2, lambda a, b, t=tau: float(dissimilarity_of(a, b)) >= t - 1e-6, "sum"
        )
        assert sorted(map(tuple, group["selected"])) == sorted(expected)
    assert "All 2 requested sets of 2 to 3 features were found." in str(afs.explain())
    assert afs.plot("trade_off").to_dict()


def test_a_problem_of_known_sizes_judges_every_pair_by_its_sizes():
    known = quality.Linear(np.ones(8))
    mixed = Problem(known, (2, 4), Overlap(tau=0.5), 2, given=((0, 1, 2, 3),))
    assert mixed.sizes == (2, 4)
    assert mixed.violation(((0, 4), (4, 5, 6, 7))) is None
    wrong = "set (4, 5, 6) does not have 2 or 4 features"
    assert mixed.violation(((4, 5, 6), (0, 4))) == wrong
    assert "overlap in 2 features, 1 are allowed" in mixed.violation(((4, 5), (4, 5, 6, 7)))
    assert "overlap in 2 features, 1 are allowed" in mixed.violation(((0, 1), (4, 5, 6, 7)))
    assert mixed.of_size(4).sizes == (4,)
    assert mixed.of_size(4).violation(((0, 4, 5, 6), (0, 1, 2, 7))) is not None


def test_too_few_sets_are_explained():
    known = quality.Linear([6.0, 5, 4, 3, 2, 1])
    afs = AlternativeFeatures(known, "simultaneous", n_features=(3, 4), n_alternatives=2, tau=1)
    with pytest.raises(NoFeatureSetError, match="do not exist: there are 2, use a smaller tau"):
        afs.fit(np.zeros((2, 6)))
    nearest = afs.explain().nearest.set_index("change")
    assert nearest.loc["n_features", "instead"] == "(2, 4)"
    assert nearest.loc["n_alternatives", "instead"] == "1"
    # The best set of four leaves one feature, two sets at once share the five.
    in_turn = AlternativeFeatures(
        known, n_features=(2, 4), n_alternatives=1, tau=1, constraints=Constraints(exclude=(5,))
    )
    with pytest.warns(FewerSetsWarning, match="no further set of any of these sizes"):
        in_turn.fit(np.zeros((2, 6)))
    offer = in_turn.explain().nearest.set_index("change").loc["search"]
    assert (offer["instead"], offer["n_sets"], offer["mean_objective"]) == ("simultaneous", 2, 10)


@pytest.mark.parametrize("changes", [{"n_features": "2-3"}, {"given": [(0,)], "n_features": 3}])
def test_the_curve_of_tau_holds_what_was_found_where_it_says_as_asked(changes):
    asked = {"n_alternatives": 3, "tau": 0.6, **changes}
    afs = AlternativeFeatures([4, 3, 2, 1, 0.5], **asked)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        afs.fit(np.zeros((2, 5)))
    curve = afs.explain().tau_curve_sets
    here = curve[curve["asked"]]
    assert set(here["tau"]) == {0.6}
    assert [tuple(s) for s in here["selected"]] == afs.search_result_.sets


class Own(quality.Quality):
    n_total = 4

    def evaluate(self, indices):
        return float(len(indices))


@pytest.mark.parametrize(
    ("known", "changes", "said"),
    [
        (np.ones(8), {"search": "random"}, "the search 'sequential' or 'simultaneous'"),
        (
            np.ones(30),
            {"n_features": (1, 20), "n_alternatives": 9},
            "10 sets can have 20 sizes in 20030010 ways, at most 50000 are searched",
        ),
        (
            quality.Pairwise(np.ones(30), np.ones((30, 30))),
            {"n_features": (1, 25)},
            "2 sets of 1 to 25 features cannot be added up exactly, use a smaller range",
        ),
        (Own(), {}, "no solver can handle sets of several sizes at once of a Own quality"),
    ],
)
def test_what_cannot_be_done_is_refused(known, changes, said):
    asked = {"search": "simultaneous", "n_features": (1, 2), "n_alternatives": 1, **changes}
    n_total = len(known) if isinstance(known, np.ndarray) else known.n_total
    with pytest.raises(AltfsError, match=said):
        AlternativeFeatures(known, asked.pop("search"), **asked).fit(np.zeros((2, n_total)))
