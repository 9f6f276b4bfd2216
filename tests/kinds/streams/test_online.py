"""Classifiers that learn row by row: batches, dicts, names, classes and refusals."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, load_wine

from altfs import AlternativeFeatures, OnlineAlternatives
from altfs.errors import AltfsError, DataError, DataWarning

X, Y = load_wine(return_X_y=True, as_frame=True)
X = (X - X.min()) / (X.max() - X.min())
ORDER = np.random.default_rng(0).permutation(len(Y))
X, Y = X.iloc[ORDER], Y.iloc[ORDER]


def online(method="ofs", **parameters):
    return OnlineAlternatives(method, **{"n_features": 3, "n_alternatives": 2, **parameters})


@pytest.mark.parametrize("method", ["ofs", "ofs_partial", "sofs"])
def test_batches_formats_and_pickles_change_nothing(method):
    whole = online(method).fit(X, Y)
    parts = online(method).partial_fit(X.iloc[:7], Y[:7], classes=[0, 1, 2])
    parts = pickle.loads(pickle.dumps(parts))
    parts.partial_fit(X.iloc[7:100][X.columns[::-1]], Y[7:100]).partial_fit(X.iloc[100:], Y[100:])
    for other in (parts, online(method).fit(csr_matrix(X.to_numpy()), Y)):
        assert [s.indices for s in other.feature_sets_] == [s.indices for s in whole.feature_sets_]
        assert other.mistakes_.tolist() == whole.mistakes_.tolist()
        assert np.allclose(other.decision_function(X.to_numpy(), 1), whole.decision_function(X, 1))
    best = whole.decision_function(X, 2).argmax(axis=1)
    assert whole.predict(X, 2).tolist() == whole.classes_[best].tolist()
    assert whole.to_frame()["dissimilarity"].min() == 0
    assert whole.names_ == list(X.columns)


def test_dicts_are_rows_in_which_columns_appear_late():
    labels = (Y == 1).map({True: "b", False: "a"})
    rows = [
        {name: value for name, value in x.items() if value > 0.2 and (t > 20 or name != "hue")}
        for t, x in enumerate(X.to_dict("records"))
    ]
    one = online("sofs")
    for x, label in zip(rows, labels, strict=True):
        one.learn_one(x, label)
    table = pd.DataFrame(rows).fillna(0.0)[one.names_]
    assert one.names_[-1] == "hue"
    whole = online("sofs").fit(csr_matrix(table.to_numpy()), labels)
    assert [s.indices for s in one.feature_sets_] == [s.indices for s in whole.feature_sets_]
    assert np.allclose(one.decision_function(table), whole.decision_function(table.to_numpy()))
    results = [one.predict_one(x | {"new": 1.0}, 1) for x in rows[:9]]
    assert results == one.predict(table[:9], 1).tolist()


def test_the_table_is_a_door_too():
    results = AlternativeFeatures("ofs", n_features=3, n_alternatives=2).fit(X, Y)
    expected = online().fit(X, Y).feature_sets_
    assert [s.indices for s in results.feature_sets_] == [s.indices for s in expected]
    assert [s.status for s in results.feature_sets_] == ["feasible"] * 3
    assert all(0.5 < s.train_objective <= 1 for s in results.feature_sets_)
    assert [len(s) for s in AlternativeFeatures("sofs").fit(X, Y).feature_sets_] == [5, 5]


def test_standardised_columns_are_a_warning_with_sofs():
    scaled = (X - X.mean()) / X.std(ddof=0)
    with pytest.warns(DataWarning, match="'sofs' cannot tell them apart"):
        online("sofs").fit(scaled, Y)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda o: o.partial_fit(X[:2], [0, 5]), "class 5 is not one of the first rows"),
        (lambda o: o.partial_fit(X[:2], [0]), "1 values for 2 rows"),
        (lambda o: o.partial_fit(X[:2], [0, 0.5]), "fractions are not allowed"),
        (lambda o: o.partial_fit(X[:2], [0, None]), "missing classes"),
        (lambda o: o.partial_fit(X[:2], [0, 1], classes=[0, 1]), "differ from those"),
        (lambda o: o.partial_fit(X[:1].assign(hue=np.nan), [0]), "column 'hue' has missing"),
        (lambda o: o.partial_fit(csr_matrix([[np.nan] * 13]), [0]), "missing or infinite"),
        (lambda o: o.partial_fit(X.iloc[:1, 1:], [0]), "column 'alcohol' is missing"),
        (lambda o: o.partial_fit(X[:1].assign(late=1), [0]), "column 'late' is new"),
        (lambda o: o.partial_fit(np.ones((1, 4)), [0]), "4 columns are not allowed, use the 13"),
        (lambda o: o.learn_one({"hue": "red"}, 0), "'red' of 'hue' is not allowed"),
        (lambda o: o.learn_one([1, 2], 0), "a list is not allowed"),
        (lambda o: o.predict(X, 3), "alternative: 3 is not there, use 0 to 2"),
        (lambda o: online("saola").fit(X, Y), "method: 'saola' does not learn row by row"),
        (lambda o: online(n_features=0).fit(X, Y), "n_features: 0"),
        (lambda o: online(tau=2).fit(X, Y), "tau: 2"),
        (lambda o: online(n_alternatives=-1).fit(X, Y), "n_alternatives: -1"),
    ],
)
def test_bad_rows_are_refused_in_a_sentence_and_change_nothing(call, said):
    fitted = online().fit(X, Y)
    before = fitted._learners.weights.copy()
    with pytest.raises(AltfsError, match=said) as refusal:
        call(fitted)
    assert str(refusal.value).count(". ") == 0
    assert str(refusal.value).endswith(".")
    assert np.array_equal(fitted._learners.weights, before)
    assert fitted.names_ == list(X.columns)


def test_numbers_as_target_are_refused():
    table, _ = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="'ofs' is for classes"):
        AlternativeFeatures("ofs").fit(table[:, 1:], table[:, 0])


def test_numbers_are_classes_only_if_they_are_named():
    table, target = np.eye(30), np.arange(30)
    with pytest.raises(AltfsError, match="30 different numbers are not taken for classes, write"):
        online().fit(table, target)
    named = OnlineAlternatives("ofs").partial_fit(table, target, classes=target)
    assert len(named.classes_) == len(online().fit(table, target.astype(str)).classes_) == 30


def test_a_second_class_may_follow():
    labels = np.where(Y == 1, 0, 1)
    start = int((labels == 1).argmin())
    assert start > 0
    parts = online().partial_fit(X[:start], labels[:start])
    assert parts.predict(X[:2]).tolist() == [1, 1]
    parts.partial_fit(X[start:], labels[start:])
    whole = online().fit(X, labels)
    assert np.array_equal(parts.decision_function(X), whole.decision_function(X))
