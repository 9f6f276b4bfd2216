"""The answers of `explain`, judged by brute force and by the searches themselves."""

import pickle
import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from brute_force import best_sets, scaled_objective
from hypothesis import given
from hypothesis import strategies as st
from made_up import dead_end
from marks import examples
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError

from altfs import AlternativeFeatures, Constraints, Group, explain_feasibility, quality
from altfs.errors import AltfsError, FewerSetsWarning, NoFeatureSetError
from altfs.library.answers.counts import bounds
from altfs.problem import Problem


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


def fitted(worth, search="sequential", **parameters):
    afs = AlternativeFeatures(worth, search, **parameters)
    n_total = worth.n_total if isinstance(worth, quality.Quality) else len(worth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        return afs.fit(np.zeros((2, n_total)))


def best_without(problem, feature):
    """The canonical best set that does not hold a feature."""
    sets = [
        s
        for s in combinations(range(problem.quality.n_total), problem.n_features)
        if feature not in s and problem.violation((s,)) is None
    ]
    # The integers in which sets are compared depend on the features that a set can hold.
    left_out = (*problem.constraints.exclude, feature)
    exact = problem.quality.under(exclude=left_out).exact_values
    return max(sets, key=lambda s: (exact([s])[0], [-j for j in s]), default=())


VALUES = st.lists(st.integers(0, 6), min_size=6, max_size=7)


@given(VALUES, st.integers(1, 3), st.booleans(), st.booleans())
@examples(25)
def test_substitutes_are_the_best_set_without_the_feature(values, k, pairs, limited):
    worth = quality.Linear(values)
    if pairs:
        worth = quality.Pairwise(values, np.outer(values, values) / 3)
    constraints = Constraints(exclude=(0,), groups=(Group((1, 2), at_most=1),)) if limited else None
    earlier = [(3, 4, 5)[:k]]
    request = {"n_features": k, "max_overlap": k - 1, "n_alternatives": 0, "given": earlier}
    afs = fitted(worth, **request, constraints=constraints)
    problem = Problem(
        worth, k, k - 1, given=tuple(earlier), constraints=constraints or Constraints()
    )
    table = afs.explain().substitutes
    assert list(table["feature"]) == list(afs.feature_sets_[0].names)
    for j, row in zip(afs.feature_sets_[0].indices, table.itertuples(), strict=True):
        result = best_without(problem, j)
        assert row.feature_names == [f"x{i}" for i in result]
        assert row.status == ("optimal" if result else "infeasible")
        if result:
            assert row.train_objective == worth.evaluate(result)
            assert row.loss == afs.feature_sets_[0].train_objective - row.train_objective
            assert set(row.comes_in) == set(row.feature_names) - set(afs.feature_sets_[0].names)
            assert f"x{j}" in row.goes_out


def test_a_feature_that_has_to_be_there_can_be_left_out_in_thought():
    constraints = Constraints(include=("x3",), groups=(Group((0, 1), at_least=1),))
    afs = fitted([4.0, 3.0, 2.0, 1.0], n_features=2, n_alternatives=0, constraints=constraints)
    table = afs.explain().substitutes.set_index("feature")
    assert afs.feature_sets_[0].names == ("x0", "x3")
    assert table.loc["x3", "feature_names"] == ["x0", "x1"]
    assert table.loc["x0", "feature_names"] == ["x1", "x3"]
    needed = fitted([4.0, 3.0], n_features=2, n_alternatives=0)
    assert list(needed.explain().substitutes["status"]) == ["infeasible"] * 2
    assert "Without x0: no set exists." in str(needed.explain())


def test_substitutes_of_a_black_box_are_those_of_the_climber_without_the_feature():
    values = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    worth = quality.BlackBox(lambda s: float(values[list(s)].sum()), 5, 15.0)
    afs = fitted(worth, n_features=2, n_alternatives=0, given=[(0, 1)], max_overlap=1)
    table = afs.explain().substitutes.set_index("feature")
    assert set(table["status"]) == {"feasible"}
    for feature, row in table.iterrows():
        assert feature not in row["feature_names"] and set(row["feature_names"]) != {"x0", "x1"}
    assert "a better one is not ruled out" in str(afs.explain())


WORTH = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 0.5])
EXPENSIVE = Constraints(
    exclude=(1,),
    groups=(Group((2, 4), all_or_none=True),),
    costs=(2.0, 0.0, 1.0, 1.0, 1.0, 0.0),
    budget=3.0,
)


