"""Selectors with a curve: their scores, judged by models that are trained anew."""

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from exact_bins import binned
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import NearestNeighbors

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, DataError
from altfs.kinds.fronts.curve import Curve
from altfs.selectors import Part, selectors
from altfs.study.qualities import learn
from altfs.study.session import begin_study, check_study

N = 42
RNG = np.random.default_rng(3)
Y = np.where(np.arange(N) % 3 == 0, 2, 1)
# Numbers, categories, few different numbers, and a constant column.
X = np.column_stack(
    [Y + RNG.normal(size=N), RNG.integers(3, 6, N), RNG.integers(0, 2, N) + Y, np.ones(N)]
)
PART = Part(X, Y, "binary", 4, categorical=np.array([False, True, False, False]))
CHOSEN = (0, 1, 2)


def made(name, **options):
    component = selectors.get(name)
    return component(component.Options(**options))


def trained_naive_bayes(learned, held_out, bins, of_bins):
    """The log-odds of rows by scikit-learn, with Laplace's rule for classes, too."""
    codes = np.column_stack(
        [binned(X[:, 0], X[of_bins, 0], bins), X[:, 1] - 3, binned(X[:, 2], X[of_bins, 2], bins)]
    ).astype(int)
    counts = np.array([(Y[learned] == c).sum() + 1 for c in (1, 2)])
    model = CategoricalNB(
        alpha=1.0, min_categories=codes.max(0) + 1, class_prior=counts / counts.sum()
    )
    model.fit(codes[learned], Y[learned])
    return np.diff(model.predict_joint_log_proba(codes[held_out]))[:, 0]


@pytest.mark.parametrize("bins", [2, 5, 10])
def test_leave_one_out_is_naive_bayes_without_each_row(bins):
    scores = made("naive_bayes_curve", bins=bins).quality(PART).scores(CHOSEN)
    every = np.arange(N)
    expected = [trained_naive_bayes(np.delete(every, r), [r], bins, every)[0] for r in every]
    assert scores == pytest.approx(expected, abs=1e-10)


def splits(folds):
    positive = Y == 2
    return StratifiedKFold(folds, shuffle=True, random_state=4).split(X, positive)


def test_naive_bayes_is_scored_on_held_out_folds():
    scores = made("naive_bayes_curve", folds=3).quality(PART).scores(CHOSEN)
    for learned, held_out in splits(3):
        expected = trained_naive_bayes(learned, held_out, 10, learned)
        assert scores[held_out] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("separated", [False, True])
