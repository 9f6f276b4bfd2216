"""The scikit-learn door: its manners, and that it says what the searches say."""

import pickle
import re
import warnings
from copy import deepcopy
from math import isnan

import numpy as np
import ordinary
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import dead_end
from marks import examples
from ordinary import FOR_CLASSES, SELECTORS, TWO_CLASSES, cheap
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SequentialFeatureSelector, f_classif
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from altfs import (
    AlternativeFeatures,
    Constraints,
    Group,
    quality,
    search_sequentially,
    search_simultaneously,
)
from altfs.errors import AltfsError, DataError, FewerSetsWarning, NoFeatureSetError
from altfs.kinds.fronts.selectors._curve import CurveOptions
from altfs.kinds.fronts.selectors.logistic_curve import LogisticCurve
from altfs.problem.overlap import dissimilarity_of
from altfs.problem.results import Status
from altfs.selectors import Part
from altfs.selectors.greedy_wrapper import GreedyWrapper, GreedyWrapperOptions
from altfs.selectors.mrmr import Mrmr, MrmrOptions
from altfs.selectors.rar import Rar, RarOptions
from altfs.selectors.wrapper import Wrapper, WrapperOptions

SEARCHES = ["sequential", "simultaneous"]
# The heuristics take linear qualities without conflicts and refuse the others.
NOT_LINEAR = {
    "fcbf", "mrmr", "cfs", "greedy_wrapper", "wrapper", "information_criterion", "tree_training",
    "contrast", "forest",
    *TWO_CLASSES,
}  # fmt: skip


FEW = {
    "wrapper": Wrapper(WrapperOptions(folds=2)),
    "logistic_curve": LogisticCurve(CurveOptions(folds=2)),
    "rar": Rar(RarOptions(n_subsets=50)),
}
# Of each kind of quality a selector: linear, with conflicts, of pairs, a ratio, black box.
OF_KINDS = ("f_statistic", "fcbf", "mrmr", "cfs", "greedy_wrapper")
QUICK = [("f_statistic", "simultaneous"), ("fcbf", "sequential")]


def combinations():
    """Yield every selector with one search, and every search with one quality of each kind.

    That other pairs give the sets of the search on what the selector learns is judged below.
    """
    every = [*SELECTORS, *FOR_CLASSES, *TWO_CLASSES]
    # Chance is of all sets alike, so a selector of each kind, and the default, compare with it.
    cases = [
        (s, "sequential", {} if s in (*OF_KINDS, "forest") else {"n_shuffles": 0}) for s in every
    ]
    cases.append(("f_statistic", "simultaneous", {}))
    for search in ordinary.SEARCHES:
        # Pareto search sees nothing but the quality, and needs one answer for each overlap.
        kinds = ("mrmr",) if search == "pareto" else OF_KINDS
        for kind in kinds:
            if kind not in NOT_LINEAR or not search.startswith("greedy"):
                # Chance is judged with the searches above.
                sizes = {"n_features": 1, "n_alternatives": 1, "n_shuffles": 0}
                cases.append((kind, search, sizes))
    for selector, search, sizes in cases:
        marks = () if not sizes and (selector, search) in QUICK else pytest.mark.exhaustive
        id = f"{selector}-{search}-{'smallest' if 'n_features' in sizes else 'default'}"
        # Some of scikit-learn's data have three rows of a class.
        few = FEW.get(selector, cheap(selector))
        yield pytest.param(AlternativeFeatures(few, search, **sizes), id=id, marks=marks)