@pytest.mark.parametrize("search", ["sequential", "enumeration"])
def test_substitutes_of_a_black_box_have_what_was_asked_for(search):
    worth = quality.BlackBox(lambda s: float(WORTH[list(s)].sum()), 6, 15.0)
    afs = fitted(worth, search, n_features=3, n_alternatives=0, constraints=EXPENSIVE)
    table = afs.explain().substitutes
    assert len(table) == 3
    for row in table.itertuples():
        there = best_without(Problem(worth, 3, 3, constraints=EXPENSIVE), int(row.feature[1:]))
        assert (row.status == "infeasible") == (there == ())
        chosen = tuple(int(name[1:]) for name in row.feature_names)
        if chosen:
            assert row.feature not in row.feature_names
            assert EXPENSIVE.violation(chosen, worth) is None


PAIRS = quality.Pairwise(WORTH, np.full((6, 6), 0.25))


@pytest.mark.parametrize("search", ["enumeration", "local_search", "random"])
def test_what_no_exact_solver_carries_is_explained_all_the_same(search):
    constraints = Constraints(quality_floor=2.0)
    afs = fitted(
        PAIRS, search, n_features=3, n_alternatives=1, max_overlap=2, constraints=constraints
    )
    answers = afs.explain()
    assert "What could take a feature's place" in str(answers)
    for row in answers.substitutes.itertuples():
        there = [
            s
            for s in combinations(range(6), 3)
            if int(row.feature[1:]) not in s and constraints.violation(s, PAIRS) is None
        ]
        best = max(map(PAIRS.evaluate, there), default=float("nan"))
        # Few sets are all looked at, whichever search it was.
        assert row.status == ("optimal" if there else "infeasible")
        assert row.train_objective == pytest.approx(best, nan_ok=True)
    values = {s: PAIRS.evaluate(s) for s in combinations(range(6), 3)}
    best = max(values.values())
    tied = [s for s, value in values.items() if value == best]
    assert sorted(s.indices for s in afs.all_optimal().feature_sets) == (tied if best >= 2 else [])


@pytest.mark.parametrize("search", ["enumeration", "local_search"])
def test_a_floor_that_only_evaluation_can_judge_is_not_judged_by_others(search):
    # Two disjoint sets of three would exist, but the second one is below the floor.
    request = {"n_features": 3, "n_alternatives": 1, "tau": 1}
    constraints = Constraints(quality_floor=3.0)
    afs = AlternativeFeatures(PAIRS, search, constraints=constraints, **request)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewerSetsWarning)
        with pytest.raises((NoFeatureSetError, FewerSetsWarning), match=r"floor 3 were|work limit"):
            afs.fit(np.zeros((2, 6)))
    assert "do not exist" not in afs.explain().reason
    worth = explain_feasibility(PAIRS, constraints=constraints, **request)
    assert (worth.n_sets, worth.exact, worth.max_overlap) == (0, False, None)
    assert "not known to exist" in worth.sentence
    # What does not exist whatever the floor is stays proven.
    more = explain_feasibility(PAIRS, constraints=constraints, **{**request, "n_alternatives": 2})
    assert "3 sets of 3 features with at most 0 in common do not exist" in more.sentence


@given(VALUES, st.sampled_from(["sum", "min"]), st.sampled_from(["dice", "jaccard"]))
@examples(10)
def test_the_curve_is_the_optimum_at_every_overlap(values, aggregation, kind):
    worth = quality.Linear(values)
    sizes = {"n_features": 2, "n_alternatives": 2}
    afs = fitted(
        worth, "simultaneous", **sizes, max_overlap=1, aggregation=aggregation, dissimilarity=kind
    )
    explanation = afs.explain()
    table, curve = explanation.tau_curve_sets, explanation.tau_curve
    assert list(curve["max_overlap"]) == [2, 1, 0]
    assert list(curve["tau"].round(3)) == [0, 0.5 if kind == "dice" else 0.667, 1]
    assert list(curve["asked"]) == [False, True, False]
    for overlap, group in table.groupby("max_overlap"):
        problem = Problem(worth, 2, overlap, 3, aggregation)
        best = best_sets(problem)
        result = tuple(sorted(tuple(s) for s in group["selected"] if s))
        if best is None:
            assert result == () and set(group["status"]) == {"infeasible"}
            assert curve.set_index("max_overlap").loc[overlap, "n_sets"] == 0
        else:
            assert scaled_objective(problem, result) == scaled_objective(problem, best)
            row = curve.set_index("max_overlap").loc[overlap]
            assert row["mean_objective"] == pytest.approx(group["train_objective"].mean())
            assert row["min_objective"] == group["train_objective"].min()
            assert row["status"] == "optimal"