def test_logistic_regression_is_scored_on_held_out_folds(separated):
    part = PART
    if separated:
        part = Part(X + 9 * (Y == 2)[:, None] * [1, 0, 0, 0], Y, "binary", 4,
                    categorical=PART.categorical)  # fmt: skip
    scores = made("logistic_curve").quality(part).scores((0, 1, 2, 3))
    wide = np.column_stack([part.X[:, [0, 2, 3]], part.X[:, 1] == 4, part.X[:, 1] == 5])
    wide = (wide - wide.mean(0)) / np.where(wide.std(0) > 0, wide.std(0), 1)
    for learned, held_out in splits(5):
        model = LogisticRegression(C=1e6, solver="newton-cholesky", tol=1e-12, max_iter=500)
        model.fit(wide[learned], Y[learned])
        expected = model.decision_function(wide[held_out])
        assert scores[held_out] == pytest.approx(expected, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_a_near_constant_column_leaves_ties(seed):
    # Folds of equal classes tie. Another coding rounds in another way.
    rng = np.random.default_rng(seed)
    near = np.arange(60) == rng.integers(60)
    columns = np.column_stack([near, *rng.integers(0, 2, (3, 60))]).astype(np.float64)
    y = (columns[:, 1] + rng.normal(size=60) > 0.6).astype(int)
    codings = (columns, 1 - columns, 0.3 * columns + 7)
    first, *others = [
        made("logistic_curve").quality(Part(coding, y, "binary", seed)) for coding in codings
    ]
    for size in (1, 2, 3):
        for chosen in combinations(range(4), size):
            for other in others:
                assert first.levels(chosen).tolist() == other.levels(chosen).tolist()


def test_logistic_regression_holds_out_one_row_and_takes_duplicates():
    part = Part(X[:, [0, 0]], Y, "binary", 0)
    quality = made("logistic_curve", folds="one_out").quality(part)
    every = np.arange(N)
    for r in (0, 7):
        model = LogisticRegression(C=1e6, solver="newton-cholesky", tol=1e-12)
        model.fit(X[every != r, :1], Y[every != r])
        assert quality.scores((0,))[r] == pytest.approx(
            model.decision_function(X[[r], :1])[0], rel=1e-4
        )
    assert quality.scores((0, 1)) == pytest.approx(quality.scores((0,)), rel=1e-4)


@pytest.mark.parametrize("name", ["naive_bayes_curve", "logistic_curve"])
def test_the_class_of_interest_is_the_rarer_one(name):
    quality = made(name).quality(PART)
    assert isinstance(quality, Curve)
    assert quality.positive.tolist() == (Y == 2).tolist()
    assert made(name, positive=1).quality(PART).n_positive == (Y == 1).sum()
    equal = Part(X[:12], np.repeat([0, 1], 6), "binary", 0)
    assert made(name).quality(equal).positive.tolist() == (equal.y == 1).tolist()
    # In the test part the other class is the rarer one.
    rows = np.r_[np.flatnonzero(Y == 2)[:12], np.flatnonzero(Y == 1)[:6]]
    qualities = made(name).learn(PART, Part(X[rows], Y[rows], "binary", 4))
    assert qualities.test.positive.tolist() == (Y[rows] == 2).tolist()
    assert made(name, curve="confidence").quality(PART).kind == "confidence"


def test_the_class_of_interest_of_a_text_target():
    texts = np.where(Y == 2, "sick", "well")
    for positive, rows in ((None, Y == 2), ("well", Y == 1), ("sick", Y == 2)):
        selector = {"type": "naive_bayes_curve", "options": {"positive": positive}}
        afs = AlternativeFeatures(selector, n_features=2, n_alternatives=0).fit(X, texts)
        assert afs.quality_.positive.tolist() == rows.tolist()
    said = "positive: 'wel' is not a class, use 'sick' or 'well'."
    selector["options"] = {"positive": "wel"}
    with pytest.raises(DataError, match=re.escape(said)):
        AlternativeFeatures(selector, n_features=2).fit(X, texts)


def study(folder, dataset="sklearn:breast_cancer", **options):
    """The configuration of a study of naive Bayes with some options."""
    return {
        "name": "a", "results": str(folder / "a"), "folds": 2, "seed": 0, "n_features": 2,
        "datasets": [dataset], "taus": ["1"], "models": ["decision_tree"],
        "selectors": [{"name": "naive_bayes_curve", "options": options}],
        "searches": [{"name": "many_objective", "n_alternatives": 1}],
    }  # fmt: skip


def test_a_study_names_a_class_of_a_text_target(tmp_path):
    file = tmp_path / "t.csv"
    table = pd.DataFrame(X, columns=list("abcd")).assign(y=np.where(Y == 2, "sick", "well"))
    table.to_csv(file, index=False)
    dataset = {"name": "t", "type": "file", "options": {"path": str(file), "target": "y"}}
    plan = check_study(study(tmp_path, dataset, positive="well"))
    begin_study(plan)
    plan.tasks[plan.data_path("t")].run(plan)
    learned = learn(plan.quality_task("t", 0, "naive_bayes_curve"))
    assert learned.train.n_positive == (Y == 1).sum() // 2
    said = "selectors[0]: positive: 'wel' is not a class, use 'sick' or 'well' (dataset 't')."
    with pytest.raises(AltfsError, match=re.escape(said)):
        check_study(study(tmp_path, dataset, positive="wel"))


def test_a_test_part_with_too_few_rows_has_no_quality():
    rows = np.flatnonzero(Y == 2)[:3]
    qualities = made("logistic_curve").learn(PART, Part(X[rows], Y[rows], "binary", 4))
    assert qualities.test is None
    assert "needs two classes, the target has one class" in qualities.note


@pytest.mark.parametrize("name", ["naive_bayes_curve", "logistic_curve"])
@pytest.mark.parametrize("folds", ["one_out", 3])
def test_a_class_of_three_is_judged_against_the_rest(name, folds):
    of_three = Y + 2 * (np.arange(N) % 3 == 1)
    for label in (1, 2, 3):
        options = {"folds": folds, "curve": "confidence"}
        whole = Part(X, of_three, "multiclass", 4, categorical=PART.categorical)
        rest = replace(whole, y=(of_three == label).astype(int), target_type="binary")
        curve = made(name, positive=label, **options).quality(whole)
        expected = made(name, positive=1, **options).quality(rest)
        for chosen in [(0,), (1, 2), (0, 1, 2)]:
            assert curve.evaluate(chosen) == expected.evaluate(chosen)
            np.testing.assert_array_equal(curve.levels(chosen), expected.levels(chosen))


NAMES = ["naive_bayes_curve", "logistic_curve", "nearest_neighbours_curve"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folds", [2, "one_out"])
def test_each_class_in_turn_gives_the_mean_of_the_curves(name, folds):
    of_three = np.arange(N) % 3
    part = Part(X, of_three, "multiclass", 4, categorical=PART.categorical)
    mean = made(name, target="each", folds=folds).quality(part)
    assert mean.n_positive == 14 and len(mean.curves) == 3
    if folds == "one_out":
        # With folds each class alone has folds of its own.
        each = [made(name, positive=c, folds=folds).quality(part) for c in range(3)]
        for chosen in [(0,), (1, 2), (0, 1, 2)]:
            curves = [curve.curve(chosen) for curve in each]
            np.testing.assert_allclose(mean.curve(chosen), np.mean(curves, axis=0), atol=1e-9)
    two = made(name, target="each", folds=folds).quality(PART)
    same = made(name, folds=folds).quality(PART)
    np.testing.assert_array_equal(two.levels(CHOSEN), same.levels(CHOSEN))


@pytest.mark.parametrize("name", NAMES)
def test_a_membership_of_0_or_1_gives_the_curve_of_two_classes(name):
    y = (Y == 2).astype(float)
    part = replace(PART, y=y, target_type="regression")
    soft = made(name, target="membership", folds="one_out").quality(part)
    hard = made(name, positive=1, folds="one_out").quality(replace(PART, y=(Y == 2).astype(int)))
    for chosen in [(0,), (1, 2), CHOSEN]:
        np.testing.assert_allclose(soft.curve(chosen), hard.curve(chosen), atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_probability_is_learned_from_in_any_order_of_the_rows(name):
    rng = np.random.default_rng(0)
    told = rng.normal(size=200)
    X = np.column_stack([rng.normal(size=(200, 2)), told])
    y = 1 / (1 + np.exp(-3 * told))
    selector = made(name, target="membership", folds="one_out")
    areas = []
    for rows in (np.arange(200), rng.permutation(200)):
        quality = selector.quality(Part(X[rows], y[rows], "regression", 0))
        areas.append([quality.evaluate((j,)) for j in range(3)])
    np.testing.assert_allclose(*areas, atol=1e-9)
    assert areas[0][2] > max(areas[0][:2]) + 0.1


@pytest.mark.parametrize("neighbours", [1, 3])
def test_nearest_neighbours_are_those_of_scikit_learn(neighbours):
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    quality = made("nearest_neighbours_curve", neighbours=neighbours).quality(
        Part(X, y, "binary", 0)
    )
    scaled = X / X.std(axis=0)
    for chosen in [(0,), (1, 2), (0, 1, 2)]:
        columns = scaled[:, chosen]
        near = NearestNeighbors(n_neighbors=neighbours).fit(columns).kneighbors()[1]
        shares = (y[near] == quality_class(quality, y)).mean(axis=1)
        np.testing.assert_allclose(quality.scores(chosen), shares)


def quality_class(quality, y):
    """The class of interest."""
    return y[quality.positive][0]


def test_rows_that_are_equally_near_count_alike():
    X, y = np.zeros((6, 1)), np.array([0, 0, 0, 1, 1, 1])
    quality = made("nearest_neighbours_curve").quality(Part(X, y, "binary", 0))
    np.testing.assert_allclose(quality.scores((0,)), [0.6] * 3 + [0.4] * 3)
    with pytest.raises(AltfsError, match="neighbours: 6 is more than the 5 rows of other folds"):
        made("nearest_neighbours_curve", neighbours=6).quality(Part(X, y, "binary", 0))


@pytest.mark.parametrize(
    ("options", "y", "target_type", "said"),
    [
        ({}, np.arange(N) % 3, "multiclass", "selector: 'naive_bayes_curve' needs two classes, "
         "the target has 3 classes, name the class of interest by positive, take each in turn by "
         "target: each, or use another selector, such as 'wrapper'."),
        ({"target": "membership"}, 2 * X[:, 1], "regression", "y: target: membership needs "
         "numbers from 0 to 1, not all 0 or all 1, use target: one for classes, and task: "
         "regression for few numbers."),
        ({"target": "membership"}, Y, "binary", "y: target: membership needs numbers"),
        ({"positive": 3}, np.arange(N) % 3, "multiclass", "positive: 3 is not a class, use 0 or 1 "
         "or 2."),
        ({}, X[:, 0], "regression", "selector: 'naive_bayes_curve' needs two classes, the target "
         "has numbers, use another selector, such as 'wrapper'."),
        ({"positive": 3}, Y, "binary", "positive: 3 is not a class, use 1 or 2."),
        ({"folds": 15}, Y, "binary", "folds: 15 is more than the 14 rows of the rarest class, use "
         "at most 14, or 'one_out'."),
        ({}, (np.arange(N) == 0) * 1, "binary", "folds: 'one_out' needs two rows of each class, "
         "the rarest one has one, use more rows or another selector."),
    ],
)  # fmt: skip
def test_targets_without_a_curve_are_refused(options, y, target_type, said):
    selector = made("naive_bayes_curve", **options)
    with pytest.raises(DataError, match=re.escape(said)):
        selector.check_target(y, target_type, 0)
    with pytest.raises(DataError, match=re.escape(said)):
        selector.quality(Part(X, y, target_type, 0))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"folds": "all"}, "folds: 'all' is not allowed, use 'one_out' or a number from 2."),
        ({"curve": "roc"}, "curve: 'roc' is not allowed, use 'specificity' or"),
    ],
)
def test_options_out_of_range_are_refused(tmp_path, options, said):
    with pytest.raises(AltfsError, match=re.escape(said)):
        check_study(study(tmp_path, **options))