VALUES = np.array([0.4, 0.3, 0.2, 0.1, 0.35])
FRAME = pd.DataFrame(np.random.default_rng(0).random((30, 5)), columns=list("abcde"))
LABELS = (FRAME["a"] > 0.5).astype(int).to_numpy()


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("estimator", list(combinations()))
def test_it_is_a_scikit_learn_estimator(estimator, monkeypatch):
    # Else scikit-learn skips one of its checks.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    checks = check_estimator(estimator, on_skip=None)
    assert {check["status"] for check in checks} == {"passed"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("selector", [*SELECTORS, *FOR_CLASSES])
@pytest.mark.parametrize("search", SEARCHES)
def test_the_sets_are_those_of_the_search_on_what_the_selector_learns(wine, selector, search):
    X, y = wine
    sizes = {"n_features": 3, "n_alternatives": 2}
    built = cheap(selector)
    asked = {**sizes, "tau": "0.6", "random_state": 7, "n_shuffles": 0}
    afs = AlternativeFeatures(built, search, **asked).fit(X, y)
    part = Part(X.to_numpy(), y.to_numpy(), "multiclass", 7)
    learned = built.quality(part)
    search_for = search_sequentially if search == "sequential" else search_simultaneously
    expected = search_for(learned, **sizes, tau="0.6")
    assert sorted(s.indices for s in afs.feature_sets_) == sorted(s for s in expected.sets if s)
    objectives = [s.train_objective for s in afs.feature_sets_]
    assert objectives == [learned.evaluate(s.indices) for s in afs.feature_sets_]
    assert afs.search_result_.sets == expected.sets
    if search == "simultaneous":
        assert objectives == sorted(objectives, reverse=True)


@pytest.mark.parametrize("selector", sorted(NOT_LINEAR))
@pytest.mark.parametrize("search", ["greedy_balancing", "greedy_replacement"])
def test_a_heuristic_says_what_it_cannot_handle(selector, search):
    with pytest.raises(AltfsError, match=f"search: '{search}' cannot handle"):
        AlternativeFeatures(selector, search).fit(FRAME, LABELS)


def test_random_sets_follow_the_random_state(wine):
    def drawn(seed):
        afs = AlternativeFeatures(
            "mutual_information", search="random", n_features=3, tau=1, random_state=seed
        )
        return [s.indices for s in afs.fit(*wine).feature_sets_]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(5)}) == 5


def test_what_a_set_says(wine):
    X, y = wine
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=2, tau=1).fit(X, y)
    for i, result in enumerate(afs.feature_sets_):
        assert result.names == tuple(X.columns[list(result.indices)])
        assert np.flatnonzero(result.mask).tolist() == list(result.indices)
        assert len(result) == 3
        assert result.status is Status.OPTIMAL
        assert result.bound >= result.train_objective - 1e-9
        assert (afs.get_support(alternative=i) == result.mask).all()
        assert afs.get_support(True, alternative=i).tolist() == list(result.indices)
        assert list(afs.get_feature_names_out(alternative=i)) == list(result.names)
        assert (afs.transform(X, alternative=i) == X[list(result.names)].to_numpy()).all()
    table = afs.to_frame()
    assert list(table["feature_names"]) == [list(s.names) for s in afs.feature_sets_]
    assert list(table["dissimilarity"]) == [0, 1, 1]
    assert (afs.dissimilarities_ == 1 - np.eye(3)).all()
    assert afs.shortfall_ == ""


def test_the_bound_of_sets_that_are_bounded_together_is_not_theirs(wine):
    afs = AlternativeFeatures("mutual_information", search="simultaneous", n_features=2).fit(*wine)
    assert all(isnan(s.bound) for s in afs.feature_sets_)
    assert afs.search_result_.run_bound >= afs.search_result_.run_objective - 1e-9