def test_the_curve_of_sequential_search_says_where_sets_end():
    afs = fitted([3.0, 2.0, 1.0, 0.5], n_features=2, n_alternatives=2, tau=0)
    curve = afs.explain().tau_curve.set_index("max_overlap")
    assert list(curve["n_sets"]) == [3, 3, 2]
    assert list(curve["mean_of_best"]) == pytest.approx([1, (5 + 4 + 3.5) / 15, 6.5 / 10])
    assert curve.loc[0, "status"] == "infeasible"


def largest_family(problem):
    sets = [
        frozenset(s)
        for s in combinations(range(problem.quality.n_total), problem.n_features)
        if problem.violation((s,)) is None
    ]

    def extend(start, chosen):
        fitting = [
            i for i in range(start, len(sets))
            if all(len(sets[i] & c) <= problem.max_overlap for c in chosen)
        ]  # fmt: skip
        return max((extend(i + 1, [*chosen, sets[i]]) for i in fitting), default=len(chosen))

    return extend(0, [])


@given(st.integers(4, 6), st.integers(1, 3), st.data())
@examples(20)
def test_counts_are_bounds_on_what_exists(n_total, k, data):
    overlap = data.draw(st.integers(0, k - 1))
    constraints = data.draw(
        st.sampled_from(
            [
                Constraints(),
                Constraints(include=(1,)),
                Constraints(exclude=(0,)),
                Constraints(groups=(Group((0, 1, 2), at_most=1),)),
                Constraints(costs=(1.0,) * 3 + (2.0,) * (n_total - 3), budget=4.0),
            ]
        )
    )
    conflicts = np.zeros((n_total, n_total), dtype=bool)
    conflicts[0, 3] = data.draw(st.booleans())
    worth = quality.Linear(np.ones(n_total), conflicts)
    problem = Problem(worth, k, overlap, constraints=constraints)
    low, high = bounds(problem)
    assert low <= largest_family(problem) <= high


def test_counts_are_exact_where_that_is_easy():
    afs = fitted(np.ones(9), n_features=3, n_alternatives=1, tau=1)
    counts = afs.explain().counts
    assert list(counts["max_overlap"]) == [2, 1, 0]
    last = counts.iloc[2]
    assert (last["at_least"], last["at_most"], last["exact"], last["asked"]) == (3, 3, True, True)
    # Steiner triple system: twelve lines of the affine plane of order 3.
    assert counts.iloc[1]["at_most"] == 12
    assert counts.iloc[0]["at_least"] <= counts.iloc[0]["at_most"] == 84
    impossible = Problem(quality.Linear(np.ones(3)), 3, 0, constraints=Constraints(exclude=(0,)))
    assert bounds(impossible) == (0, 0)
    two_held = Problem(quality.Linear(np.ones(6)), 3, 1, constraints=Constraints(include=(0, 1)))
    assert bounds(two_held) == (1, 1)


@pytest.mark.exhaustive
def test_a_request_that_cannot_be_met_is_explained_after_the_error(wine):
    X, y = wine
    afs = AlternativeFeatures("model_gain", "simultaneous", n_features=3).fit(X, y)
    afs.set_params(n_features=5, n_alternatives=2, tau=1)
    with pytest.raises(NoFeatureSetError):
        afs.fit(X, y)
    assert not hasattr(afs, "feature_sets_") and not hasattr(afs, "quality_")
    explanation = afs.explain()
    assert "3 sets of 5 features with at most 0 in common do not exist" in explanation.reason
    table = explanation.nearest.set_index("change")
    assert list(table.index) == ["tau", "n_alternatives", "n_features"]
    assert list(table["instead"]) == ["0.8", "1", "4"]
    assert list(table["n_sets"]) == [3, 2, 3]
    for change, row in table.iterrows():
        request = {"n_features": 5, "n_alternatives": 2, "tau": 1}
        request[change] = row["instead"] if change == "tau" else int(row["instead"])
        met = AlternativeFeatures("model_gain", "simultaneous", **request).fit(X, y)
        assert len(met.feature_sets_) == row["n_sets"]
        mean = np.mean([s.train_objective for s in met.feature_sets_])
        assert row["mean_objective"] == pytest.approx(mean)
    assert "With n_features=4: 3 sets" in str(explanation)
    with pytest.raises(NoFeatureSetError, match="do not exist"):
        afs.plot()


