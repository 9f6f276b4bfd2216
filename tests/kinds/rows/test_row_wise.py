"""Values of single rows against the libraries that compute them, and their sums."""

import sys

import numpy as np
import pytest
import shap
from marks import exhaustive
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from altfs.errors import AltfsError
from altfs.kinds.rows.selectors.lime import Lime, LimeOptions
from altfs.selectors import Part, selectors
from altfs.selectors.row_wise import answers_of
from altfs.selectors.shap import Shap, ShapOptions

X, Y = load_iris(return_X_y=True)
BACKGROUND = X[::10]
ROWS = X[::25]


def values(algorithm, model, rows=ROWS, target="multiclass", seed=0):
    selector = Shap(ShapOptions(algorithm=algorithm))
    return selector.model_values(model, BACKGROUND, rows, target, seed)


@pytest.mark.parametrize(
    "model", [RandomForestClassifier(5, random_state=0), GradientBoostingClassifier(n_estimators=3)]
)
def test_trees_have_the_values_of_the_library_for_the_predicted_class(model):
    y = Y if isinstance(model, RandomForestClassifier) else (Y > 0).astype(int)
    model.fit(X, y)
    explainer = shap.TreeExplainer(model)
    actual = explainer.shap_values(ROWS)
    predicted = model.predict(ROWS)
    if actual.ndim == 3:
        sums = actual.sum(axis=1) + explainer.expected_value
        assert sums == pytest.approx(model.predict_proba(ROWS), abs=1e-6)
        actual = actual[np.arange(len(ROWS)), :, predicted]
    assert values("auto", model) == pytest.approx(np.abs(actual), abs=1e-12)


@pytest.mark.parametrize("algorithm", exhaustive("exact", "permutation", "kernel"))
def test_other_models_have_the_values_of_the_definition_and_their_sum(algorithm):
    model = KNeighborsClassifier().fit(X, Y)
    actual = values(algorithm, model)
    explainer = shap.explainers.Exact(model.predict_proba, shap.maskers.Independent(BACKGROUND))
    reference = explainer(ROWS)
    base = model.predict_proba(BACKGROUND).mean(axis=0)
    assert reference.values.sum(axis=1) + base == pytest.approx(model.predict_proba(ROWS), abs=1e-9)
    expected = np.abs(reference.values[np.arange(len(ROWS)), :, model.predict(ROWS)])
    # With four features all three try every set of them, or every order and its reverse.
    assert actual == pytest.approx(expected, abs=1e-8 if algorithm != "permutation" else 0.05)


@pytest.mark.exhaustive
def test_few_features_are_explained_exactly_and_many_by_permutations():
    model = KNeighborsClassifier().fit(X, Y)
    assert (values("auto", model) == values("exact", model)).all()
    wine, y = load_wine(return_X_y=True)
    near = KNeighborsClassifier().fit(wine, y)
    chosen = [Shap(ShapOptions(algorithm=a)) for a in ("auto", "permutation")]
    both = [s.model_values(near, wine[:5], wine[:2], "multiclass", 0) for s in chosen]
    assert (both[0] == both[1]).all()


def test_linear_models_have_closed_forms():
    wide, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(wide, y)
    selector = Shap(ShapOptions(algorithm="linear"))
    actual = selector.model_values(model, wide[:50], wide[:3], "regression", 0)
    expected = np.abs(model.coef_ * (wide[:3] - wide[:50].mean(axis=0)))
    assert actual == pytest.approx(expected, abs=1e-8)
    several = LogisticRegression(max_iter=1000).fit(X, Y)
    assert values("linear", several).shape == ROWS.shape
    with pytest.raises(AltfsError, match=r"^estimator: KNeighborsClassifier is not a linear model"):
        values("linear", KNeighborsClassifier().fit(X, Y))


