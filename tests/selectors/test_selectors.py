import numpy as np
import pytest
from ordinary import WITHOUT_TORCH, cheap
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.feature_selection import mutual_info_classif, mutual_info_regression
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from altfs.errors import DataError
from altfs.kinds.streams.online_selector import OnlineSelector
from altfs.quality import BlackBox, Linear
from altfs.selectors import Part, ScoreKey, selectors
from altfs.selectors.base import normalised

LOADERS = {"binary": load_breast_cancer, "multiclass": load_wine, "regression": load_diabetes}


def parts(target_type, n_columns=6, n_test=50):
    X, y = LOADERS[target_type](return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))
    X = X[:, :n_columns]
    train, test = rows[n_test:], rows[:n_test]
    return Part(X[train], y[train], target_type, 25), Part(X[test], y[test], target_type, 25)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [s.name for s in WITHOUT_TORCH])
@pytest.mark.parametrize("target_type", LOADERS)
def test_every_selector_judges_every_kind_of_target(name, target_type):
    train, test = parts(target_type)
    component = selectors.get(name)
    classes = component.for_classes or issubclass(component, OnlineSelector)
    refused = target_type == "regression" and classes
    if refused or (target_type != "binary" and component.two_classes):
        with pytest.raises(DataError, match=r"is for classes|needs two classes"):
            component().learn(train, test)
        return
    first = cheap(name).learn(train, test)
    again = cheap(name).learn(*parts(target_type))
    for chosen in [(0, 1), (2, 3, 5)]:
        assert np.isfinite(first.train.evaluate(chosen))
        assert first.train.evaluate(chosen) == again.train.evaluate(chosen)
        assert first.test.evaluate(chosen) == again.test.evaluate(chosen)
    assert first.train.n_total == 6


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [s.name for s in WITHOUT_TORCH])
def test_the_training_quality_does_not_see_the_test_part(name):
    train, test = parts("binary")
    other = Part(test.X[::-1] * 2, test.y, "binary", 25)
    first = cheap(name).learn(train, test)
    second = cheap(name).learn(parts("binary")[0], other)
    assert first.train.evaluate((0, 3)) == second.train.evaluate((0, 3))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [s.name for s in WITHOUT_TORCH])
def test_scores_computed_before_are_the_scores_computed_now(name):
    train, test = parts("binary")
    selector = cheap(name)
    plain = selector.learn(train, test)
    fed_train, fed_test = parts("binary")
    for key in selector.train_scores:
        if key.of_pairs:
            n_total = train.X.shape[1]
            computed = [fed_train.compute(key, range(j, n_total, 3)) for j in range(3)]
            matrix = np.empty((len(computed[0]), n_total), dtype=computed[0].dtype)
            for j in range(3):
                matrix[:, j::3] = computed[j]
            fed_train.scores[key] = key.score.whole(matrix)
    fed = selector.learn(fed_train, fed_test)
    assert plain.train.evaluate((0, 4)) == fed.train.evaluate((0, 4))
    if isinstance(plain.train, Linear) and plain.train.conflicts is not None:
        assert (plain.train.conflicts == fed.train.conflicts).all()


@pytest.mark.parametrize(
    ("target_type", "estimator", "reference"),
    [
        ("binary", "sklearn", mutual_info_regression),
        ("binary", "classification", mutual_info_classif),
        ("multiclass", "sklearn", mutual_info_classif),
    ],
)
def test_mutual_information_has_the_papers_estimator(target_type, estimator, reference):
    train, _test = parts(target_type)
    raw = reference(train.X, train.y, random_state=25)
    component = selectors.get("mutual_information")
    quality = component(component.Options(estimator=estimator)).quality(train)
    assert (quality.values == raw / raw.sum()).all()


def test_fcbf_takes_the_conflicts_of_its_estimator():
    train, _test = parts("binary")
    component = selectors.get("fcbf")
    for variant in ("auto", "classification"):
        quality = component(component.Options(estimator=variant)).quality(train)
        expected = train.scores[ScoreKey("conflicts", variant)]
        assert np.array_equal(quality.conflicts, expected)
        assert expected.any()


def test_constant_features_have_no_importance_and_zero_sums_stay_zero():
    X = np.ones((30, 3))
    y = np.arange(30) % 2
    part = Part(X, y, "binary", 25)
    assert selectors.get("model_gain")().quality(part).values.tolist() == [0, 0, 0]
    assert normalised(np.zeros(3)).tolist() == [0, 0, 0]


def test_the_wrapper_scores_a_tree_on_a_fifth_of_the_rows():
    train, _test = parts("binary")
    quality = selectors.get("greedy_wrapper")().quality(train)
    assert isinstance(quality, BlackBox)
    X_fit, X_val, y_fit, y_val = train_test_split(
        train.X[:, [1, 4]], train.y, test_size=0.2, random_state=25, stratify=train.y
    )
    tree = DecisionTreeClassifier(criterion="entropy", random_state=25).fit(X_fit, y_fit)
    assert quality.evaluate((1, 4)) == pytest.approx(
        matthews_corrcoef(y_val, tree.predict(X_val)), abs=1e-12
    )


@pytest.mark.parametrize("name", ["greedy_wrapper", "mutual_information", "fcbf"])
def test_a_small_test_part_has_no_test_quality_and_says_why(name):
    train, _ = parts("binary")
    tiny = Part(train.X[:3], np.array([0, 0, 1]), "binary", 25)
    fitted = cheap(name).learn(train, tiny)
    assert fitted.test is None
    assert fitted.note


def test_a_score_is_named_by_kind_and_variant():
    assert str(ScoreKey("relevance")) == "relevance"
    assert str(ScoreKey("relevance", "classification")) == "relevance-classification"
