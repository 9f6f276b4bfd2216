"""The wrapper's evaluation is scikit-learn's, to the last bit."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from altfs import AlternativeFeatures
from altfs.errors import DataError
from altfs.prediction import _bare_tree
from altfs.prediction.metrics import r2, score_by
from altfs.selectors import Part, selectors
from altfs.selectors.greedy_wrapper import HoldOut

SEED = 25
LOADERS = {"binary": load_breast_cancer, "multiclass": load_wine, "regression": load_diabetes}


def slow(part, columns):
    """Return the result of scikit-learn's public interface, and its tree."""
    regression = part.target_type == "regression"
    X_fit, X_val, y_fit, y_val = train_test_split(
        part.X[:, columns],
        part.y,
        test_size=0.2,
        random_state=SEED,
        stratify=None if regression else part.y,
    )
    if regression:
        tree = DecisionTreeRegressor(random_state=SEED).fit(X_fit, y_fit)
        return r2(y_val, tree.predict(X_val))
    tree = DecisionTreeClassifier(criterion="entropy", random_state=SEED).fit(X_fit, y_fit)
    predicted = tree.predict(X_val)
    value = score_by("mcc", y_val, predicted)
    assert value == pytest.approx(matthews_corrcoef(y_val, predicted), abs=1e-12)
    return value


def evaluated(part):
    return selectors.get("greedy_wrapper")().quality(part).evaluate


def a_part(target_type):
    X, y = LOADERS[target_type](return_X_y=True)
    return Part(X, y, target_type, SEED)


@pytest.mark.parametrize("target_type", LOADERS)
@pytest.mark.parametrize("as_ints", [False, True])
def test_values_are_exactly_scikit_learns(target_type, as_ints):
    part = a_part(target_type)
    if as_ints:
        part.y = part.y.astype(np.int64) * 3 - 1
    evaluate, random = evaluated(part), np.random.default_rng(0)
    for size in (1, 2, 3, 5, 8, 10):
        columns = sorted(random.choice(part.X.shape[1], size, replace=False).tolist())
        assert evaluate(columns) == slow(part, columns)


@pytest.mark.parametrize("target_type", LOADERS)
def test_a_scikit_learn_with_other_internals_gives_the_same(target_type, monkeypatch):
    def unknown(*arguments):
        raise TypeError("unexpected argument")

    part = a_part(target_type)
    expected = evaluated(part)((0, 3, 4))
    monkeypatch.setattr(_bare_tree, "_bare_grower", unknown)
    assert evaluated(part)((0, 3, 4)) == expected


def test_missing_values_are_left_to_scikit_learn():
    part = a_part("binary")
    part.X[::7, 2] = np.nan
    assert evaluated(part)((1, 2)) == slow(part, [1, 2])


def test_searches_on_the_same_rows_share_trees_and_no_others(monkeypatch):
    grown = []
    score = HoldOut._score

    def counting(self, indices):
        grown.append(indices)
        return score(self, indices)

    monkeypatch.setattr(HoldOut, "_score", counting)
    part = a_part("binary")
    boxes = [selectors.get("greedy_wrapper")().quality(one) for one in (part, a_part("binary"))]
    values = [box.evaluate((0, 3, 4)) for box in boxes]
    assert grown == [(0, 3, 4)] and len({*values}) == 1
    # Each search counts its own sets, so that results do not depend on their order.
    assert [box.n_evaluations for box in boxes] == [1, 1]
    for other in (
        Part(part.X, part.y, "binary", SEED + 1),
        Part(part.X[:-1], part.y[:-1], "binary", SEED),
        Part(part.X, 1 - part.y, "binary", SEED),
        Part(part.X[:, ::-1], part.y, "binary", SEED),
    ):
        evaluated(other)((0, 3, 4))
    assert len(grown) == 5


def test_features_without_a_split_score_zero():
    part = Part(np.ones((40, 2)), np.arange(40) % 2, "binary", SEED)
    assert evaluated(part)((0, 1)) == slow(part, [0, 1]) == 0.0


@pytest.mark.parametrize("selector", ["greedy_wrapper", "permutation_importance"])
@pytest.mark.parametrize(
    ("y", "said"),
    [
        (
            np.array([0] * 10 + [1] * 9 + [2]),
            "y: 20 rows cannot be split 80:20 by class, as a class has only one of them",
        ),
        (np.arange(20) // 2, "y: 20 rows cannot be split 80:20 by class, as there are 10 classes"),
    ],
)
def test_rows_that_cannot_be_split_are_refused_in_one_sentence(selector, y, said):
    X = np.random.default_rng(0).random((20, 4))
    with pytest.raises(DataError, match=said) as refused:
        AlternativeFeatures(selector, n_features=2).fit(X, y)
    assert str(refused.value).count(". ") == 0
    with pytest.raises(DataError, match=said):
        AlternativeFeatures("greedy_wrapper", n_features=2, estimator=DecisionTreeClassifier()).fit(
            X, y
        )