@given(
    st.lists(st.integers(0, 20), min_size=4, max_size=7),
    st.integers(1, 3),
    st.fractions(0, 1, max_denominator=12),
    st.sampled_from(["dice", "jaccard"]),
    st.sampled_from(SEARCHES),
)
@examples(40)
def test_sets_are_as_dissimilar_as_asked_for_in_exact_arithmetic(values, k, tau, kind, search):
    sizes = {"n_features": k, "n_alternatives": 1, "tau": tau, "dissimilarity": kind}
    afs = AlternativeFeatures(np.array(values, float), search, **sizes)
    X = np.zeros((2, len(values)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewerSetsWarning)
        try:
            result = afs.fit(X).feature_sets_
        except AltfsError:
            result = []
    # Two sets exist unless they have to be more different than the features allow.
    smallest = max(0, 2 * k - len(values))
    most = dissimilarity_of(range(k), range(k - smallest, 2 * k - smallest), kind)
    assert (len(result) == 2) == (most >= tau)
    if len(result) == 2:
        assert dissimilarity_of(result[0].indices, result[1].indices, kind) >= tau
        assert afs.dissimilarities_[0, 1] >= float(tau) - 1e-12


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_and_arrays_have_the_same_answer(frame):
    plain = AlternativeFeatures("mutual_information", n_features=2).fit(FRAME.to_numpy(), LABELS)
    X = frame({name: FRAME[name].to_numpy() for name in FRAME})
    named = AlternativeFeatures("mutual_information", n_features=2).fit(X, LABELS)
    assert [s.indices for s in named.feature_sets_] == [s.indices for s in plain.feature_sets_]
    assert [s.train_objective for s in named.feature_sets_] == [
        s.train_objective for s in plain.feature_sets_
    ]
    assert list(named.feature_names_in_) == list("abcde")
    assert plain.feature_sets_[0].names == tuple(f"x{j}" for j in plain.feature_sets_[0].indices)


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output_names_the_columns_of_the_set_that_is_shown(wine, container):
    X, y = wine
    afs = AlternativeFeatures(
        "mutual_information", n_features=3, n_alternatives=2, tau=1
    ).set_output(transform=container)
    assert list(afs.fit_transform(X, y).columns) == list(afs.feature_sets_[0].names)
    for i, result in enumerate(afs.feature_sets_):
        shown = afs.transform(X, alternative=i)
        assert list(shown.columns) == list(result.names)
        assert type(shown).__module__.startswith(container)
    assert list(afs.transform(X).columns) == list(afs.feature_sets_[0].names)


def test_sets_of_one_fit_are_given_to_another(wine):
    X, y = wine
    first = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=1, tau=1).fit(
        X, y
    )
    assert list(first.feature_sets_[0]) == list(first.feature_sets_[0].names)
    assert "proline" in first.feature_sets_[0]
    again = AlternativeFeatures(
        "mutual_information", n_features=3, n_alternatives=0, tau=1, given=first.feature_sets_
    )
    names = [set(result) for result in (*first.feature_sets_, *again.fit(X, y).feature_sets_)]
    assert len(set.union(*names)) == 9
    # Also where the columns have no names.
    unnamed = clone(first).fit(X.to_numpy(), y)
    others = clone(again).set_params(given=unnamed.feature_sets_).fit(X.to_numpy(), y)
    assert others.feature_sets_[0].indices == again.feature_sets_[0].indices


def test_costs_are_given_by_name_number_or_index(wine):
    X, y = wine
    dear = {"flavanoids": 3, "proline": 2.5}
    named = pd.Series(0.0, index=X.columns[::-1])
    named.update(pd.Series(dear))
    numbered = {X.columns.get_loc(name): cost for name, cost in dear.items()}
    listed = tuple(dear.get(name, 0) for name in X)
    result = {
        AlternativeFeatures(
"mutual_information",
            n_features=3, n_alternatives=0, constraints=Constraints(costs=costs, budget=3)
        ).fit(X, y).feature_sets_[0].names
        for costs in (dear, named, numbered, listed)
    }  # fmt: skip
    assert result == {("flavanoids", "color_intensity", "od280/od315_of_diluted_wines")}


def test_after_a_fit_without_sets_every_method_says_so(wine):
    X, y = wine
    afs = AlternativeFeatures(
        "mutual_information", search="simultaneous", n_features=5, n_alternatives=4, tau=1
    )
    with pytest.raises(NoFeatureSetError) as raised:
        afs.fit(X, y)
    for method in (afs.transform, afs.inverse_transform):
        with pytest.raises(NoFeatureSetError, match=re.escape(str(raised.value))):
            method(X)
    for method in (afs.get_support, afs.get_feature_names_out, afs.to_frame):
        with pytest.raises(NoFeatureSetError, match=re.escape(str(raised.value))):
            method()
    for method in (
        AlternativeFeatures("mutual_information").get_support,
        AlternativeFeatures("mutual_information").to_frame,
    ):
        with pytest.raises(NotFittedError):
            method()


@pytest.mark.parametrize("search", ["sequential", "simultaneous"])
def test_sets_of_two_fits_and_of_a_pickle_are_equal(wine, search):
    X, y = wine
    afs = AlternativeFeatures(
        "mutual_information", search=search, n_features=3, n_alternatives=2
    ).fit(X, y)
    for other in (clone(afs).fit(X, y), pickle.loads(pickle.dumps(afs)), deepcopy(afs)):
        assert other.feature_sets_ == afs.feature_sets_
        assert len(set(other.feature_sets_ + afs.feature_sets_)) == 3
    assert afs.feature_sets_[0] != afs.feature_sets_[1]
    less = clone(afs).set_params(selector="correlation").fit(X, y)
    assert less.feature_sets_ != afs.feature_sets_