@pytest.mark.parametrize("search", ["sequential", "simultaneous", "enumeration", "local_search"])
def test_searches_for_black_boxes_work_on_the_area(search):
    data, y = load_breast_cancer(return_X_y=True)
    selector = made("naive_bayes_curve", max_iterations=30)
    afs = AlternativeFeatures(selector, search, n_features=2, tau=1).fit(data[::4, :7], y[::4])
    assert [s.train_objective for s in afs.feature_sets_] == [
        pytest.approx(afs.quality_.curve(s.indices).mean()) for s in afs.feature_sets_
    ]
    if search == "enumeration":
        best = max(afs.quality_.evaluate((i, j)) for j in range(7) for i in range(j))
        assert afs.feature_sets_[0].train_objective == best


@pytest.mark.parametrize("name", ["logistic_curve", "naive_bayes_curve"])
@pytest.mark.parametrize("folds", ["one_out", 3])
def test_curves_hold_out_whole_groups_and_refuse_times(name, folds):
    random = np.random.default_rng(0)
    groups, y = np.repeat(np.arange(18), 5), np.repeat(np.arange(18) % 2, 5)
    part = Part(random.normal(size=(90, 3)), y, "binary", 0, groups=groups)
    curve = made(name, folds=folds)
    numbers = curve.fold_numbers(part)
    assert all(len({*numbers[groups == group]}) == 1 for group in range(18))
    assert len(np.unique(numbers)) == (18 if folds == "one_out" else 3)
    assert 0 <= curve.quality(part).evaluate((0, 1)) <= 1
    with pytest.raises(AltfsError, match="holds every row out once, which folds by time"):
        curve.quality(replace(part, groups=None, times=np.arange(90)))