def test_each_constraint_is_tried_without(wine):
    constraints = Constraints(
        include=("x0", "x1"), groups=(Group((0, 1), at_most=1),), costs=(1.0,) * 5, budget=9.0
    )
    afs = AlternativeFeatures(np.ones(5), n_features=2, n_alternatives=0, constraints=constraints)
    with pytest.raises(NoFeatureSetError):
        afs.fit(np.zeros((2, 5)))
    table = afs.explain().nearest
    assert sorted(table["words"]) == ["include without x0", "include without x1", "no groups[0]"]
    assert afs.explain().changes.empty and afs.explain().substitutes.empty


def test_a_dead_end_can_be_left_by_searching_for_all_sets_at_once():
    afs = fitted(dead_end(), n_features=2, n_alternatives=1, tau=1)
    assert "simultaneous" in set(afs.explain().nearest["instead"])
    assert afs.explain().reason == afs.shortfall_


@pytest.mark.parametrize("search", ["sequential", "simultaneous", "enumeration", "local_search"])
def test_numbers_of_sets_that_cannot_be_are_not_tried(search, capsys):
    request = AlternativeFeatures(
        [5.0, 4.0, 3.0, 2.0, 1.0, 0.5], search, n_features=2, n_alternatives=300, tau=1, verbose=1
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewerSetsWarning)
        with pytest.raises((NoFeatureSetError, FewerSetsWarning)):
            request.fit(np.zeros((2, 6)))
    capsys.readouterr()
    fewer = request.explain().nearest.set_index("change").loc["n_alternatives"]
    assert (fewer["asked"], fewer["instead"], fewer["n_sets"]) == ("300", "2", 3)
    assert capsys.readouterr().err.count("trying n_alternatives=") == 1


def test_changes_name_what_comes_and_goes():
    afs = fitted([4.0, 3.0, 2.0, 1.0, 0.5], n_features=2, n_alternatives=2, max_overlap=1)
    table = afs.explain().changes
    assert list(zip(table["set_index"], table["compared_to"], strict=True)) == [
        (1, 0), (2, 0), (2, 1)
    ]  # fmt: skip
    for row in table.itertuples():
        old, new = (set(afs.feature_sets_[i].names) for i in (row.compared_to, row.set_index))
        assert set(row.comes_in) == new - old and set(row.goes_out) == old - new
        assert set(row.stays) == new & old
        assert row.dissimilarity == afs.dissimilarities_[row.set_index, row.compared_to]
        assert row.of_original == row.train_objective / 7


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("sequential", "a quality of 7, proven best by this quality: x0, x1."),
        ("simultaneous", "a quality of 7, proven best together by this quality: x0, x1."),
        ("pareto", "a quality of 7, proven best together by this quality: x0, x1."),
        ("local_search", "not proven best together by this quality: "),
    ],
)
def test_what_is_proven_is_that_of_the_search(search, said):
    worth = [4.0, 3.0, 2.0, 1.0]
    afs = AlternativeFeatures(worth, search, n_features=2, n_alternatives=1, tau=1)
    assert said in str(afs.fit(np.zeros((2, 4))).explain())


def test_words_are_for_terminals_and_notebooks(capsys):
    worth = [4.0, 3.0, 2.0, 1.0]
    frame = np.zeros((2, 4))
    afs = AlternativeFeatures(worth, n_features=2, verbose=1).fit(frame)
    capsys.readouterr()
    text = str(afs.explain())
    said = capsys.readouterr().err
    for line in ("0 of 2 features left out", "1 of 3 overlaps searched", "overlaps counted"):
        assert line in said
    assert "The original set has a quality of 7, proven best by this quality: x0, x1." in text
    assert "Without x0: x2 comes in; quality 5 (71.4% of it)." in text
    assert "tau 1 (at most 0 in common): exactly 2." in text
    assert str(afs.explain()) == text and capsys.readouterr().err == ""
    html = afs.explain()._repr_html_()
    assert html.count("<h4>") == text.count("\n\n") + 1
    assert "print it to read it" in repr(afs.explain())
    named = AlternativeFeatures(worth, n_features=2)
    named.fit(pd.DataFrame(frame, columns=["<b>", "c", "d", "e"]))
    assert "<b>" not in named.explain()._repr_html_()
    copied = pickle.loads(pickle.dumps(afs))
    assert str(copied.explain()) == text