def test_fit_and_transform_at_once_gives_any_set(wine):
    X, y = wine
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=2).set_output(
        transform="pandas"
    )
    for i in range(3):
        names = list(afs.fit_transform(X, y, alternative=i).columns)
        assert names == list(afs.feature_sets_[i].names)
    assert list(afs.fit_transform(X, y).columns) == list(afs.feature_sets_[0].names)
    with pytest.raises(AltfsError, match="alternative: 3 is not there, use 0 to 2"):
        afs.fit_transform(X, y, alternative=3)


def test_inverse_transform_puts_columns_back(wine):
    X, y = wine
    afs = AlternativeFeatures("mutual_information", n_features=3, n_alternatives=1, tau=1).fit(X, y)
    back = afs.inverse_transform(afs.transform(X, alternative=1), alternative=1)
    assert (back == np.where(afs.feature_sets_[1].mask, X.to_numpy(), 0)).all()


@pytest.mark.exhaustive
def test_clones_pickles_pipelines_and_cross_validation(wine):
    X, y = wine
    afs = AlternativeFeatures(
        Mrmr(MrmrOptions(diagonal=True)), n_features=2, constraints=Constraints(include=("hue",))
    )
    fitted = clone(afs).fit(X, y)
    assert not hasattr(afs, "feature_sets_")
    copied = pickle.loads(pickle.dumps(fitted))
    assert (copied.transform(X, alternative=1) == fitted.transform(X, alternative=1)).all()
    pipeline = make_pipeline(
        StandardScaler(), AlternativeFeatures("mutual_information"), LogisticRegression()
    )
    assert cross_val_score(pipeline, X, y, cv=3).min() > 0.7
    grid = {"alternativefeatures__n_features": [1, 4], "alternativefeatures__selector": ["fcbf"]}
    best = GridSearchCV(pipeline, grid, cv=3).fit(X, y).best_estimator_
    assert best[1].get_support().sum() == best[1].n_features


@pytest.mark.exhaustive
def test_numbers_texts_and_truth_values_can_be_the_target(wine):
    X, y = wine
    sets = {
        tuple(
            s.indices
            for s in AlternativeFeatures("mutual_information", n_features=3)
            .fit(X, classes)
            .feature_sets_
        )
        for classes in (y, y.to_numpy(), y.map({0: "a", 1: "b", 2: "c"}), pl.Series(y.to_numpy()))
    }
    assert len(sets) == 1
    assert (
        len(AlternativeFeatures("mutual_information", n_features=3).fit(X, y == 1).feature_sets_)
        == 2
    )
    X, y = load_diabetes(return_X_y=True)
    for selector in SELECTORS:
        afs = AlternativeFeatures(cheap(selector), n_shuffles=0)
        assert len(afs.fit(X, y).feature_sets_) == 2


def test_the_task_decides_between_classes_and_numbers():
    X, y = FRAME, np.arange(30) % 4
    as_classes = AlternativeFeatures("model_gain", task="auto").fit(X, y)
    as_numbers = AlternativeFeatures("model_gain", task="regression").fit(X, y)
    gains = [a.feature_sets_[0].train_objective for a in (as_classes, as_numbers)]
    assert gains[0] != gains[1]
    by_model = AlternativeFeatures("greedy_wrapper", estimator=LinearRegression()).fit(X, y)
    assert by_model.feature_sets_[0].train_objective <= 1
    with pytest.raises(DataError, match="has fractions and cannot be classes"):
        AlternativeFeatures("mutual_information", task="classification").fit(X, y / 3)


def test_values_and_qualities_that_are_known_need_no_target():
    X = FRAME.assign(c=np.nan)
    for worth in (VALUES, list(VALUES), pd.Series(VALUES), quality.Linear(VALUES)):
        afs = AlternativeFeatures(worth, n_features=2, tau=1).fit(X)
        assert [s.names for s in afs.feature_sets_] == [("a", "e"), ("b", "c")]
        assert afs.transform(X, alternative=1).shape == (30, 2)
    with pytest.raises(ValueError, match="requires y to be passed"):
        AlternativeFeatures("mutual_information").fit(FRAME)


@pytest.mark.filterwarnings("ignore::altfs.errors.FewerSetsWarning")
def test_the_quality_of_a_stream_is_read_as_by_its_selector():
    learned = AlternativeFeatures("saola").fit(FRAME, LABELS)
    again = AlternativeFeatures(learned.quality_, n_features="unlimited").fit(FRAME)
    assert again.feature_sets_ == learned.feature_sets_


