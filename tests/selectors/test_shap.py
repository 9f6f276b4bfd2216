"""SHAP values against their definition, subset by subset, and what happens without the library."""

import sys
from itertools import combinations
from math import factorial

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier

from altfs import AlternativeFeatures
from altfs.errors import AltfsError
from altfs.selectors import Part
from altfs.selectors.shap import Shap, ShapOptions


def said(tree, row, features, node=0):
    """Return the tree's answer for a row of which some features are known."""
    left, right = tree.children_left[node], tree.children_right[node]
    if left == -1:
        return tree.value[node, 0]
    j = tree.feature[node]
    if j in features:
        return said(tree, row, features, left if row[j] <= tree.threshold[node] else right)
    weight = tree.weighted_n_node_samples
    parts = [weight[child] * said(tree, row, features, child) for child in (left, right)]
    return sum(parts) / weight[node]


def by_definition(model, X):
    n = X.shape[1]
    moved = []
    for row in X.astype(np.float32):
        answers = {
            s: said(model.tree_, row, s) for k in range(n + 1) for s in combinations(range(n), k)
        }
        for j in range(n):
            total = 0.0
            for s in answers:
                if j not in s:
                    share = factorial(len(s)) * factorial(n - len(s) - 1) / factorial(n)
                    total = total + share * (answers[tuple(sorted((*s, j)))] - answers[s])
            moved.append(np.abs(total).mean())
    return np.reshape(moved, X.shape).mean(axis=0)


@pytest.mark.parametrize("target", ["binary", "multiclass", "regression"])
def test_values_are_those_of_the_definition(target):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (40, 4)).astype(float)
    signal = X[:, 0] * X[:, 1] - 2 * X[:, 3] + rng.random(40)
    y = {"regression": signal, "binary": signal > 0, "multiclass": np.digitize(signal, [-1, 2])}
    part = Part(X, y[target], target, 0)
    values = Shap().values(part)
    assert values == pytest.approx(by_definition(Shap().model(part, np.arange(40)), X), rel=1e-5)
    assert values.max() > 0.01
    assert (Shap().values(part) == values).all()


def test_a_feature_that_no_branch_looks_at_is_worth_nothing():
    X = np.column_stack([np.arange(20.0), np.zeros(20)])
    values = Shap().values(Part(X, np.arange(20) > 9, "binary", 0))
    assert values.tolist() == [0.5, 0.0]


def test_the_rows_that_are_explained_are_drawn_with_the_seed():
    X, y = load_diabetes(return_X_y=True)
    some = Shap(ShapOptions(max_rows=50))
    values = [some.values(Part(X, y, "regression", seed)) for seed in (0, 0, 1)]
    assert (values[0] == values[1]).all()
    assert (values[0] != values[2]).any()
    everything = [
        Shap(ShapOptions(max_rows=n)).values(Part(X, y, "regression", 0)) for n in (442, 9999)
    ]
    assert (everything[0] == everything[1]).all()


def test_other_models_of_trees_can_be_explained():
    X, y = load_wine(return_X_y=True)
    forest = RandomForestClassifier(5, random_state=0)
    afs = AlternativeFeatures("shap", n_features=3, estimator=forest).fit(X, y)
    plain = AlternativeFeatures("shap", n_features=3).fit(X, y)
    assert afs.feature_sets_[0].train_objective != plain.feature_sets_[0].train_objective
    weights = np.where(y == 0, 0.0, 1.0)
    weighted = AlternativeFeatures("shap", n_features=3, estimator=forest)
    weighted.fit(X, y, sample_weight=weights)
    gains = [a.feature_sets_[0].train_objective for a in (afs, weighted)]
    assert gains[0] != gains[1]
    some = Shap(ShapOptions(max_rows=2))
    near = AlternativeFeatures(some, n_features=1, estimator=KNeighborsClassifier())
    assert near.fit(X[::5, :3], y[::5]).feature_sets_[0].train_objective > 0


def test_without_the_library_one_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", None)
    X, y = load_wine(return_X_y=True)
    with pytest.raises(
        AltfsError, match=r"^selector: 'shap' needs .*`pip install 'altfs\[shap\]'`\.$"
    ):
        AlternativeFeatures("shap").fit(X, y)