@pytest.mark.parametrize("algorithm", ["permutation", *exhaustive("kernel")])
def test_the_values_of_a_row_depend_on_no_other_row_and_no_state(algorithm):
    wine, y = load_wine(return_X_y=True)
    near = KNeighborsClassifier().fit(wine, y)
    selector = Shap(ShapOptions(algorithm=algorithm))
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    all_rows = selector.model_values(near, wine[::20], wine[:3], "multiclass", 7)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    alone = selector.model_values(near, wine[::20], wine[2:3], "multiclass", 7)
    assert (all_rows[2] == alone[0]).all()
    if algorithm == "kernel":
        other = selector.model_values(near, wine[::20], wine[2:3], "multiclass", 8)
        assert (other != alone).any()


def test_a_selector_learns_a_model_of_its_own_and_sees_each_row():
    part = Part(X, Y, "multiclass", 0)
    tree = Shap().model(part, np.arange(len(Y)))
    assert (Shap().row_values(part, ROWS) == values("tree", tree)).all()


def test_models_without_trees_or_probabilities_are_refused_in_one_sentence():
    with pytest.raises(
        AltfsError, match=r"^estimator: KNeighborsClassifier is not a model of trees"
    ):
        values("tree", KNeighborsClassifier().fit(X, Y))
    with pytest.raises(AltfsError, match=r"^estimator: RidgeClassifier has no probabilities, use"):
        answers_of(RidgeClassifier().fit(X, Y), "multiclass")


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_lime_has_the_coefficients_of_the_library_whatever_the_other_rows(target):
    from lime.lime_tabular import LimeTabularExplainer

    classes = target == "classes"
    model = (LogisticRegression(max_iter=1000) if classes else LinearRegression()).fit(X, Y)
    selector = Lime(LimeOptions(n_samples=200))
    kind = "multiclass" if classes else "regression"
    actual = selector.model_values(model, BACKGROUND, ROWS, kind, 5)
    assert (selector.model_values(model, BACKGROUND, ROWS[3:4], kind, 5)[0] == actual[3]).all()
    assert (selector.model_values(model, BACKGROUND, ROWS[3:4], kind, 6)[0] != actual[3]).any()
    for row, values in zip(ROWS, actual, strict=True):
        explainer = LimeTabularExplainer(
            BACKGROUND, mode="classification" if classes else "regression",
            feature_selection="none", random_state=np.random.RandomState(5),
        )  # fmt: skip
        label = int(model.predict(row[None])[0]) if classes else 1
        expected = explainer.explain_instance(
            row, model.predict_proba if classes else model.predict, labels=(label,), num_samples=200
        )
        assert values == pytest.approx([abs(v) for _, v in sorted(expected.as_map()[label])])


def test_without_lime_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lime", None)
    with pytest.raises(
        AltfsError, match=r"^selector: 'lime' needs .*`pip install 'altfs\[lime\]'`"
    ):
        Lime().values(Part(X[:20], Y[:20], "binary", 0))
    with pytest.raises(AltfsError, match=r"^selector: 'lime' needs "):
        Lime().check_target(Y, "multiclass", 0)


@pytest.mark.parametrize(
    "name", ["l2x", "invase", "mixture", "group_fs", "feature_grouping", "diwift"]
)
def test_without_torch_one_sentence_says_how_to_get_it(monkeypatch, name):
    monkeypatch.setitem(sys.modules, "torch", None)
    selector = selectors.get(name)()
    said = rf"^selector: '{name}' needs the library torch.*`pip install 'altfs\[torch\]'`"
    with pytest.raises(AltfsError, match=said):
        selector.values(Part(X, Y, "multiclass", 0))
    with pytest.raises(AltfsError, match=said):
        selector.check_target(Y, "multiclass", 0)


def test_networks_refuse_numbers_and_few_rows():
    with pytest.raises(AltfsError, match="'invase' is for classes"):
        selectors.get("invase")().row_values(Part(X, X[:, 0], "regression", 0), X)
    with pytest.raises(AltfsError, match="15 rows with 1 classes are too few for a network"):
        selectors.get("l2x")().row_values(Part(X[:15], Y[:15], "binary", 0), X)