def test_a_score_function_is_a_selector(wine):
    X, y = wine
    afs = AlternativeFeatures(f_classif, n_features=3).fit(X, y)
    best = np.argsort(-f_classif(X, y)[0])[:3]
    assert set(afs.feature_sets_[0].indices) == set(best)


def test_any_estimator_gives_importances(wine):
    X, y = wine
    forest = RandomForestClassifier(10, random_state=0)
    afs = AlternativeFeatures("model_gain", n_features=3, estimator=forest).fit(X, y)
    importances = clone(forest).fit(X, y).feature_importances_
    assert set(afs.feature_sets_[0].indices) == set(np.argsort(-importances)[:3])
    linear = make_pipeline(StandardScaler(), LogisticRegression())
    afs = AlternativeFeatures("model_gain", n_features=3, estimator=linear).fit(X, y)
    sizes = np.abs(clone(linear).fit(X, y)[-1].coef_).sum(axis=0)
    assert set(afs.feature_sets_[0].indices) == set(np.argsort(-sizes)[:3])
    assert not hasattr(linear[-1], "coef_")


def test_any_estimator_can_be_wrapped(wine):
    X, y = wine
    wrapper = GreedyWrapper(GreedyWrapperOptions(max_iterations=40))
    plain = AlternativeFeatures(wrapper, n_features=2, task="classification").fit(X, y)
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0)
    same = AlternativeFeatures(wrapper, n_features=2, estimator=tree).fit(X, y)
    assert [s.indices for s in same.feature_sets_] == [s.indices for s in plain.feature_sets_]
    assert same.feature_sets_[0].train_objective == plain.feature_sets_[0].train_objective
    near = make_pipeline(StandardScaler(), KNeighborsClassifier())
    other = AlternativeFeatures(wrapper, n_features=2, estimator=near).fit(X, y)
    assert other.feature_sets_[0].train_objective > 0.7
    assert other.feature_sets_[0].train_objective != plain.feature_sets_[0].train_objective


def test_constraints_and_given_sets_by_name_and_number():
    names = Constraints(
        exclude=("a",),
        groups=(Group(("b", "e"), at_most=1),),  # type: ignore[arg-type]
        costs={"a": 1, "b": 5, "c": 1, "d": 1, "e": 2},  # type: ignore[arg-type]
        budget=3,
    )
    numbers = Constraints(
        exclude=(0,), groups=(Group((1, 4), at_most=1),), costs=(1, 5, 1, 1, 2), budget=3
    )
    for constraints in (names, numbers):
        afs = AlternativeFeatures(
            VALUES, n_features=2, n_alternatives=0, constraints=constraints, given=[["e", "c"]],
            max_overlap=1,
        ).fit(FRAME)  # fmt: skip
        assert afs.feature_sets_[0].names == ("d", "e")
    afs = AlternativeFeatures(VALUES, n_features=2, n_alternatives=0, given=[(0, 4)], tau=1)
    assert afs.fit(FRAME).feature_sets_[0].indices == (1, 2)


def test_sizes_that_are_not_given_are_such_that_sets_exist():
    sizes = {}
    for n_total in (1, 2, 3, 9, 10, 40):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FewerSetsWarning)
            afs = AlternativeFeatures(np.ones(n_total)).fit(np.zeros((3, n_total)))
        sizes[n_total] = (len(afs.feature_sets_[0]), len(afs.feature_sets_))
    assert sizes == {1: (1, 1), 2: (1, 2), 3: (1, 2), 9: (4, 2), 10: (5, 2), 40: (5, 2)}
    # Features 0 to 7 exclude each other: there is no set of more than three features.
    conflicts = np.zeros((10, 10), dtype=bool)
    conflicts[:8, :8] = True
    afs = AlternativeFeatures(quality.Linear(np.ones(10), conflicts)).fit(np.zeros((3, 10)))
    assert [s.indices for s in afs.feature_sets_] == [(0, 8), (0, 9)]
    reason = "The sets have 2 features each, as 2 sets of 3 or more that differ enough were not"
    assert reason in str(afs.explain())
    afs = AlternativeFeatures(np.ones(10), n_features=2).fit(np.zeros((3, 10)))
    assert "The sets have" not in str(afs.explain())
    with pytest.raises(AltfsError, match="n_features: 5 is not allowed, use a number from 1 to 3"):
        AlternativeFeatures(np.ones(3), n_features=5).fit(np.zeros((3, 3)))


