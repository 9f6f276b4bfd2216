"""Functions that score features: their answers, and sentences that name a column."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.feature_selection import chi2, f_classif

from altfs import AlternativeFeatures
from altfs.errors import AltfsError, DataWarning

Y = np.arange(60) % 2
X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 6)) + Y[:, None], columns=list("abcdef"))
CONSTANT = X.assign(c=1.0)


def first(*answers):
    return lambda X, y: answers[0] if answers else X.sum(axis=0)


def fitted(function, X=X, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DataWarning)
        return AlternativeFeatures(function, n_features=2, n_shuffles=0, **more).fit(X, Y)


REFUSED = {
    "negative": (chi2, X, r"'chi2' cannot score column 'a' \(Input X must be non-negative\)"),
    "one negative": (chi2, X.abs().assign(e=X["e"]), "cannot score column 'e'"),
    "sparse": (chi2, csr_matrix(X.abs().assign(e=X["e"])), "cannot score column 'x4'"),
    "own error": (lambda X, y: 1 / 0, X, r"'<lambda>' cannot score column 'a' \(division by zero"),
    "many columns": (
        lambda X, y: X[0] if X.shape[1] < 3 else [][0],
        X,
        r"cannot score these columns \(list index",
    ),
    "no y": (lambda X: X[0], X, "'<lambda>' does not take the two arguments X and y"),
    "infinite": (first(np.array([0, np.inf, 0, 0, 0, 0])), X, "returned inf for column 'b', leave"),
    "nothing": (first(None), X, r"returned something of shape \(\), X has 6 columns, one value"),
    "too few": (first([1, 2]), X, r"of shape \(2,\), X has 6 columns"),
    "text": (first(["a"] * 6), X, "only numbers are allowed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_sentence_names_the_column(name):
    function, table, sentence = REFUSED[name]
    with pytest.raises(AltfsError, match=sentence) as raised:
        fitted(function, table)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("excluded", [[], ["c"]])
def test_a_column_that_no_set_may_hold_needs_no_value(excluded):
    result = fitted(f_classif, CONSTANT, constraints={"exclude": excluded})
    assert all("c" not in features for features in result.feature_sets_)


@pytest.mark.parametrize(("table", "name"), [(CONSTANT, "c"), (CONSTANT.to_numpy(), "x2")])
def test_a_column_of_one_value_that_sets_have_to_hold_is_named(table, name):
    sentence = f"'f_classif' returned nan for column '{name}', whose values are "
    with pytest.raises(AltfsError, match=sentence):
        fitted(f_classif, table, constraints={"include": [2]})


def test_names_are_those_of_all_columns_after_a_prescreen():
    with pytest.raises(AltfsError, match="returned nan for column 'c'"):
        fitted(f_classif, CONSTANT, prescreen=3, constraints={"include": ["c"]})


def test_warnings_of_the_function_reach_the_user():
    def doubtful(X, y):
        warnings.warn("mind the gap", UserWarning, stacklevel=1)
        return X.sum(axis=0)

    with pytest.warns(UserWarning, match="mind the gap"):
        AlternativeFeatures(doubtful, n_features=2).fit(X, Y)
