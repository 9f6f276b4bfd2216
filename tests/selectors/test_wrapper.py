"""The wrapper: scores of models by inner folds, as scikit-learn computes them."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine, make_regression
from sklearn.linear_model import LinearRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from studies import SMALL

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.scores import Part
from altfs.selectors import selectors
from altfs.selectors._inner_folds import InnerScore, inner_folds
from altfs.selectors._neighbour_score import NeighbourScore, nearest
from altfs.selectors.wrapper import Wrapper, WrapperOptions
from altfs.study.session import check_study

WINE = Part(*load_wine(return_X_y=True), "multiclass", 3)
DIABETES = Part(*load_diabetes(return_X_y=True), "regression", 3)
# No two rows are equally near to a third one.
NUMBERS = Part(*make_regression(150, 9, noise=5.0, random_state=0), "regression", 3)
CHOSEN = (0, 2, 6)


def scored(part, **options):
    return Wrapper(WrapperOptions(**options)).quality(part).evaluate(CHOSEN)


@pytest.mark.parametrize(
    ("options", "part", "model", "scoring"),
    [
        ({"model": "naive_bayes", "metric": "accuracy"}, WINE, GaussianNB(), "accuracy"),
        ({"model": "naive_bayes", "metric": "auc"}, WINE, GaussianNB(), "roc_auc_ovr"),
        (
            {"model": "naive_bayes", "metric": "d2_log_loss_score"},
            WINE,
            GaussianNB(),
            "d2_log_loss_score",
        ),
        (
            {"model": "linear_regression", "metric": "explained_variance"},
            DIABETES,
            LinearRegression(),
            "explained_variance",
        ),
        (
            {"model": "nearest_neighbours", "model_options": {"neighbours": 3}},
            WINE,
            KNeighborsClassifier(3),
            "matthews_corrcoef",
        ),
        (
            {"model": "linear_regression", "metric": "rmse", "folds": 3},
            DIABETES,
            LinearRegression(),
            "neg_root_mean_squared_error",
        ),
    ],
)
def test_scores_are_those_of_cross_validation(options, part, model, scoring):
    kind = KFold if part.target_type == "regression" else StratifiedKFold
    folds = kind(options.get("folds", 5), shuffle=True, random_state=part.seed)
    X = part.X[:, list(CHOSEN)]
    expected = cross_val_score(model, X, part.y, cv=folds, scoring=scoring).mean()
    assert scored(part, **options) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("part", [WINE, DIABETES], ids=["classes", "numbers"])
def test_trees_score_the_same_without_the_checks_of_scikit_learn(part):
    splits = inner_folds(part, 5)
    estimator = Wrapper().learner.estimator(part.target_type, part.seed)
    metric = "r2" if part is DIABETES else "matthews_corrcoef"
    slow = InnerScore(part, splits, estimator, metric)(CHOSEN)
    assert scored(part) == pytest.approx(slow, abs=1e-12)
    by_greedy = selectors.get("greedy_wrapper")().quality(part).evaluate(CHOSEN)
    assert scored(part, folds=1) == by_greedy


@pytest.mark.parametrize("part", [WINE, NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("standardise", [False, True])
def test_neighbours_score_the_same_without_scikit_learn(part, standardise):
    options = {"neighbours": 7, "standardise": standardise}
    wrapper = Wrapper(WrapperOptions(model="nearest_neighbours", model_options=options))
    splits = inner_folds(part, 5)
    fast = wrapper.quality(part)
    assert isinstance(fast.function, NeighbourScore)
    metric = "r2" if part is NUMBERS else "matthews_corrcoef"
    slow = InnerScore(part, splits, wrapper.learner.estimator(part.target_type, 0), metric)
    for chosen in ((0, 4, 6), (2, 5, 7, 8), tuple(range(9))):
        assert fast.evaluate(chosen) == pytest.approx(slow(chosen), abs=1e-9)


def test_of_equally_near_rows_the_first_ones_count():
    train, new = np.array([[1.0, 0.0, 1.0, 0.0]]), np.array([[0.5, 0.0]])
    assert nearest(train, new, np.array([0]), 3).tolist() == [[0, 1, 2], [0, 1, 3]]


def test_an_estimator_takes_the_place_of_the_model():
    wrapper = Wrapper(WrapperOptions(folds=3, metric="accuracy"))
    afs = AlternativeFeatures(
        wrapper, solver="forward", n_features=1, estimator=DecisionTreeClassifier(random_state=0)
    )
    afs.fit(WINE.X[:, :3], WINE.y, sample_weight=np.ones(len(WINE.y)))
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    scores = [
        cross_val_score(DecisionTreeClassifier(random_state=0), WINE.X[:, [j]], WINE.y, cv=folds)
        for j in range(3)
    ]
    best = max(range(3), key=lambda j: scores[j].mean())
    assert afs.feature_sets_[0].indices == (best,)
    assert afs.feature_sets_[0].train_objective == pytest.approx(scores[best].mean())


def cheap(model, X, y):
    """The accuracy less a price of each feature."""
    return model.score(X, y) - 0.05 * X.shape[1]


@pytest.mark.parametrize("estimator", [None, DecisionTreeClassifier(random_state=0)])
def test_a_set_is_judged_by_a_function_of_ones_own(estimator):
    options = {"folds": 3, "metric": cheap}
    afs = AlternativeFeatures(
        {"type": "wrapper", "options": options}, solver="forward", n_features="1-3",
        estimator=estimator, n_shuffles=0,
    ).fit(WINE.X[:, :4], WINE.y)  # fmt: skip
    [chosen] = {s.indices for s in afs.feature_sets_[:1]}
    part = Part(WINE.X[:, :4], WINE.y, "multiclass", 0)
    model = estimator or Wrapper().learner.estimator("multiclass", 0)
    accuracy = InnerScore(part, inner_folds(part, 3), model, "accuracy")(chosen)
    expected = accuracy - 0.05 * len(chosen)
    assert afs.feature_sets_[0].train_objective == pytest.approx(expected)
    # A file has the name of a function alone.
    again = AlternativeFeatures.from_json(afs.to_json())
    assert [s.indices for s in again.feature_sets_] == [s.indices for s in afs.feature_sets_]
    with pytest.raises(AltfsError, match="'cheap' is not a metric"):
        again.fit(WINE.X[:, :4], WINE.y)


def test_a_scorer_of_scikit_learn_is_what_its_name_is():
    own = WrapperOptions(folds=3, metric=make_scorer(f1_score, average="macro"))
    name = WrapperOptions(folds=3, metric="f1")
    values = [Wrapper(options).quality(WINE).evaluate(CHOSEN) for options in (own, name)]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (f1_score, "'f1_score' compares targets, and takes no model, use sklearn.metrics.make_sc"),
        (lambda model, X, y: model.nope, "metric: '<lambda>' cannot judge the target"),
        (lambda model, X, y: float("nan"), "metric: '<lambda>' is not defined on all held-out"),
    ],
)
def test_functions_that_judge_no_model_are_refused(metric, message):
    with pytest.raises(AltfsError, match=message):
        Wrapper(WrapperOptions(metric=metric)).quality(WINE)


def test_by_default_a_small_class_has_fewer_folds():
    small = Part(np.arange(12.0)[:, None] % 5, np.repeat([0, 1], [9, 3]), "binary", 0)
    qualities = {folds: Wrapper(WrapperOptions(folds=folds)).quality(small) for folds in (None, 3)}
    assert qualities[None].evaluate((0,)) == qualities[3].evaluate((0,))
    single = Part(small.X, np.repeat([0, 1], [11, 1]), "binary", 0)
    with pytest.raises(AltfsError, match=r"the rarest class has 1 row, .* leave it out"):
        Wrapper().quality(single)


def test_a_scorer_that_cannot_judge_the_model_is_named():
    options = {"model": "linear_regression", "metric": "neg_mean_gamma_deviance"}
    part = Part(NUMBERS.X, np.exp(NUMBERS.y / NUMBERS.y.std()), "regression", 0)
    with pytest.raises(AltfsError, match="metric: 'neg_mean_gamma_deviance' cannot judge the mo"):
        scored(part, **options)


def test_no_scorer_of_a_set_exceeds_its_bound():
    from sklearn.metrics import get_scorer_names

    counts = {"classes": 0, "numbers": 0}
    for name, part in (("classes", WINE), ("numbers", DIABETES)):
        for metric in get_scorer_names():
            try:
                quality = Wrapper(WrapperOptions(metric=metric, folds=2)).quality(part)
            except AltfsError:
                continue
            counts[name] += 1
            assert quality.evaluate(CHOSEN) <= quality.upper_bound
    assert counts["classes"] > 20 and counts["numbers"] > 8


def test_a_metric_has_to_be_defined_on_every_held_out_fold():
    numbers = Part(np.arange(12.0)[:, None], np.arange(12.0), "regression", 0)
    with pytest.raises(AltfsError, match="'r2' needs two rows in every held-out fold, use fewer"):
        Wrapper(WrapperOptions(folds=8)).quality(numbers)
    assert Wrapper(WrapperOptions(folds=8, metric="rmse")).quality(numbers).evaluate((0,)) < 0
    y = np.repeat([0, 1, 2], [53, 44, 2])
    classes = Part(np.arange(99.0)[:, None], y, "multiclass", 0)
    for metric in ("auc", "log_loss"):
        options = WrapperOptions(model="naive_bayes", metric=metric, folds=1)
        with pytest.raises(AltfsError, match=f"'{metric}' needs rows of every class"):
            Wrapper(options).quality(classes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"model": "naive_bays"},
            r"^selectors\[0\].options.model: .* you mean 'naive_bayes'",
        ),
        (
            {"model_options": {"neighbours": 3}},
            "options.model_options.neighbours: this key",
        ),
        ({"metric": "acuracy"}, "'acuracy' is not a metric, did you mean 'accuracy'"),
        ({"folds": 0}, "folds: 0 is not allowed"),
        ({"folds": 30}, "folds: 30 is more than the 2. rows of the rarest class, use at most 2"),
        ({"metric": "r2"}, "metric: 'r2' is for regression, use one for classification: mcc"),
        ({"metric": "neg_max_error"}, "metric: 'neg_max_error' is for regression"),
        ({"metric": "f1_samples"}, r"metric: 'f1_samples' cannot judge the target \(Samplewise"),
        ({"model": "linear_regression"}, "is for regression, use one for classification"),
        ({"folds": 1, "model": "nearest_neighbours", "model_options": {"neighbours": 80}}, "80"),
    ],
)
def test_what_a_study_refuses(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entry = {"name": "wrapper", "options": options}
    with pytest.raises(AltfsError, match=message):
        check_study({**SMALL, "selectors": [entry]})
    assert not list(tmp_path.iterdir())


def test_shards_depend_on_the_code_of_the_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    entries = [
        {"name": model, "type": "wrapper", "options": {"model": model}}
        for model in ("naive_bayes", "logistic_regression")
    ]
    plan = check_study({**SMALL, "selectors": entries})
    codes = {plan.quality_task("wine", 0, entry["name"]).code for entry in entries}
    assert len(codes) == 2