def test_a_wrapper_can_be_pickled_and_explained(wine):
    X, y = wine
    afs = AlternativeFeatures("greedy_wrapper", n_features=2).fit(X, y)
    copied = pickle.loads(pickle.dumps(afs))
    chosen = (0, 3, 7)
    assert copied.quality_.function(chosen) == afs.quality_.function(chosen)


def test_what_was_never_asked_cannot_be_explained():
    for call in ("explain", "plot", "all_optimal"):
        with pytest.raises(NotFittedError):
            getattr(AlternativeFeatures("mutual_information"), call)()


def test_exact_values_order_sets_as_their_qualities_do():
    rng = np.random.default_rng(0)
    values, pairs = rng.random(6), rng.random((6, 6))
    for worth in (
        quality.Linear(values), quality.Pairwise(values, pairs), quality.Ratio(values, pairs),
        quality.BlackBox(lambda s: float(values[list(s)].sum()), 6),
    ):  # fmt: skip
        sets = [s for k in (1, 2, 3) for s in combinations(range(6), k)]
        problem = Problem(worth, 2, 2)
        by_key = sorted(sets, key=lambda s: problem.quality.exact_values([s])[0])
        objectives = [worth.evaluate(s) for s in by_key]
        assert objectives == pytest.approx(sorted(objectives), abs=1e-9)


@pytest.mark.parametrize("kind", ["matrix", "quality", "trade_off"])
def test_charts_show_the_sets(kind):
    afs = fitted([4.0, 3.0, 2.0, 1.0, 0.5], n_features=2, n_alternatives=1, max_overlap=1)
    selector = afs.plot(kind).to_dict()
    rows = [row for data in selector["datasets"].values() for row in data]
    if kind == "matrix":
        held = {(r["set"], r["feature"]) for r in rows if r["held"] == "selected"}
        assert held == {
            ("original", "x0"), ("original", "x1"), ("alternative 1", "x0"), ("alternative 1", "x2")
        }  # fmt: skip
    elif kind == "quality":
        assert {(r["max_overlap"], r["set_index"], r["train_objective"]) for r in rows} >= {
            (2, 0, 7), (2, 1, 7), (1, 1, 6), (0, 1, 3)
        }  # fmt: skip
    else:
        assert {(r["max_overlap"], r["mean dissimilarity"], r["mean quality"]) for r in rows} >= {
            (2, 0, 7), (1, 0.5, 6.5), (0, 1, 5)
        }  # fmt: skip
    with pytest.raises(AltfsError, match="kind: 'pie' is unknown, allowed are: matrix"):
        afs.plot("pie")


@pytest.mark.exhaustive
def test_one_set_is_not_told_as_many(wine):
    X, y = wine
    alone = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=0).fit(X, y)
    assert "No other set was requested." in str(alone.explain())
    two = AlternativeFeatures("f_statistic", n_features=3, n_alternatives=1).fit(X, y)
    found = "All 2 requested sets of 3 features with at most 1 in common were found."
    assert found in str(two.explain())


def test_a_mean_overlap_at_which_no_family_exists_has_no_line():
    afs = fitted([4.0, 3.0, 2.0, 1.0], "simultaneous", n_features=2, n_alternatives=2, tau=0.5,
                 overlap="average")  # fmt: skip
    said = str(afs.explain())
    assert "At most 0 in common on average" not in said
    assert "At most 1 in common on average: mean quality" in said


def test_features_that_say_the_same_include_the_copies_of_the_notes():
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(150, 3)), columns=["a", "b", "c"])
    # They are worthless, so no information about the target shows that they are alike.
    X = X.assign(double=2 * X["b"], near=X["c"] + random.normal(size=150) / 50)
    afs = AlternativeFeatures("f_statistic", n_features=1, tau=1, n_shuffles=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = str(afs.fit(X, X["a"] + random.normal(size=150)).explain())
    _, _, same = said.partition("Which features say the same\n")
    assert "b, double: each says (nearly) all that the others say." in same
    assert "c, near: each says" in same