def test_fewer_sets_than_asked_for_are_explained():
    afs = AlternativeFeatures(VALUES, n_features=2, n_alternatives=4, tau=1)
    sentence = "2 of 5 feature sets found, as 5 sets of 2 features with at most 0 in common do not"
    with pytest.warns(FewerSetsWarning, match=sentence):
        afs.fit(FRAME)
    assert len(afs.feature_sets_) == 2
    assert afs.search_result_.status[2:] == [Status.INFEASIBLE] * 3
    for call in (afs.get_support, afs.get_feature_names_out):
        with pytest.raises(AltfsError, match=r"alternative: 3 .* 0 to 1: .*5 exist for tau up to"):
            call(alternative=3)
    together = clone(afs).set_params(search="simultaneous")
    with pytest.raises(AltfsError, match="0 of 5 feature sets found, as 5 sets of 2 features"):
        together.fit(FRAME)
    assert not hasattr(together, "feature_sets_")


def test_a_dead_end_of_sequential_search_is_told_from_sets_that_do_not_exist():
    afs = AlternativeFeatures(dead_end(), n_features=2, n_alternatives=1, tau=1)
    X = np.zeros((2, 6))
    with pytest.warns(FewerSetsWarning, match="1 of 2 .* but 2 sets .* exist.*'simultaneous'"):
        afs.fit(X)
    together = afs.set_params(search="simultaneous").fit(X)
    assert [s.indices for s in together.feature_sets_] == [(0, 2), (1, 3)]


@pytest.mark.parametrize("search", ["greedy_balancing", "greedy_replacement"])
def test_a_heuristic_without_features_left_blames_no_limit(search):
    sizes = {"n_features": 2, "max_overlap": 1}
    request = AlternativeFeatures(VALUES, search, **sizes, n_alternatives=4)
    why = f"'{search}' has too few features left .* but 5 sets .* exist.*use search='simultaneous'"
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewerSetsWarning)
        with pytest.raises((FewerSetsWarning, NoFeatureSetError), match=why):
            request.fit(FRAME)
    assert "work" not in request.explain().reason
    assert len(clone(request).set_params(search="simultaneous").fit(FRAME).feature_sets_) == 5
    # Where no search can find them that is said.
    request.set_params(n_alternatives=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FewerSetsWarning)
        with pytest.raises((FewerSetsWarning, NoFeatureSetError), match=r"as 11 sets .* not exist"):
            request.fit(FRAME)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_limit_that_is_reached_is_said(search):
    rng = np.random.default_rng(0)
    bought = Constraints(costs=tuple(rng.random(40).round(6)), budget=3.0)
    sizes = {"n_features": 8, "n_alternatives": 2, "tau": 0.6}
    afs = AlternativeFeatures(rng.random(40), search, **sizes, constraints=bought, work=1e-9)
    with pytest.raises(AltfsError, match=r"0 of 3 .* limit 1e-09 was reached, raise `work`"):
        afs.fit(np.zeros((2, 40)))


X_REFUSED = FRAME.to_numpy()
# The table of tests/test_refusals.py has the others.
REFUSED = [
    ({"selector": RandomForestClassifier()}, "selector: RandomForestClassifier.* is not allowed"),
    ({"selector": RandomForestClassifier}, "selector: <class .* is not allowed"),
    ({"search": 1}, "search: 1 is not allowed"),
    ({"constraints": {"include": [0.5]}}, r"constraints.include\[0\]: 0.5 is not a feature"),
    ({"constraints": Constraints(include=("x03",))}, "include: .*did you mean 'x3'"),
    ({"constraints": Constraints(include=(7,))}, "include: 7 is not a feature, use indices from 0"),
    ({"given": [["x1", 1]]}, "given: feature 'x1' is a duplicate"),
    ({"estimator": StandardScaler(), "selector": "model_gain"}, "estimator: StandardScaler is not"),
    (
        {"estimator": LinearRegression(), "task": "classification", "selector": "model_gain"},
        "estimator: LinearRegression is not allowed, use one for classification",
    ),
    (
        {"estimator": KNeighborsClassifier(), "selector": "model_gain"},
        "estimator: KNeighborsClassifier has neither feature_importances_ nor coef_",
    ),
    ({"estimator": LinearRegression(), "selector": VALUES}, "estimator: a quality that is given"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "sentence"), REFUSED, ids=[m for _, m in REFUSED])
def test_what_is_wrong_is_refused_in_one_sentence(changes, sentence):
    afs = AlternativeFeatures(**changes)
    with pytest.raises(AltfsError, match=sentence) as raised:
        afs.fit(X_REFUSED, LABELS)
    assert "\n" not in str(raised.value)
    assert str(raised.value).endswith((".", "?"))
    assert not hasattr(afs, "feature_sets_")


def test_targets_that_say_nothing_are_refused():
    with pytest.raises(DataError, match="only one value, there is nothing to predict"):
        AlternativeFeatures("mutual_information").fit(X_REFUSED, np.zeros(30))
    with pytest.raises(AltfsError, match="alternative: 2 is not there, use 0 to 1"):
        AlternativeFeatures("mutual_information").fit(X_REFUSED, LABELS).transform(
            X_REFUSED, alternative=2
        )
    with pytest.raises(AltfsError, match="alternative: True is not there"):
        AlternativeFeatures("mutual_information").fit(X_REFUSED, LABELS).get_support(
            alternative=True
        )


@pytest.mark.parametrize("selector", ["mrmr", "cfs", "fcbf"])
def test_threads_change_nothing(wine, selector):
    X, y = wine
    wide = np.hstack([X, X + np.random.default_rng(0).random(X.shape)])
    results = [
        AlternativeFeatures(selector, n_features=2, n_jobs=n_jobs).fit(wide, y).search_result_
        for n_jobs in (None, 2)
    ]
    assert results[0].sets == results[1].sets
    assert results[0].objectives == results[1].objectives


def test_verbose_says_what_is_done(wine, capsys):
    AlternativeFeatures("mrmr", n_features=2, verbose=1).fit(*wine)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "altfs: scoring 13 features on 178 rows (multiclass)",
        "altfs: looking for feature sets",
        "altfs: comparing with shuffled targets",
        "altfs: 2 feature sets of 2 features found",
    ]
    AlternativeFeatures("mrmr", n_features=2).fit(*wine)
    assert capsys.readouterr().err == ""


def test_the_same_seed_has_the_same_answer_and_generators_are_taken(wine):
    X, y = wine
    seeds = (3, np.int64(3), np.random.RandomState(3), None)
    built = [
        AlternativeFeatures("mutual_information", n_features=3, random_state=s).fit(X, y)
        for s in seeds
    ]
    objectives = [[s.train_objective for s in a.feature_sets_] for a in built]
    assert objectives[0] == objectives[1]
    assert all(len(o) == 2 for o in objectives)


def test_it_answers_to_scikit_learns_own_selectors(wine):
    X, y = wine
    afs = AlternativeFeatures("model_gain", n_features=3).fit(X, y)
    tree = DecisionTreeClassifier(random_state=0)
    greedy = SequentialFeatureSelector(tree, n_features_to_select=2, cv=2)
    inner = greedy.fit(afs.transform(X), y)
    assert inner.get_support().shape == (3,)


@pytest.mark.parametrize("sizes", [(1, 3), "1-3", (np.int64(1), np.int64(3))], ids=repr)
def test_a_range_of_sizes_survives_clones_and_pickles(sizes):
    X, y = load_wine(return_X_y=True)
    afs = clone(AlternativeFeatures("mutual_information", n_features=sizes, n_alternatives=2))
    assert afs.get_params()["n_features"] == sizes
    again = pickle.loads(pickle.dumps(afs.fit(X, y)))
    result = [features.indices for features in again.feature_sets_]
    expected = search_sequentially(again.quality_, n_features=(1, 3), n_alternatives=2, tau=0.4)
    assert result == expected.sets


def test_ranges_can_be_searched_through():
    X, y = load_wine(return_X_y=True)
    sizes = [(1, 3), "1-3", 2, None]
    pipeline = make_pipeline(
        AlternativeFeatures("mutual_information"), DecisionTreeClassifier(random_state=0)
    )
    grid = {"alternativefeatures__n_features": sizes}
    tried = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(X, y).cv_results_
    assert list(tried["param_alternativefeatures__n_features"]) == sizes
    assert tried["mean_test_score"][0] == tried["mean_test_score"][1]


def test_the_set_that_is_used_is_a_parameter(wine):
    X, y = wine
    parameters = {"n_features": 3, "n_alternatives": 2, "tau": 1}
    plain = AlternativeFeatures("mutual_information", **parameters).fit(X, y)
    second = AlternativeFeatures("mutual_information", alternative=2, **parameters).fit(X, y)
    assert second.feature_sets_ == plain.feature_sets_
    for other in (second, clone(second).fit(X, y), pickle.loads(pickle.dumps(second))):
        expected = plain.transform(X, alternative=2)
        np.testing.assert_array_equal(other.transform(X), expected)
        np.testing.assert_array_equal(other.get_support(), plain.get_support(alternative=2))
        assert list(other.get_feature_names_out()) == list(plain.feature_sets_[2].names)
        np.testing.assert_array_equal(other.inverse_transform(expected)[:, other.get_support()],
                                      expected)  # fmt: skip
        # A method's own argument goes before it.
        np.testing.assert_array_equal(other.transform(X, alternative=0), plain.transform(X))
    chosen = second.pipeline(model="decision_tree").fit(X, y)[:-1].get_feature_names_out()
    assert list(chosen) == list(plain.feature_sets_[2].names)
    for wrong in (-1, 3, True, 1.0, "1"):
        with pytest.raises(AltfsError, match=r"alternative: .* use a whole number from 0 to 2"):
            AlternativeFeatures("mutual_information", alternative=wrong, **parameters).fit(X, y)
    with pytest.raises(AltfsError, match="use a whole number from 0 to 0"):
        AlternativeFeatures("mutual_information", n_alternatives=0, alternative=1).fit(X, y)
    with pytest.warns(FewerSetsWarning):
        few = AlternativeFeatures(
            "mutual_information", n_features=6, n_alternatives=3, tau=1, alternative=3
        ).fit(X, y)
    with pytest.raises(AltfsError, match=r"alternative: 3 is not there, use 0 to 1: .* 2 of 4"):
        few.transform(X)


def test_a_grid_search_tunes_the_set_that_is_used(wine):
    X, y = wine
    steps = (
        AlternativeFeatures("mutual_information", n_features=2, n_alternatives=2, tau=1),
        GaussianNB(),
    )
    grid = {"alternativefeatures__alternative": [0, 1, 2]}
    tuned = GridSearchCV(make_pipeline(*steps), grid, cv=3).fit(X, y)
    expected = [
        cross_val_score(make_pipeline(clone(steps[0]).set_params(alternative=i), steps[1]),
                        X, y, cv=3).mean()
        for i in range(3)
    ]  # fmt: skip
    assert list(tuned.cv_results_["mean_test_score"]) == expected
    assert len(set(expected)) == 3
    assert tuned.best_params_ == {"alternativefeatures__alternative": int(np.argmax(expected))}


@pytest.mark.parametrize("selector", ["forest", "mutual_information", "mrmr"])
def test_excluded_columns_count_as_if_they_were_not_there(selector):
    X, y = load_wine(return_X_y=True, as_frame=True)
    X, random = X.iloc[::2, :6], np.random.default_rng(0)
    afs = AlternativeFeatures(selector, n_features=2, n_alternatives=1)
    expected = afs.fit(X, y[::2])
    signal, sets = expected.signal_, expected.feature_sets_
    for value in (random.normal(size=len(X)), 1.0):
        wide = X.assign(other=value, id=random.permutation(len(X)))
        again = clone(afs).set_params(constraints={"exclude": ["other", "id"]}).fit(wide, y[::2])
        assert again.feature_sets_ == sets
        assert (again.signal_.score, again.signal_.floor) == (signal.score, signal.floor)


def test_too_few_sets_that_reach_a_floor_are_not_counted(monkeypatch):
    monkeypatch.setattr("altfs.library.searching.feasibility", None)
    worth = quality.Linear([5.0, 4.0, 3.0, 2.0, 1.0, 0.5])
    floor = {"relative_floor": 0.999}
    afs = AlternativeFeatures(worth, n_features=3, n_alternatives=1, constraints=floor)
    with pytest.warns(FewerSetsWarning, match="as too few reach the quality floor 11.988: without"):
        afs.fit(np.arange(12.0).reshape(2, 6))
